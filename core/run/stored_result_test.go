package run_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestStoredResult: after a case was edited, grades that still hold stay, others are stale, and
// weights and gates are those of today.
func TestStoredResult(t *testing.T) {
	answers := run.Runner{Target: answer("refund"), Judge: reader} // refund is satisfied, label is not
	for _, c := range []struct {
		name    string
		change  func(c *rubric.Case)
		stale   string
		score   float64
		verdict score.Verdict
	}{
		{"nothing", func(*rubric.Case) {}, "", 2.0 / 3, score.Borderline},
		{"a criterion's text", func(c *rubric.Case) { c.Graders[0].Criteria[1].Text = "Sends two" }, "rubric/label", 2.0 / 3, score.Borderline},
		{"a weight", func(c *rubric.Case) { c.Graders[0].Criteria[0].Weight = 9 }, "", 0.9, score.Pass},
		{"a gate", func(c *rubric.Case) { c.Graders[0].Criteria[1].Required = nil }, "", 2.0 / 3, score.Fail},
		{"the case's threshold", func(c *rubric.Case) { c.Threshold = new(float64) }, "", 2.0 / 3, score.Pass},
		{"the question", func(c *rubric.Case) { c.Question = "Late?" }, "cheap/ rubric/label rubric/refund", 2.0 / 3, score.Borderline},
		{"an id", func(c *rubric.Case) { c.Graders[0].Criteria[1].ID = "other" }, "rubric/other", none, score.Ungraded},
		{"one criterion less", func(c *rubric.Case) { c.Graders[0].Criteria = c.Graders[0].Criteria[:1] }, "", 1, score.Pass},
		{"one more", func(c *rubric.Case) {
			c.Graders[0].Criteria = append(c.Graders[0].Criteria, &rubric.Criterion{ID: "new", Text: "N", Weight: 1})
		}, "rubric/new", none, score.Ungraded},
		{"another order", func(c *rubric.Case) { slices.Reverse(c.Graders[0].Criteria) }, "", 2.0 / 3, score.Borderline},
		{"one more grader", func(c *rubric.Case) {
			c.Graders = append(c.Graders, &rubric.Grader{Name: "fast", Kind: rubric.Latency, Weight: 1})
		}, "fast/", none, score.Ungraded},
		{"one more grader before the others", func(c *rubric.Case) {
			c.Graders = append([]*rubric.Grader{{Name: "fast", Kind: rubric.Latency, Weight: 0}}, c.Graders...)
			c.Graders[1].Criteria[0].Weight = 9
			c.Graders[1].Criteria[1].Required = nil
		}, "fast/", 0.9, score.Fail},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after := suite(1).Cases[0], suite(1).Cases[0]
			stored := run.NewStoredResult(one(t, answers, suite(1)), before)
			c.change(after)
			now, stale := stored.ForCase(after)
			if got := partNames(stale); got != c.stale {
				t.Errorf("stale are %s, want %s", got, c.stale)
			}
			if d := value(now) - c.score; d > 1e-9 || d < -1e-9 || now.Verdict != c.verdict {
				t.Errorf("%v, %s, want %v, %s", value(now), now.Verdict, c.score, c.verdict)
			}
		})
	}
}

func partNames(parts map[run.GradeKey]bool) string {
	var names []string
	for p := range maps.Keys(parts) {
		names = append(names, p.Grader+"/"+p.Criterion)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// TestStoredResultNumbered: criteria without ids keep their grades wherever they move.
func TestStoredResultNumbered(t *testing.T) {
	list := func(texts ...string) *rubric.Suite {
		g := &rubric.Grader{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1}
		for i, words := range texts {
			g.Criteria = append(g.Criteria, &rubric.Criterion{ID: "rubric-" + string(rune('1'+i)), AutoID: true, Text: words, Weight: 1})
		}
		return &rubric.Suite{Cases: []*rubric.Case{{ID: "a", ReferenceAnswer: "rubric-2", Graders: []*rubric.Grader{g}}}}
	}
	before := list("A", "B")
	stored := run.NewStoredResult(one(t, run.Runner{Target: run.SelfTarget, Judge: reader}, before), before.Cases[0])
	now, stale := stored.ForCase(list("new", "A", "B").Cases[0])
	grades := now.Graders[0].Grades
	if len(stale) != 1 || !stale[run.GradeKey{Grader: "rubric", Criterion: "rubric-1"}] || grades[0].Ungraded == "" || *grades[1].Satisfied || !*grades[2].Satisfied {
		t.Errorf("%v, %+v", stale, grades)
	}
	now, stale = stored.ForCase(list("A2", "B").Cases[0])
	if grades := now.Graders[0].Grades; len(stale) != 1 || grades[0].Satisfied == nil || *grades[0].Satisfied || !*grades[1].Satisfied {
		t.Errorf("of a text that was changed: %v, %+v", stale, grades)
	}
}

// TestStoredResultMerge: a criterion that is judged again is fresh, and the others' grades
// stay.
func TestStoredResultMerge(t *testing.T) {
	r := run.Runner{Target: answer("refund"), Judge: reader}
	before, after := suite(1), suite(1)
	stored := run.NewStoredResult(one(t, r, before), before.Cases[0])
	after.Cases[0].Graders[0].Criteria[1].Text = "Sends two"
	some := suite(1)
	some.Cases[0].Graders = some.Cases[0].Graders[:1]
	some.Cases[0].Graders[0].Criteria = after.Cases[0].Graders[0].Criteria[1:]
	stored = stored.Merge(one(t, run.Runner{Target: answer("label"), Judge: reader}, some), after.Cases[0])
	now, stale := stored.ForCase(after.Cases[0])
	if len(stale) != 0 || *now.Score != 1 || now.Verdict != score.Pass || len(now.Graders[0].Grades) != 2 {
		t.Errorf("%v: %+v", stale, now)
	}
	before, after = suite(1), suite(1) // the rubric comes last
	slices.Reverse(before.Cases[0].Graders)
	slices.Reverse(after.Cases[0].Graders)
	stored = run.NewStoredResult(one(t, r, before), before.Cases[0])
	after.Cases[0].Graders[1].Criteria[1].Text = "Sends two"
	stored = stored.Merge(one(t, run.Runner{Target: answer("label"), Judge: reader}, some), after.Cases[0])
	if now, stale := stored.ForCase(after.Cases[0]); len(stale) != 0 || *now.Score != 1 {
		t.Errorf("%v: %+v", stale, now)
	}
}
