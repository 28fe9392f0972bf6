package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
)

// A worker is a [queue.Worker].
type worker struct {
	*connection
	cases      jetstream.Consumer
	records    jetstream.Stream
	judgements judgements
	patience   time.Duration // for a coordinator

	mu      sync.Mutex
	cancels map[*context.CancelCauseFunc]bool // of running cases
	alone   time.Time                         // since when the coordinator was missing; zero if it is there
}

// Join waits for the queue of a run.
func (c Client) Join(ctx context.Context, o queue.Options) (queue.Worker, error) {
	conn, err := c.connectPatiently(ctx, o)
	if err != nil {
		return nil, err
	}
	w := &worker{connection: conn, judgements: judgements{connection: conn}, patience: o.Wait, cancels: map[*context.CancelCauseFunc]bool{}}
	if err := w.start(ctx, o.Since); err != nil {
		conn.Close()
		return nil, err
	}
	return w, nil
}

// connectPatiently repeats for [tryTime] what a server causes that restarts: it ends what it has accepted, and then nothing listens.
func (c Client) connectPatiently(ctx context.Context, o queue.Options) (*connection, error) {
	for end := time.Now().Add(tryTime); ; {
		conn, err := c.connect(ctx, o)
		mayRestart := errors.Is(err, io.EOF) || errors.Is(err, nats.ErrNoServers)
		if !mayRestart || time.Now().After(end) || host.Sleep(ctx, 200*time.Millisecond) != nil {
			return conn, err
		}
	}
}

func (w *worker) start(ctx context.Context, since time.Time) (err error) {
	err = whileJoining(ctx, func(ctx context.Context) (err error) {
		w.judgements.answers, err = w.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "rubric-judgements"})
		return err
	})
	if err != nil {
		return fmt.Errorf("the queue cannot be used: %w", err)
	}
	if _, err = w.nc.Subscribe(w.subject("cancel", "all"), func(*nats.Msg) { w.cancelAll() }); err != nil {
		return err
	}
	for {
		err := whileJoining(ctx, func(ctx context.Context) (err error) {
			if w.records, err = w.js.Stream(ctx, w.recordsStream()); err == nil {
				w.cases, err = w.js.Consumer(ctx, w.casesStream(), workersName)
			}
			return err
		})
		if !isGone(err) {
			return err
		}
		if ended, err := w.finishedAfter(ctx, since.Add(w.ahead)); ended || err != nil {
			return cmp.Or(err, queue.ErrFinished)
		}
		if err := w.awaitCoordinator(ctx); err != nil {
			return err
		}
		if err := host.Sleep(ctx, time.Second); err != nil {
			return err
		}
	}
}

// finishedAfter reports whether a run of the plan has ended after a time of the server.
func (w *worker) finishedAfter(ctx context.Context, since time.Time) (bool, error) {
	var entry jetstream.KeyValueEntry
	err := untilRestored(ctx, func(ctx context.Context) (err error) {
		if entry, err = w.values.Get(ctx, w.valueKey("finished")); errors.Is(err, jetstream.ErrKeyNotFound) {
			err = nil
		}
		return err
	})
	if entry == nil || err != nil {
		return false, err
	}
	ended, err := time.Parse(time.RFC3339Nano, string(entry.Value()))
	return ended.After(since), err
}

// awaitCoordinator returns an error if the coordinator has been missing for too long.
func (w *worker) awaitCoordinator(ctx context.Context) error {
	_, err := w.leases.Get(ctx, w.coordinatorLease())
	w.mu.Lock()
	defer w.mu.Unlock()
	switch now := time.Now(); {
	case !errors.Is(err, jetstream.ErrKeyNotFound): // if that cannot be known, it is there
		w.alone = time.Time{}
	case w.alone.IsZero():
		w.alone = now
	case w.patience > 0 && now.Sub(w.alone) > w.patience:
		return queue.ErrNoCoordinator
	}
	return nil
}

// isGone reports whether the queue of a run is not there, because it has not started or is finished.
func isGone(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrConsumerDeleted)
}

