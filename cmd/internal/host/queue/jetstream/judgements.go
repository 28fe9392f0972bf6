package jetstream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

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

// storedJudgement is an answer, with the hash of its text, by which a changed one is found.
type storedJudgement struct {
	Text   string      `json:"text"`
	Model  string      `json:"model,omitempty"`
	Usage  judge.Usage `json:"usage,omitzero"`
	SHA256 string      `json:"sha256"`
}

func hashOf(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Get returns a stored answer.
func (j judgements) Get(key string) (a judge.Answer, found bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	name := hashOf(key)
	entry, err := j.answers.Get(ctx, name)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return a, false, nil
	}
	if err != nil {
		return a, false, err
	}
	var stored storedJudgement
	if err := json.Unmarshal(entry.Value(), &stored); err != nil || stored.SHA256 != hashOf(name, stored.Text, stored.Model) {
		return a, false, nil // it is asked again and replaced
	}
	return judge.Answer{Text: stored.Text, Model: stored.Model, Usage: stored.Usage}, true, nil
}

// Put stores an answer.
func (j judgements) Put(key string, a judge.Answer) error {
	name := hashOf(key)
	value, err := json.Marshal(storedJudgement{Text: a.Text, Model: a.Model, Usage: a.Usage, SHA256: hashOf(name, a.Text, a.Model)})
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
	name := "question." + hashOf(key)
	for {
		release, err := j.acquire(ctx, name)
		if err == nil {
			return release, nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return func() {}, err
		}
		if !wait(ctx, 20*time.Millisecond) {
			return func() {}, context.Cause(ctx)
		}
	}
}
