package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestItems: criteria that are scored without a gate have the verdict of their score,
// in the test explorer as on the page, and one without a grade has none.
func TestItems(t *testing.T) {
	scored := func(value float64) *float64 { return &value }
	rec := run.Record{EvalID: "steps", Verdict: score.Fail, Score: new(0.5), Reasons: []string{"score 0.5 is below 0.8"}, Graders: []run.GraderRecord{{
		Name: "rubric", Criteria: []run.CriterionRecord{{ID: "order"}, {ID: "length"}, {ID: "tone"}, {ID: "link"}, {ID: "sources"}},
		Result: score.Result{Grades: []score.Grade{
			{ID: "order", Score: scored(0), Reasoning: "no step is right"}, {ID: "length", Score: scored(7)}, {ID: "tone", Score: scored(8)},
			{ID: "link", Ungraded: "the judge did not answer"},
		}},
	}}}
	var items []string
	for _, i := range report.Items(rec, 0) {
		value := "-"
		if i.Score != nil {
			value = score.FormatNumber(*i.Score)
		}
		items = append(items, fmt.Sprint(strings.Join(i.Path, "/"), " ", i.State, " ", value, " ", i.Message))
	}
	want := []string{
		"steps/rubric/order fail 0 no step is right", "steps/rubric/length borderline 7 ", "steps/rubric/tone pass 8 ",
		"steps/rubric/link ungraded - the judge did not answer", "steps/rubric/sources ungraded - it has no grade", "steps fail 0.5 score 0.5 is below 0.8",
	}
	if got := strings.Join(items, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
	page := pageOf(t, report.Page{Suites: []report.Suite{{Records: []run.Record{rec}}}})
	for _, mark := range []string{`mark bad"> 0/10`, `mark fair"> 7/10`, `mark good"> 8/10`, `mark none">? ungraded`} {
		if !strings.Contains(page, mark) {
			t.Errorf("%s is not on the page", mark)
		}
	}
}
