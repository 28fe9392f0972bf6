package run_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestMinimumResults compares records with minimums at their very edge.
func TestMinimumResults(t *testing.T) {
	tenths := []float64{0.7, 0.9, 0.8, 0.8, 0.8, 0.8, 0.8} // the sum of the doubles is less than 5.6
	nearly := make([]float64, 2000)                        // one of 2,000 does not pass
	for i := range nearly {
		nearly[i] = 1
	}
	nearly[7] = 0
	for _, c := range []struct {
		option string
		value  string
		scores []float64
		want   string
	}{
		{"min-mean", "0.8", tenths, "--min-mean 0.8 is reached: 0.800, of 7 cases"},
		{"min-mean", "0.801", tenths, "--min-mean 0.801 is not reached: 0.800, of 7 cases"},
		{"min-pass-rate", "0.9995", nearly, "--min-pass-rate 0.9995 is reached: 1.000, 1999 of 2000 cases pass"},
		{"min-pass-rate", "1", nearly, "--min-pass-rate 1 is not reached: 0.9995, 1999 of 2000 cases pass"},
		{"min-pass-rate", "0", []float64{0}, "--min-pass-rate 0 is reached: 0.000, 0 of 1 cases pass"},
		{"min-mean", "0", nil, "--min-mean 0 cannot be decided: no case is graded"},
	} {
		var s run.Settings
		if err := run.FindOption(c.option).Set(&s, c.option, c.value); err != nil {
			t.Fatal(err)
		}
		r := run.NewMinimumResults(s.Minimums())
		r.Add(run.Variant{}, nil, &run.Record{Verdict: score.Ungraded}, 0)
		for _, value := range c.scores {
			rec := &run.Record{Score: &value, Verdict: score.Fail}
			if value == 1 {
				rec.Verdict = score.Pass
			}
			r.Add(run.Variant{}, nil, rec, 0)
		}
		if got := r.List(); len(got) != 1 || got[0].String() != c.want {
			t.Errorf("%v, want %s", got, c.want)
		}
	}
}
