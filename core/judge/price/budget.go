package price

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/rubric-ls/rubric/core/judge"
)

// Budget notes what the answers of all judges cost that it is put before, and
// keeps that under a limit. It is ready to be used, without one.
type Budget struct {
	// Max is the limit in US dollars; 0: there is none.
	Max float64

	mu       sync.Mutex
	spent    float64
	refused  int           // questions that there was no room for
	reserved float64       // for questions that are being asked
	inFlight int           // how many those are
	settled  chan struct{} // closed when one of them is answered; nil while nobody waits
}

// Charge has every answer of j say what it cost; a nil rate is unknown. Under a
// limit a question is let through if the most that it is expected to cost is left
// over beside what is spent, and what is expected of all others that are being
// asked, for which it waits: how many are asked does not depend on how many are at
// a time, and what is spent is over the limit at most by what answers cost beyond
// what was expected of them.
func (b *Budget) Charge(j judge.Judge, rate *Rate) judge.Judge {
	return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		var maxCost float64
		if rate != nil {
			_, maxCost = rate.CostRange(EstimateTokens(q))
		}
		if err := b.reserve(ctx, maxCost); err != nil {
			return judge.Answer{}, err
		}
		a, err := j.Ask(ctx, q)
		if rate != nil && a.Usage.Input+a.Usage.Output > 0 {
			cost := rate.Cost(a.Usage.Input, a.Usage.Output)
			a.Usage.Cost = &cost
		}
		b.settle(maxCost, a.Usage.Cost)
		return a, err
	})
}

// reserve sets aside what a question may cost, once there is room for it. An error
// says that there will be none, or is the context's.
func (b *Budget) reserve(ctx context.Context, cost float64) error {
	for {
		settled, err := b.tryReserve(cost)
		if settled == nil {
			return err
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tryReserve sets aside what a question may cost, or gives what to wait for.
func (b *Budget) tryReserve(cost float64) (settled <-chan struct{}, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.Max <= 0 || b.spent+b.reserved+cost <= b.Max:
		b.reserved += cost
		b.inFlight++
		return nil, nil
	case b.inFlight == 0 || b.spent+cost > b.Max:
		b.refused++
		return nil, fmt.Errorf("the limit of $%s %w: $%.4f is spent, and this would take up to $%.4f", strconv.FormatFloat(b.Max, 'f', -1, 64), judge.ErrLimit, b.spent, cost)
	case b.settled == nil:
		b.settled = make(chan struct{})
	}
	return b.settled, nil
}

// Refused is how many questions there was no room for.
func (b *Budget) Refused() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refused
}

func (b *Budget) settle(reserved float64, cost *float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved -= reserved
	if b.inFlight--; b.inFlight == 0 {
		b.reserved = 0 // sums of fractions leave a trace
	}
	if cost != nil {
		b.spent += *cost
	}
	if b.settled != nil {
		close(b.settled)
		b.settled = nil
	}
}
