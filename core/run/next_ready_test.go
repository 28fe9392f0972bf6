package run_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// TestMore: a record says that there is more if the next one is there, and never if that
// one has to be waited for, whatever else is done.
func TestMore(t *testing.T) {
	for name, c := range map[string]struct {
		took  []int // seconds, by case
		taken int   // seconds that a record is made use of
		want  []bool
	}{
		"the first last":     {[]int{9, 1, 2, 3}, 0, []bool{true, true, true, false}},
		"one by one":         {[]int{1, 2, 3, 4}, 0, []bool{false, false, false, false}},
		"one between":        {[]int{1, 9, 2, 3}, 0, []bool{false, true, true, false}},
		"the last but one":   {[]int{2, 1, 9, 3}, 0, []bool{true, false, true, false}},
		"all behind the use": {[]int{1, 2, 3, 4}, 5, []bool{false, true, true, false}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := suite(len(c.took))
			slow := func(_ context.Context, of *rubric.Case) (grade.Submission, error) {
				time.Sleep(time.Duration(c.took[slices.Index(s.Cases, of)]) * time.Second) // by the bubble's clock
				return grade.Submission{Answer: "refund"}, nil
			}
			r := run.Runner{Target: slow, Judge: reader, Workers: len(c.took), DoneOnly: true}
			var got []bool
			for e := range r.Run(t.Context(), s, nil) {
				time.Sleep(time.Duration(c.taken) * time.Second)
				synctest.Wait() // until all that is done is there
				got = append(got, e.NextReady)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, not %v", name, got, c.want)
			}
		})
	}
}
