package report_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// numbered is a rubric of two criteria without ids, the last of which is unmet and the
// first, if open, ungraded.
func numbered(name, text string, open bool) run.GraderRecord {
	g := run.GraderRecord{Name: name, Type: rubric.LLMJudge, Weight: 1}
	for i, reason := range []string{"Is polite", text} {
		satisfied := i == 0
		grade := score.Grade{ID: rubric.AutoID(i + 1), Satisfied: &satisfied}
		if i == 0 && open {
			grade = score.Grade{ID: grade.ID, Ungraded: "no word of it"}
		}
		g.Criteria = append(g.Criteria, run.CriterionRecord{ID: grade.ID, Text: reason, Weight: 1, Required: true})
		g.Grades = append(g.Grades, grade)
	}
	return g
}

// TestReasonsInWords: a reason names a criterion without an id by what it says, in every
// format for people.
func TestReasonsInWords(t *testing.T) {
	within := run.GraderRecord{Name: "both", Type: rubric.Composite, Weight: 1, Aggregator: "weighted_average",
		Members: []run.GraderRecord{numbered("one", "Names the price", true), numbered("two", "Sends a label", true)}}
	whole := numbered("gate", "Says when", true)
	whole.Terms.Required = true
	rec := run.Rescore(run.Record{EvalID: "c", Graders: []run.GraderRecord{
		numbered("rubric", "Offers a refund\nat "+strings.Repeat("once ", 30), false), within, whole}}, score.Spec)
	for format, write := range report.Formats() {
		if format == "json" || format == "jsonl" || format == report.EvalsetResult {
			continue
		}
		var out bytes.Buffer
		if err := write(report.Report{Suites: []report.Suite{{Records: slices.Values([]run.Record{rec})}}}, &out); err != nil {
			t.Fatal(err)
		}
		page := strings.NewReplacer("<code>", "`", "</code>", "`",
			`<code class="id">rubric-1</code>`, "", `<code class="id">rubric-2</code>`, "", "[rubric-2] ", "").Replace(out.String()) // beside its text
		for _, want := range []string{
			"`Offers a refund at once once", "…` of `rubric`: required and not satisfied",
			"`one/Names the price` of `both`: required and not satisfied",
			"`two/Sends a label` of `both`: required and not satisfied",
			"`both` is ungraded: `one` is ungraded: 1 of 2 criteria ungraded: `Is polite` (no word of it); `two` is ungraded",
			"`Says when` of `gate`: required and not satisfied",
			"`gate` is ungraded: 1 of 2 criteria ungraded: `Is polite` (no word of it)",
		} {
			if !strings.Contains(page, want) {
				t.Errorf("%s does not say %q:\n%s", format, want, out.String())
			}
		}
		if strings.Contains(page, "rubric-") {
			t.Errorf("%s names a criterion by its number:\n%s", format, out.String())
		}
	}
	if !slices.Contains(rec.Reasons, "`rubric-2` of `rubric`: required and not satisfied") {
		t.Errorf("the result has not its ids: %q", rec.Reasons)
	}
}
