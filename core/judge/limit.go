package judge

import (
	"context"
	"fmt"
	"sync/atomic"
)

// Limit lets Most questions through, counted over all judges that it is put before,
// and fails the others unasked. A question that comes too late to be asked is not counted.
// It is not to be copied once it is in use.
type Limit struct {
	Most int

	asked atomic.Int64
}

// Before puts the limit before a judge.
func (l *Limit) Before(j Judge) Judge {
	return Func(func(ctx context.Context, q Question) (Answer, error) {
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		if l.asked.Add(1) > int64(l.Most) {
			return Answer{}, fmt.Errorf("the limit of calls, which is %d, %w", l.Most, ErrLimit)
		}
		return j.Ask(ctx, q)
	})
}

// Unasked is how many questions it has failed.
func (l *Limit) Unasked() int { return max(0, int(l.asked.Load())-l.Most) }
