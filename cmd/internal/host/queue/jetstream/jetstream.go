// Package jetstream keeps the queue of a run in NATS JetStream.
//
// A run has two streams. Cases wait in one until a worker acknowledges them. Records stay in the other
// until the run is finished, so that a coordinator that was stopped finds them when it continues. A case has its
// own subject in both, so it waits once and has one record, whatever is sent twice. All names contain the run's
// fingerprint, so that runs do not meet, and a server can give rights to single runs.
//
// A worker says every few seconds that it is still at work. If it is silent, the server gives the case to
// another. A case that five workers have not finished is not given to a sixth.
package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue"
	"github.com/rubric-ls/rubric/core/run"
)

const (
	workersName   = "workers"
	maxDeliveries = 5
	joinTime      = time.Minute      // for a server that restarts while a process joins
	tryTime       = 10 * time.Second // for a try: a server that restarts never answers what it was asked before
)

// Client is a [queue.Client].
type Client struct {
	// Silence is how long a worker may be silent before its case is given to another; 30 seconds if it is 0.
	Silence time.Duration
}

// A connection is a connection to a server for one run.
type connection struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	run     string // the beginning of the fingerprint
	silence time.Duration
	values  jetstream.KeyValue // that processes share
	leases  jetstream.KeyValue
	ahead   time.Duration // by which the server's clock is ahead of this machine's
}

func (c Client) connect(ctx context.Context, o queue.Options) (*connection, error) {
	options := []nats.Option{nats.Name("rubric"), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.RetryOnFailedConnect(false)}
	if o.Credentials != "" {
		options = append(options, nats.UserCredentials(o.Credentials))
	}
	if o.CA != "" {
		options = append(options, nats.RootCAs(o.CA))
	}
	if o.Certificate != "" || o.Key != "" {
		options = append(options, nats.ClientCert(o.Certificate, o.Key))
	}
	nc, err := nats.Connect(o.URL, options...)
	if err != nil {
		return nil, fmt.Errorf("the queue cannot be reached: %w", err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, err
	}
	conn := &connection{nc: nc, js: js, run: o.Plan[:16], silence: cmp.Or(c.Silence, 30*time.Second)}
	if err := whileJoining(ctx, conn.openStores); err != nil {
		nc.Close()
		return nil, fmt.Errorf("the queue cannot be used: %w", err)
	}
	return conn, nil
}

func (c *connection) casesStream() string   { return "rubric-" + c.run + "-cases" }
func (c *connection) recordsStream() string { return "rubric-" + c.run + "-records" }

func (c *connection) subject(kind, name string) string {
	return "rubric." + c.run + "." + kind + "." + name
}

// Close ends the connection.
func (c *connection) Close() { c.nc.Close() }

// storedRecord returns the record that a worker has made of a case, or nil.
func (c *connection) storedRecord(ctx context.Context, records jetstream.Stream, name string) (*run.Record, error) {
	msg, err := records.GetLastMsgForSubject(ctx, c.subject("record", name))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return decodeRecord(msg.Data)
}

func decodeRecord(data []byte) (*run.Record, error) {
	rec := &run.Record{}
	if err := json.Unmarshal(data, rec); err != nil {
		return nil, fmt.Errorf("a worker returned what is no record: %w", err)
	}
	return rec, nil
}

// A coordinator is a [queue.Coordinator].
type coordinator struct {
	*connection
	release  func() // ends the coordinator's lease
	records  jetstream.Stream
	incoming jetstream.ConsumeContext
	mu       sync.Mutex
	waiting  map[string]chan []byte // by subject of the record
}

// Coordinate starts the queue of a run.
func (c Client) Coordinate(ctx context.Context, o queue.Options, resume bool) (queue.Coordinator, error) {
	conn, err := c.connect(ctx, o)
	if err != nil {
		return nil, err
	}
	co := &coordinator{connection: conn, waiting: map[string]chan []byte{}, release: func() {}}
	if err := co.start(ctx, resume); err != nil {
		co.Close()
		if errors.Is(err, queue.ErrCoordinated) {
			return nil, err
		}
		return nil, fmt.Errorf("the queue cannot be used: %w", err)
	}
	return co, nil
}

func (c *coordinator) start(ctx context.Context, resume bool) error {
	release, err := c.lead(ctx)
	if err != nil {
		return err
	}
	c.release = sync.OnceFunc(release)
	c.removeAbandoned(ctx)
	return whileJoining(ctx, func(ctx context.Context) error { return c.open(ctx, resume) })
}

// open creates the streams of the run, or finds them, and begins to receive records.
func (c *coordinator) open(ctx context.Context, resume bool) error {
	for _, name := range []string{"finished", "spending", "calls"} {
		if err := c.values.Purge(ctx, c.valueKey(name)); err != nil {
			return err
		}
	}
	cases, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: c.casesStream(), Subjects: []string{c.subject("case", ">")}, Retention: jetstream.WorkQueuePolicy,
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1,
	})
	if err != nil {
		return err
	}
	_, err = cases.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workersName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.silence, MaxDeliver: -1, MaxAckPending: -1,
	})
	if err != nil {
		return err
	}
	c.records, err = c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: c.recordsStream(), Subjects: []string{c.subject("record", ">")}, MaxMsgsPerSubject: 1,
	})
	if err != nil {
		return err
	}
	if !resume {
		if err := errors.Join(cases.Purge(ctx), c.records.Purge(ctx)); err != nil {
			return err
		}
	}
	consumer, err := c.records.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverNewPolicy})
	if err != nil {
		return err
	}
	c.incoming, err = consumer.Consume(c.receive)
	return err
}

