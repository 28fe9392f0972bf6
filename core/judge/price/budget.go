package price

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/rubric-ls/rubric/core/judge"
)

// Budget adds up the cost of the answers of all judges that it wraps, and keeps the sum within a
// limit. The zero value has no limit.
type Budget struct {
	// Max is the limit in US dollars; 0 means none.
	Max float64

	mu       sync.Mutex
	spent    float64
	refused  int           // questions that did not fit
	reserved float64       // for questions in flight
	inFlight int           // number of questions in flight
	settled  chan struct{} // closed on the next answer; nil if nothing waits for one
}

// Charge returns a judge that asks j and sets the cost of each answer; a nil rate means that the
// cost is unknown.
//
// Under a limit, a question is asked only if its estimated maximum cost fits beside the cost so
// far and the estimates of all questions in flight. Otherwise it waits for those. The number of
// questions asked therefore does not depend on concurrency. The sum exceeds the limit only by
// what answers cost beyond their estimates.
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

// reserve waits until cost fits and reserves it. It returns an error if cost will never fit, or
// if ctx ends.
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

// tryReserve reserves cost, or returns a channel that is closed when it is worth trying again.
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

// Refused returns the number of questions that did not fit.
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
		b.reserved = 0 // floating-point sums leave a remainder
	}
	if cost != nil {
		b.spent += *cost
	}
	if b.settled != nil {
		close(b.settled)
		b.settled = nil
	}
}
