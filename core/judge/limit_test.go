package judge_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
)

// TestLimit: all judges together are asked so often and no more, side by side too.
func TestLimit(t *testing.T) {
	var asked, failed atomic.Int64
	live := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		asked.Add(1)
		return judge.Answer{}, nil
	})
	limit := judge.Limit{Max: 5}
	judges := []judge.Judge{limit.Wrap(live), limit.Wrap(live)}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := judges[i%2].Ask(t.Context(), judge.Question{}); err != nil {
				failed.Add(1)
				if err.Error() != "the limit of 5 calls is reached" {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := judges[0].Ask(stopped, judge.Question{}); !errors.Is(err, context.Canceled) { // which no limit keeps it from
		t.Error(err)
	}
	if asked.Load() != 5 || failed.Load() != 15 || limit.Refused() != 15 {
		t.Errorf("%d asked, %d failed", asked.Load(), failed.Load())
	}
}