// receive passes a record to the case that waits for it.
func (c *coordinator) receive(msg jetstream.Msg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if waiting := c.waiting[msg.Subject()]; waiting != nil {
		waiting <- msg.Data()
		delete(c.waiting, msg.Subject())
	}
}

// Run returns the record of a case.
func (c *coordinator) Run(ctx context.Context, t queue.Task) (*run.Record, error) {
	subject := c.subject("record", t.Name())
	waiting := make(chan []byte, 1)
	c.mu.Lock()
	c.waiting[subject] = waiting
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, subject)
	}()
	body, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	var rec *run.Record
	err = untilRestored(ctx, func(ctx context.Context) (err error) {
		if rec, err = c.storedRecord(ctx, c.records, t.Name()); rec != nil || err != nil {
			return err
		}
		_, err = c.js.Publish(ctx, c.subject("case", t.Name()), body)
		if refused, ok := errors.AsType[*jetstream.APIError](err); ok && refused.ErrorCode == perSubjectLimit {
			return nil // an earlier coordinator has sent it
		}
		return err
	})
	if rec != nil || err != nil {
		return rec, err
	}
	select {
	case data := <-waiting:
		return decodeRecord(data)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// untilRestored repeats what fails because the server cannot be reached, which may restart. Other errors, and the end
// of ctx, end it. If its deadline ends it, the error is that of the last try.
func untilRestored(ctx context.Context, try func(context.Context) error) error {
	for {
		trying, cancel := context.WithTimeout(ctx, tryTime)
		err := try(trying)
		cancel()
		refused, isRefused := errors.AsType[*jetstream.APIError](err)
		if err == nil || isRefused && refused.Code < 500 || isGone(err) || errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, nats.ErrConnectionClosed) {
			return err
		}
		if host.Sleep(ctx, 200*time.Millisecond) != nil {
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return err
			}
			return context.Cause(ctx)
		}
	}
}

// whileJoining is [untilRestored] for a process that joins a run. It ends after [joinTime]: a server also does not answer a
// process that may not ask.
func whileJoining(ctx context.Context, try func(context.Context) error) error {
	joining, cancel := context.WithTimeout(ctx, joinTime)
	defer cancel()
	err := untilRestored(joining, try)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return errors.New("its server did not answer for a minute; check that JetStream is on, and that these credentials may use it")
	}
	return err
}

// perSubjectLimit is the server's error code for a second message of a subject that may have one.
const perSubjectLimit = 10077

// Cancel stops what workers do.
func (c *coordinator) Cancel() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if cases, err := c.js.Stream(ctx, c.casesStream()); err == nil {
		_ = cases.Purge(ctx) // what is left is run once the run continues
	}
	_ = c.nc.Publish(c.subject("cancel", "all"), nil)
	_ = c.nc.Flush()
}

// Finish removes the streams.
func (c *coordinator) Finish() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c.incoming.Stop()
	c.release()
	err := c.Change(ctx, "finished", func(_ []byte, now time.Time) ([]byte, error) { return now.AppendFormat(nil, time.RFC3339Nano), nil })
	return errors.Join(err, c.js.DeleteStream(ctx, c.casesStream()), c.js.DeleteStream(ctx, c.recordsStream()))
}

// Close ends the connection.
func (c *coordinator) Close() {
	c.release()
	c.connection.Close()
}
