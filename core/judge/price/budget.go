package price

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
)

// Budget adds up the cost of the answers of all judges that it wraps, and keeps the sum within a
// limit. The zero value has no limit.
type Budget struct {
	// Max is the limit in US dollars; 0 means none.
	Max float64
	// Spending is what processes share that have one limit.
	Spending judge.Shared[Spending]

	settled chan struct{} // closed on the next answer; nil if nothing waits for one. Spending locks it.
}

// Spending is what questions have cost and may cost.
type Spending struct {
	Spent    float64   `json:"spent"`
	Refused  int       `json:"refused"`   // questions that did not fit
	Reserved float64   `json:"reserved"`  // for questions in flight
	InFlight int       `json:"in_flight"` // number of questions in flight
	Until    time.Time `json:"until"`     // when what is reserved counts as spent, because its processes are lost
}

// reservationLease is how long the latest reservation counts. A longer question counts twice, as reserved and as spent.
const reservationLease = 5 * time.Minute

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
		b.settle(ctx, maxCost, a.Usage.Cost)
		return a, err
	})
}

// reserve waits until cost fits and reserves it. It returns an error if cost will never fit, or
// if ctx ends.
func (b *Budget) reserve(ctx context.Context, cost float64) error {
	for {
		settled, err := b.tryReserve(ctx, cost)
		switch {
		case settled == nil:
			return err
		case b.Spending.Ledger != nil:
			if err := b.Spending.Ledger.Wait(ctx); err != nil {
				return err
			}
			continue
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tryReserve reserves cost, or returns a channel that is closed when it is worth trying again.
func (b *Budget) tryReserve(ctx context.Context, cost float64) (settled <-chan struct{}, refused error) {
	if b.Max <= 0 && b.Spending.Ledger != nil {
		return nil, nil
	}
	err := b.Spending.Change(ctx, func(s *Spending, now time.Time) {
		settled, refused = nil, nil
		if s.Until.Before(now) {
			s.Spent, s.Reserved, s.InFlight = s.Spent+s.Reserved, 0, 0
		}
		switch {
		case b.Max <= 0 || s.Spent+s.Reserved+cost <= b.Max:
			s.Reserved += cost
			s.InFlight++
			s.Until = now.Add(reservationLease)
			return
		case s.InFlight == 0 || s.Spent+cost > b.Max:
			s.Refused++
			refused = fmt.Errorf("the limit of $%s %w: $%.4f is spent, and this would take up to $%.4f", strconv.FormatFloat(b.Max, 'f', -1, 64), judge.ErrLimit, s.Spent, cost)
			return
		case b.settled == nil:
			b.settled = make(chan struct{})
		}
		settled = b.settled
	})
	return settled, cmp.Or(err, refused)
}

// Refused returns the number of questions that did not fit.
func (b *Budget) Refused() (n int) {
	_ = b.Spending.Change(context.Background(), func(s *Spending, _ time.Time) { n = s.Refused })
	return n
}

// settle replaces what was reserved by the cost of the answer. What was reserved is no more if it has become
// spent, or if the run was started anew.
func (b *Budget) settle(ctx context.Context, reserved float64, cost *float64) {
	if b.Max <= 0 && b.Spending.Ledger != nil {
		return
	}
	_ = b.Spending.Change(context.WithoutCancel(ctx), func(s *Spending, _ time.Time) {
		s.Reserved, s.InFlight = max(0, s.Reserved-reserved), max(0, s.InFlight-1)
		if s.InFlight == 0 {
			s.Reserved = 0 // floating-point sums leave a remainder
		}
		if cost != nil {
			s.Spent += *cost
		}
		if b.settled != nil {
			close(b.settled)
			b.settled = nil
		}
	})
}
