package run_test

import (
	"slices"
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
		{"min-mean", "0.8", tenths, "--min-mean 0.8 is reached: 0.800 over 7 cases"},
		{"min-mean", "0.801", tenths, "--min-mean 0.801 is not reached: 0.800 over 7 cases"},
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

// TestMinimumParts: minimums hold for the cases of their tag, and for each target of a matrix by
// itself. What is not graded does not count, but the minimum applies to it.
func TestMinimumParts(t *testing.T) {
	var s run.Settings
	for _, value := range []string{"0.5", "a=b=1", "other=1"} {
		if err := run.FindOption("min-mean").Set(&s, "min-mean", append([]string{}, append(s.MinMeans, value)...)); err != nil {
			t.Fatal(err)
		}
	}
	for wrong, want := range map[string]string{
		"=1": "min-mean must have a tag before the `=`, not `=1`", "tag=": "min-mean must be a number from 0 to 1, or TAG=NUMBER, not `tag=`",
		"tag=2": "min-mean must be a number from 0 to 1, or TAG=NUMBER, not `tag=2`", "-0.1": "min-mean must be a number from 0 to 1, or TAG=NUMBER, not `-0.1`",
	} {
		if err := run.FindOption("min-mean").Set(&s, "min-mean", wrong); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	r := run.NewMinimumResults(s.Minimums())
	half, one := 0.5, 1.0
	if r.Add(run.Variant{Target: "t"}, []string{"a"}, &run.Record{Score: &half, Verdict: score.Fail}, 0); len(r.List()) != 1 {
		t.Errorf("a case without the tag: %v", r.List())
	}
	for _, rec := range []run.Record{{Score: &one, Verdict: score.Pass}, {Score: &one, Verdict: score.Ungraded}, {Score: &one, Unreachable: true}, {}} {
		if !r.Add(run.Variant{Target: "u"}, []string{"a=b"}, &rec, 0) {
			t.Errorf("no minimum applies to %+v", rec)
		}
	}
	var got []string
	for _, m := range r.List() {
		got = append(got, m.String())
	}
	if want := []string{
		"--min-mean 0.5 for the target `t` is reached: 0.500 over 1 case", "--min-mean 0.5 for the target `u` is reached: 1.000 over 1 case",
		"--min-mean a=b=1 for the target `u` is reached: 1.000 over 1 case",
	}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	several := run.NewMinimumResults([]run.Minimum{{Option: "min-mean", Tag: "x", Value: 1}, {Option: "min-mean", Value: 0.5}})
	several.Add(run.Variant{}, []string{"x"}, &run.Record{Verdict: score.Ungraded}, 0)
	if all := several.List(); len(all) != 2 {
		t.Errorf("an ungraded case has %d minimums", len(all))
	}
	several.Add(run.Variant{}, nil, &run.Record{Score: &half, Verdict: score.Fail}, 0)
	if all := several.List(); all[0].Reached != nil || all[1].Reached == nil || *all[1].Reached != 0.5 {
		t.Errorf("after a minimum without a graded case: %v", all)
	}
	only := run.NewMinimumResults([]run.Minimum{{Option: "min-mean", Tag: "x", Value: 1}})
	if only.Add(run.Variant{}, nil, &run.Record{Score: &one}, 0) {
		t.Error("a minimum of a tag applies to a case without tags")
	}
}