// Judgements returns the cache that all workers share.
func (w *worker) Judgements() judge.Store { return w.judgements }

// Work runs tasks until the run is finished or ctx ends.
func (w *worker) Work(ctx context.Context, parallel int, work func(context.Context, queue.Task, error) *run.Record) error {
	var wg sync.WaitGroup
	failed := make([]error, parallel)
	for i := range parallel {
		wg.Go(func() {
			for ctx.Err() == nil && failed[i] == nil {
				failed[i] = w.workOnce(ctx, work)
			}
		})
	}
	wg.Wait()
	for _, err := range failed {
		if err != nil && !isGone(err) && ctx.Err() == nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// workOnce runs the next task, if one comes within a few seconds. A lost connection is not an error: it is
// restored.
func (w *worker) workOnce(ctx context.Context, work func(context.Context, queue.Task, error) *run.Record) error {
	waiting, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	msg, err := w.cases.Next(jetstream.FetchContext(waiting))
	switch {
	case err == nil:
		return w.handle(ctx, msg, work)
	case isGone(err):
		return err
	case waiting.Err() == nil: // the server restarts, or the queue is gone
		_ = host.Sleep(ctx, 100*time.Millisecond)
	}
	if _, err := w.js.Stream(ctx, w.casesStream()); isGone(err) {
		return err
	}
	return w.awaitCoordinator(ctx)
}

// handle runs the task of a message, and acknowledges the message once the record is stored.
func (w *worker) handle(ctx context.Context, msg jetstream.Msg, work func(context.Context, queue.Task, error) *run.Record) error {
	var t queue.Task
	if err := json.Unmarshal(msg.Data(), &t); err != nil {
		return errors.Join(fmt.Errorf("the queue holds what is no case: %w", err), msg.Term())
	}
	var earlier *run.Record // by a worker that was stopped before its acknowledgement
	err := untilRestored(ctx, func(ctx context.Context) (err error) {
		earlier, err = w.storedRecord(ctx, w.records, t.Name())
		return err
	})
	if err != nil {
		return err
	}
	if earlier != nil {
		acknowledge(ctx, msg)
		return nil
	}
	var failed error
	if about, err := msg.Metadata(); err == nil && about.NumDelivered > maxDeliveries {
		failed = fmt.Errorf("not run: %d workers have started it, and none has finished it", maxDeliveries)
	}
	ctx, done := w.track(ctx)
	defer done()
	// Until work returns, the server is told that the task is being worked on. If that does not arrive, the next may.
	defer host.Repeat(ctx, w.silence/3, func(context.Context) { _ = msg.InProgress() })()
	rec := work(ctx, t, failed)
	if ctx.Err() != nil { // another worker, or a later run, does it
		return errors.Join(msg.Nak())
	}
	data, err := json.Marshal(rec)
	if limit := w.nc.MaxPayload(); err == nil && int64(len(data)) > limit-1024 {
		data, err = json.Marshal(work(ctx, t, fmt.Errorf("its result has %d bytes, and the queue's server takes %d (max_payload)", len(data), limit)))
	}
	if err != nil {
		return err
	}
	err = untilRestored(ctx, func(ctx context.Context) error { // what was paid for must not be lost
		_, err := w.js.Publish(ctx, w.subject("record", t.Name()), data)
		if errors.Is(err, jetstream.ErrNoStreamResponse) {
			if _, gone := w.js.Stream(ctx, w.recordsStream()); gone != nil {
				return gone
			}
		}
		return err
	})
	if err == nil {
		acknowledge(ctx, msg)
	}
	return err
}

// acknowledge removes the message of a finished task. A message that cannot be removed comes again, and its
// record is found.
func acknowledge(ctx context.Context, msg jetstream.Msg) { _ = msg.DoubleAck(ctx) }

// track returns a context that a cancelled run ends.
func (w *worker) track(ctx context.Context) (context.Context, func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	w.cancels[&cancel] = true
	return ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		cancel(nil)
		delete(w.cancels, &cancel)
	}
}

func (w *worker) cancelAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for cancel := range w.cancels {
		(*cancel)(errors.New("the run was cancelled"))
	}
}
