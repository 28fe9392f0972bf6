package jetstream_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	natsstream "github.com/nats-io/nats.go/jetstream"

	"github.com/rubric-ls/rubric/cmd/internal/host/queue"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue/jetstream"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/price"
)

// TestSharedLimits: workers together ask no more questions, and spend no more, than one process.
func TestSharedLimits(t *testing.T) {
	o := optionsFor(startServer(t, t.TempDir(), -1))
	c := coordinate(t, client, o, false)
	var asked atomic.Int64
	model := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		asked.Add(1)
		return judge.Answer{Usage: judge.Usage{Input: 50, Output: 50}}, nil
	})
	q := judge.Question{User: strings.Repeat("x", 250), Brief: judge.Brief{Items: make([]judge.Item, 1)}} // at most $0.34, in fact $0.10
	ask := func(wrap func(ledger judge.Ledger) judge.Judge) (refused int64) {
		t.Helper()
		var wg sync.WaitGroup
		var limited atomic.Int64
		asked.Store(0)
		for range 4 {
			j := wrap(join(t, client, o))
			for range 5 {
				wg.Go(func() {
					if _, err := j.Ask(t.Context(), q); errors.Is(err, judge.ErrLimit) {
						limited.Add(1)
					} else if err != nil {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		return limited.Load()
	}
	calls := func(ledger judge.Ledger) *judge.Limit {
		return &judge.Limit{Max: 7, Count: judge.Shared[int]{Ledger: ledger, Name: "calls"}}
	}
	if refused := ask(func(l judge.Ledger) judge.Judge { return calls(l).Wrap(model) }); asked.Load() != 7 || refused != 13 || calls(c).Refused() != 13 {
		t.Errorf("%d asked, %d refused, and %d for the coordinator", asked.Load(), refused, calls(c).Refused())
	}
	budget := func(ledger judge.Ledger) *price.Budget {
		return &price.Budget{Max: 1, Spending: judge.Shared[price.Spending]{Ledger: ledger, Name: "spending"}}
	}
	charge := func(l judge.Ledger) judge.Judge {
		return budget(l).Charge(model, &price.Rate{Input: 1000, Output: 1000})
	}
	if refused := ask(charge); asked.Load() != 7 || refused != 13 || budget(c).Refused() != 13 {
		t.Errorf("under a budget: %d asked, %d refused, and %d for the coordinator", asked.Load(), refused, budget(c).Refused())
	}
	c.Close()
	coordinate(t, client, o, true)
	if refused := ask(charge); asked.Load() != 7 || refused != 13 {
		t.Errorf("a run that continues: %d asked, %d refused", asked.Load(), refused)
	}
}

// TestLostReservations: what a lost worker has reserved counts as spent after a while.
func TestLostReservations(t *testing.T) {
	now := time.Now()
	ledger := &memoryLedger{now: func() time.Time { return now }, wait: func() { now = now.Add(time.Hour) }}
	budget := func() *price.Budget {
		return &price.Budget{Max: 1, Spending: judge.Shared[price.Spending]{Ledger: ledger, Name: "spending"}}
	}
	rate := &price.Rate{Input: 1000, Output: 1000}
	q := judge.Question{User: strings.Repeat("x", 250), Brief: judge.Brief{Items: make([]judge.Item, 1)}} // at most $0.34
	lost, started := make(chan bool), make(chan bool)
	defer close(lost)
	for range 2 {
		go func() {
			_, _ = budget().Charge(judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
				started <- true
				<-lost
				return judge.Answer{}, nil
			}), rate).Ask(context.Background(), q)
		}()
		<-started
	}
	_, err := budget().Charge(nil, rate).Ask(t.Context(), q)
	if err == nil || !strings.HasPrefix(err.Error(), "the limit of $1 is reached: $0.68") {
		t.Error(err)
	}
}

// memoryLedger is a ledger of this process.
type memoryLedger struct {
	mu    sync.Mutex
	value []byte
	now   func() time.Time
	wait  func()
}

func (l *memoryLedger) Change(_ context.Context, _ string, change func([]byte, time.Time) ([]byte, error)) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.value, err = change(l.value, l.now())
	return err
}

func (l *memoryLedger) Wait(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wait()
	return nil
}

// TestOneCoordinator: a second coordinator of a plan is refused, and one of a plan whose coordinator was killed continues.
func TestOneCoordinator(t *testing.T) {
	o := optionsFor(startServer(t, t.TempDir(), -1))
	patient := jetstream.Client{Silence: 10 * time.Second} // a slow machine must not lose the lease
	first := coordinate(t, patient, o, false)
	if _, err := patient.Coordinate(t.Context(), o, true); !errors.Is(err, queue.ErrCoordinated) {
		t.Errorf("a second coordinator: %v", err)
	}
	first.Close()
	work(t, join(t, patient, o), 1, func(context.Context, queue.Task) {})
	runAll(t, coordinate(t, patient, o, true), 3)
}

// TestKilledCoordinator: a coordinator that is gone without a word is replaced, its workers end if it is not, and what is
// left of old runs is removed.
func TestKilledCoordinator(t *testing.T) {
	o := optionsFor(startServer(t, t.TempDir(), -1))
	nc, err := nats.Connect(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := natsstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	coordinate(t, hasty, o, false)
	leases, err := js.KeyValue(t.Context(), "rubric-leases")
	if err == nil {
		err = leases.Purge(t.Context(), "coordinator."+o.Plan[:16])
	}
	if err != nil {
		t.Fatal(err)
	}
	o.Wait = time.Nanosecond
	w := join(t, hasty, o)
	if err := w.Work(t.Context(), 2, nil); !errors.Is(err, queue.ErrNoCoordinator) {
		t.Errorf("a worker without a coordinator: %v", err)
	}
	work(t, join(t, hasty, o), 1, func(context.Context, queue.Task) {})
	runAll(t, coordinate(t, hasty, o, true), 3)
}
