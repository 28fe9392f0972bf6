package judge

import (
	"context"
	"fmt"
	"sync/atomic"
)

// Limit lets n questions through, counted over all judges that it is put before,
// and fails the others unasked.
func Limit(n int) func(Judge) Judge {
	left := &atomic.Int64{}
	left.Store(int64(n))
	return func(j Judge) Judge {
		return Func(func(ctx context.Context, q Question) (Answer, error) {
			if left.Add(-1) < 0 {
				return Answer{}, fmt.Errorf("the limit of calls, which is %d, is reached", n)
			}
			return j.Ask(ctx, q)
		})
	}
}
