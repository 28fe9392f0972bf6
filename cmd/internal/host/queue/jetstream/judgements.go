package jetstream

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/core/judge"
)

// judgements are the answers of judges in a key-value store of the server. Their keys are hashes of the judge's identity
// and the question. They contain neither.
type judgements struct {
	*connection
	answers jetstream.KeyValue
}

func (c *connection) openJudgements(ctx context.Context) (j judgements, err error) {
	j.connection = c
	j.answers, err = c.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "rubric-judgements"})
	return j, err
}

// Get returns a stored answer.
func (j judgements) Get(key string) (a judge.Answer, found bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	name := judgecache.Fingerprint(key)
	entry, err := j.answers.Get(ctx, name)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return a, false, nil
	}
	if err != nil {
		return a, false, err
	}
	a, found = judgecache.DecodeEntry(name, entry.Value())
	return a, found, nil
}

// Put stores an answer.
func (j judgements) Put(key string, a judge.Answer) error {
	name := judgecache.Fingerprint(key)
	value, err := judgecache.EncodeEntry(name, a)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err = j.answers.Put(ctx, name, value)
	return err
}

// Lease waits until no other worker asks the question under key, and keeps others from asking it until release is called.
// A worker that is gone keeps them for the time after which it counts as silent.
func (j judgements) Lease(ctx context.Context, key string) (release func(), err error) {
	name := "question." + judgecache.Fingerprint(key)
	for {
		release, err := j.acquire(ctx, name)
		if err == nil {
			return release, nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return func() {}, err
		}
		if err := host.Sleep(ctx, 20*time.Millisecond); err != nil {
			return func() {}, err
		}
	}
}
