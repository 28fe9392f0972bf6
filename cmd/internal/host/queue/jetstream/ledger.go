package jetstream

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue"
	"github.com/rubric-ls/rubric/core/judge"
)

// retention is how long the server holds what nobody uses: queues whose coordinator was killed, and shared limits.
const retention = 7 * 24 * time.Hour

// openStores opens the key-value stores of a server: values that processes share, and leases, which end by
// themselves if the process that holds them is silent.
func (c *connection) openStores(ctx context.Context) (err error) {
	if c.values, err = c.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "rubric-shared", TTL: retention}); err != nil {
		return err
	}
	if c.leases, err = c.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "rubric-leases", TTL: c.silence}); err != nil {
		return err
	}
	asked := time.Now()
	stream, err := c.js.Stream(ctx, "KV_rubric-shared")
	if err == nil {
		c.ahead = stream.CachedInfo().TimeStamp.Sub(asked.Add(time.Since(asked) / 2))
	}
	return err
}

// valueKey returns the key of a shared value.
func (c *connection) valueKey(name string) string {
	if strings.HasPrefix(name, judge.AllRuns) {
		return "all." + judgecache.Fingerprint(name)
	}
	return c.run + "." + name
}

// Change implements [judge.Ledger].
func (c *connection) Change(ctx context.Context, name string, change func([]byte, time.Time) ([]byte, error)) error {
	if ctx.Done() == nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 3*tryTime)
		defer cancel()
	}
	var failed error
	err := untilRestored(ctx, func(ctx context.Context) error {
		for {
			var old []byte
			entry, err := c.values.Get(ctx, c.valueKey(name))
			if err == nil {
				old = entry.Value()
			} else if !errors.Is(err, jetstream.ErrKeyNotFound) {
				return err
			}
			value, err := change(old, time.Now().Add(c.ahead))
			if failed = err; err != nil || bytes.Equal(value, old) {
				return nil
			}
			if entry == nil {
				_, err = c.values.Create(ctx, c.valueKey(name), value)
			} else {
				_, err = c.values.Update(ctx, c.valueKey(name), value, entry.Revision())
			}
			if !errors.Is(err, jetstream.ErrKeyExists) { // another process was faster
				return err
			}
		}
	})
	return errors.Join(err, failed)
}

// Wait implements [judge.Ledger].
func (c *connection) Wait(ctx context.Context) error {
	return host.Sleep(ctx, 100*time.Millisecond)
}

// acquire takes a lease, or returns [jetstream.ErrKeyExists]. It renews the lease until release is called. If ctx ends, the
// lease ends by itself.
func (c *connection) acquire(ctx context.Context, name string) (release func(), err error) {
	owner := []byte(nats.NewInbox())
	revision, err := c.leases.Create(ctx, name, owner)
	if err != nil {
		return nil, err
	}
	stop := host.Repeat(ctx, c.silence/3, func(ctx context.Context) {
		next, err := c.leases.Update(ctx, name, owner, revision)
		if err != nil { // an update whose answer was lost counts
			if entry, err := c.leases.Get(ctx, name); err == nil && bytes.Equal(entry.Value(), owner) {
				next = entry.Revision()
			}
		}
		if next != 0 {
			revision = next
		}
	})
	return func() {
		stop()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = c.leases.Purge(ctx, name, jetstream.LastRevision(revision)) // otherwise it ends by itself
	}, nil
}

// coordinatorLease is the name of the lease that the coordinator of a run holds.
func (c *connection) coordinatorLease() string { return "coordinator." + c.run }

// lead takes the coordinator's lease. That of a coordinator that was killed ends after a while; one that is renewed
// is of another coordinator.
func (c *connection) lead(ctx context.Context) (release func(), err error) {
	seen := uint64(0)
	for {
		err := whileJoining(ctx, func(context.Context) (err error) { // the lease outlives joining
			release, err = c.acquire(ctx, c.coordinatorLease())
			return err
		})
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return release, err
		}
		if entry, err := c.leases.Get(ctx, c.coordinatorLease()); err == nil {
			if seen != 0 && entry.Revision() != seen {
				return nil, queue.ErrCoordinated
			}
			seen = entry.Revision()
		}
		if err := host.Sleep(ctx, c.silence/10); err != nil {
			return nil, err
		}
	}
}

// removeAbandoned removes the streams of runs that nobody has continued for long. A user who may use a single run only
// sees no others.
func (c *connection) removeAbandoned(ctx context.Context) {
	streams := c.js.ListStreams(ctx, jetstream.WithStreamListSubject("rubric.>"))
	for info := range streams.Info() {
		last := info.State.LastTime
		if last.Before(info.Created) {
			last = info.Created
		}
		if info.TimeStamp.Sub(last) > retention {
			_ = c.js.DeleteStream(ctx, info.Config.Name) // another coordinator may have done so
		}
	}
}

// judgements are the answers of judges in a key-value store of the server. Their keys are hashes of the judge's identity
// and the question. They contain neither.
type judgements struct {
	*connection
	answers jetstream.KeyValue
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
