package calibrate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// judged is a record whose criteria have these grades: "y", "n", a score or "-" for
// none.
func judged(id string, grades ...string) run.Record {
	g := run.GraderRecord{Name: "rubric", Type: rubric.LLMJudge}
	for _, of := range grades {
		name, value, _ := strings.Cut(of, "=")
		c, grade := run.CriterionRecord{ID: name, Text: name, Weight: 1}, score.Grade{ID: name}
		switch value {
		case "y", "n":
			grade.Satisfied = new(value == "y")
		case "-":
			grade.Ungraded, c.Bands = "away", []run.BandRecord{{Range: [2]float64{0, 10}, Text: "any"}}
		default:
			var of10 float64
			fmt.Sscan(value, &of10)
			grade.Score, c.Bands = &of10, []run.BandRecord{{Range: [2]float64{0, 10}, Text: "any"}}
		}
		g.Criteria, g.Grades = append(g.Criteria, c), append(g.Grades, grade)
	}
	return run.Record{EvalID: id, Judge: "j", Graders: []run.GraderRecord{g}}
}

func label(id, criterion, value string) rubric.Label {
	l := rubric.Label{Case: id, Criterion: criterion}
	switch value {
	case "y", "n":
		l.Satisfied = new(value == "y")
	default:
		l.Score = new(float64)
		fmt.Sscan(value, l.Score)
	}
	return l
}

// TestOf: grades are held against labels by case and criterion, and what cannot be
// is told.
func TestOf(t *testing.T) {
	records := []run.Record{
		judged("a", "window=y", "polite=y", "tone=7"),
		judged("b", "window=n", "polite=y", "tone=3"),
		judged("c", "window=y", "polite=y", "tone=-"),
		judged("d", "window=n", "polite=y", "tone=10"),
	}
	r := calibrate.NewReport(records, []rubric.Label{
		label("a", "window", "y"), label("b", "window", "n"), label("c", "window", "n"), label("d", "window", "n"),
		label("a", "polite", "y"), label("b", "polite", "y"),
		label("a", "tone", "7"), label("b", "tone", "5"), label("c", "tone", "5"), label("d", "tone", "10"),
		label("a", "gone", "y"), label("e", "window", "y"), label("d", "polite", "4"),
	})
	if r.Judge != "j" || r.Labels != 13 || strings.Join(r.Unmatched, " ") != "a/gone e/window d/polite" || len(r.Criteria) != 3 {
		t.Fatalf("%+v", r)
	}
	window, polite, tone := r.Criteria[0], r.Criteria[1], r.Criteria[2]
	if window.N != 4 || window.Accuracy != 0.75 || window.Kappa == nil || window.Kappa.Value != 0.5 || *window.Table != (calibrate.Confusion{Both: 1, JudgeOnly: 1, Neither: 2}) || window.Constant != "" {
		t.Errorf("window: %+v, κ %+v, %+v", window, window.Kappa, window.Table)
	}
	if polite.N != 2 || polite.Accuracy != 1 || polite.Kappa != nil || polite.Constant != "always satisfied, in 4 cases" {
		t.Errorf("polite: %+v", polite)
	}
	if tone.N != 3 || tone.Ungraded != 1 || *tone.Error != 2.0/3 || len(tone.Cells) != 3 || tone.Kappa == nil || tone.Table != nil {
		t.Errorf("tone: %+v", tone)
	}
	if r.Checks == nil || r.Checks.N != 6 || r.Scores != nil {
		t.Errorf("all checks: %+v, all scores: %+v", r.Checks, r.Scores)
	}
	if below := r.BelowKappa(0.6); len(below) != 1 || below[0].Criterion != "window" {
		t.Errorf("below 0.6: %+v", below)
	}
	for _, c := range []struct{ grades, says string }{
		{"n n", "never satisfied, in 2 cases"}, {"5 5 5", "always 5 of 10, in 3 cases"}, {"y", ""}, {"y n", ""}, {"- -", ""},
	} {
		var records []run.Record
		for i, g := range strings.Fields(c.grades) {
			records = append(records, judged(fmt.Sprint(i), "x="+g))
		}
		if got := calibrate.NewReport(records, nil).Criteria[0].Constant; got != c.says {
			t.Errorf("%s: %q, want %q", c.grades, got, c.says)
		}
	}
}

// TestOfCriteriaWithoutIDs: a number is one criterion in each case, and no name in all.
func TestOfCriteriaWithoutIDs(t *testing.T) {
	var records []run.Record
	var labels []rubric.Label
	for i := range 12 {
		r := judged(fmt.Sprint(i), "rubric-1=y", "rubric-2=n", "rubric-3=4")
		for j, text := range []string{"polite", fmt.Sprintf("names %d", i), fmt.Sprintf("tells %d", i)} {
			r.Graders[0].Criteria[j].Text = text
		}
		records, labels = append(records, r), append(labels, label(r.EvalID, "rubric-1", "y"), label(r.EvalID, "rubric-2", "y"), label(r.EvalID, "rubric-3", "4"))
	}
	var rows []string
	r := calibrate.NewReport(records, labels)
	for _, c := range r.Criteria {
		rows = append(rows, fmt.Sprintf("%s %d: %.1f", c.Label(), c.N, c.Accuracy))
		if c.Texts != 0 {
			t.Errorf("%s has several texts: %d", c.Label(), c.Texts)
		}
	}
	if got := strings.Join(rows, ", "); got != "polite 12: 1.0, 12 criteria without an id 12: 0.0, 12 criteria without an id 12: 1.0" {
		t.Errorf("%s", got)
	}
	if r.Checks == nil || r.Checks.N != 24 || r.Scores != nil {
		t.Errorf("all checks: %+v, all scores: %+v", r.Checks, r.Scores)
	}
}
