package run_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestFinite: a case with a number that nothing can be scored with is ungraded, under
// every profile and before its target is asked, and its record can be written.
func TestFinite(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	with := func(change func(*rubric.Case, *rubric.Grader, *rubric.Criterion)) *rubric.Case {
		k := &rubric.Criterion{ID: "x", Text: "Greets", Weight: 1}
		g := &rubric.Grader{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{k}}
		c := &rubric.Case{ID: "a", Graders: []*rubric.Grader{g}}
		change(c, g, k)
		return c
	}
	for name, c := range map[string]*rubric.Case{
		"a weight":             with(func(_ *rubric.Case, _ *rubric.Grader, k *rubric.Criterion) { k.Weight = inf }),
		"a weight of a grader": with(func(_ *rubric.Case, g *rubric.Grader, _ *rubric.Criterion) { g.Weight = nan }),
		"a minimum":            with(func(_ *rubric.Case, _ *rubric.Grader, k *rubric.Criterion) { k.MinScore = &nan }),
		"a band":               with(func(_ *rubric.Case, _ *rubric.Grader, k *rubric.Criterion) { k.Bands = []rubric.Band{{Hi: inf}} }),
		"a threshold":          with(func(c *rubric.Case, _ *rubric.Grader, _ *rubric.Criterion) { c.Threshold = &inf }),
		"what is asked": with(func(c *rubric.Case, _ *rubric.Grader, _ *rubric.Criterion) {
			c.Input = []rubric.Message{{Content: inf}}
		}),
	} {
		for _, profile := range []score.Profile{score.Spec, "agentv", "agentv-4", "agentv-head"} {
			r := run.Runner{Profile: profile, Target: func(context.Context, *rubric.Case) (grade.Submission, error) {
				t.Errorf("%s: the target is asked", name)
				return grade.Submission{}, nil
			}}
			rec := r.RunCase(context.Background(), &rubric.Suite{}, c, func(*run.GraderRecord) {})
			if !strings.Contains(rec.Error, "infinite or NaN") || rec.Ungraded != 1 || rec.Verdict == score.Pass {
				t.Errorf("%s, %s: %+v", name, profile, rec)
			}
			if _, err := json.Marshal(rec); err != nil {
				t.Errorf("%s, %s: %v", name, profile, err)
			}
		}
	}
}
