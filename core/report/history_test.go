package report_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// stored is a run in which a case with a tag has a grade of a criterion; nil leaves both ungraded.
func stored(name string, satisfied *bool) *report.StoredRun {
	rec := run.Record{EvalID: "a", Dataset: "d", Tags: []string{"fast"}, Verdict: score.Ungraded}
	g := run.GraderRecord{Name: "rubric", Type: rubric.LLMJudge, Criteria: []run.CriterionRecord{{ID: "tone"}}}
	g.Grades = []score.Grade{{ID: "tone", Satisfied: satisfied}}
	if satisfied == nil {
		g.Grades[0].Ungraded = "the judge was away"
	} else if rec.Verdict = score.Fail; *satisfied {
		rec.Verdict = score.Pass
	}
	rec.Graders = []run.GraderRecord{g}
	r := &report.StoredRun{Path: name}
	r.Add(rec)
	return r
}

// TestTrends: a line has a point for each run that graded something, and is broken where none did.
func TestTrends(t *testing.T) {
	yes, no := true, false
	var out strings.Builder
	h := report.History{Runs: []*report.StoredRun{stored("1", &yes), stored("2", &no), stored("3", nil), stored("4", &yes), stored("5", &yes)}}
	if err := h.Write(&out); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, measure := range []string{"pass rate", "pass rate of tag fast", "mean of tone"} {
		_, row, _ := strings.Cut(page, `<th scope="row">`+measure+`</th>`)
		row, _, _ = strings.Cut(row, "</tr>")
		// the third run graded nothing, so it is no run of the dataset
		if !strings.Contains(row, `d="M0.0 0.0L40.0 32.0L80.0 0.0L120.0 0.0"`) || strings.Count(row, "<circle") != 4 || strings.Count(row, "100 %") != 3 {
			t.Errorf("%s: %s", measure, row)
		}
	}
	gap := stored("6", &yes)
	gap.Add(run.Record{EvalID: "b", Dataset: "d", Tags: []string{"slow"}, Verdict: score.Pass})
	out.Reset()
	if err := (report.History{Runs: []*report.StoredRun{gap, stored("7", &yes), gap}}).Write(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `d="M0.0 0.0M120.0 0.0"`) {
		t.Errorf("no gap in\n%s", out.String())
	}
	alpha, beta := stored("8", &yes), stored("9", &no)
	for i, r := range []*report.StoredRun{alpha, beta} { // each has both targets
		for j, target := range []string{"alpha", "beta"} {
			r.Add(run.Record{EvalID: "a", Dataset: "e", Target: target, Judge: "j", Verdict: []score.Verdict{score.Pass, score.Fail}[(i+j)%2]})
		}
	}
	out.Reset()
	if err := (report.History{Runs: []*report.StoredRun{alpha, beta}}).Write(&out); err != nil {
		t.Fatal(err)
	}
	for target, line := range map[string]string{"alpha": "M0.0 0.0L120.0 32.0", "beta": "M0.0 32.0L120.0 0.0"} {
		_, trend, _ := strings.Cut(out.String(), "<h2>e over time: "+target+", j</h2>")
		if trend, _, _ = strings.Cut(trend, "</section>"); !strings.Contains(trend, line) || strings.Count(trend, "<path") != 1 {
			t.Errorf("the trend of %s: %s", target, trend)
		}
	}
	if strings.Contains(out.String(), "<script") || strings.Contains(out.String(), "<input") {
		t.Error("a file needs a server")
	}
}
