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
	Max int

	count atomic.Int64
}

// Wrap puts the limit before a judge.
func (l *Limit) Wrap(j Judge) Judge {
	return Func(func(ctx context.Context, q Question) (Answer, error) {
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		if l.count.Add(1) > int64(l.Max) {
			return Answer{}, fmt.Errorf("the limit of calls, which is %d, %w", l.Max, ErrLimit)
		}
		return j.Ask(ctx, q)
	})
}

// Refused is how many questions it has failed.
func (l *Limit) Refused() int { return max(0, int(l.count.Load())-l.Max) }
