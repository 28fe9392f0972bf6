package price

import (
	"context"
	"fmt"
	"sync"

	"github.com/rubric-ls/rubric/core/judge"
)

// Budget notes what the answers of all judges cost that it is put before, and
// keeps that under a limit. It is ready to be used, without one.
type Budget struct {
	// Most is the limit in US dollars; 0: there is none.
	Most float64

	mu       sync.Mutex
	spent    float64
	reserved float64 // for questions that are being asked
}

// Charge has every answer of j say what it cost; a nil rate is unknown. Under a
// limit a question is let through if the most that it is expected to cost is left
// over beside what is spent, and what is expected of all others that are being
// asked: so that what is spent is over the limit at most by what answers cost
// that were under way beyond what was expected of them.
func (b *Budget) Charge(j judge.Judge, rate *Rate) judge.Judge {
	return judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		var most float64
		if rate != nil {
			_, most = rate.Cost(Expect(q))
		}
		if err := b.reserve(most); err != nil {
			return judge.Answer{}, err
		}
		a, err := j.Ask(ctx, q)
		if rate != nil && a.Usage.Input+a.Usage.Output > 0 {
			cost := rate.Of(a.Usage.Input, a.Usage.Output)
			a.Usage.Cost = &cost
		}
		b.settle(most, a.Usage.Cost)
		return a, err
	})
}

func (b *Budget) reserve(most float64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Most > 0 && b.spent+b.reserved+most > b.Most {
		return fmt.Errorf("the limit of $%v is reached: $%.4f is spent, $%.4f may be under way, and this would take up to $%.4f", b.Most, b.spent, b.reserved, most)
	}
	b.reserved += most
	return nil
}

func (b *Budget) settle(reserved float64, cost *float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved -= reserved
	if cost != nil {
		b.spent += *cost
	}
}
