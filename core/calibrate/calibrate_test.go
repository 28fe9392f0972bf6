package calibrate_test

import (
	"fmt"
	"math"
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

// TestOf: grades are compared with labels by case and criterion, and unmatched labels are listed.
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

// ratings are the pairs of a table of counts, rows the human's.
func ratings(table [][]int) (all []calibrate.RatingPair) {
	for h, row := range table {
		for j, count := range row {
			for range count {
				all = append(all, calibrate.RatingPair{Human: float64(h), Judge: float64(j)})
			}
		}
	}
	return all
}

// TestKappa compares the arithmetic with worked examples from the literature.
func TestKappa(t *testing.T) {
	none := math.Inf(1)
	linear := func(a, b float64) float64 { return 1 - math.Abs(a-b)/3 }
	dermatologists := [][]int{{10, 4, 1, 0}, {5, 10, 12, 2}, {2, 4, 12, 5}, {0, 2, 6, 13}}
	for _, c := range []struct {
		name      string
		table     [][]int
		weight    calibrate.Weight
		value     float64
		err       float64
		low, high float64
		places    float64
	}{
		// Fleiss, Statistical Methods for Rates and Proportions, 2nd ed., p. 213:
		// 100 patients, three diagnoses.
		{"three diagnoses", [][]int{{75, 1, 4}, {5, 4, 1}, {0, 0, 10}}, calibrate.Unweighted, 0.68, 0.087, math.NaN(), math.NaN(), 2},
		// SAS/STAT User's Guide, PROC FREQ, “Cohen's Kappa Coefficient”: two
		// dermatologists and 88 patients; the weights there are linear.
		{"two dermatologists", dermatologists, calibrate.Unweighted, 0.3449, 0.0724, 0.2030, 0.4868, 4},
		{"two dermatologists, weighted", dermatologists, linear, 0.5082, 0.0655, 0.3798, 0.6366, 4},
		// Cohen's own way of reckoning by hand: 50 proposals, two readers;
		// po = 0.7, pe = 0.5.
		{"two readers", [][]int{{20, 5}, {10, 15}}, calibrate.Unweighted, 0.4, math.NaN(), math.NaN(), math.NaN(), 9},
		{"all agree", [][]int{{5, 0}, {0, 5}}, calibrate.Unweighted, 1, none, none, none, 9},
		{"chance", [][]int{{5, 5}, {5, 5}}, calibrate.Unweighted, 0, math.NaN(), math.NaN(), math.NaN(), 9},
		{"all differ", [][]int{{0, 5}, {5, 0}}, calibrate.Unweighted, -1, none, none, none, 9},
		{"one grade of a judge", [][]int{{0, 2}, {0, 5}}, calibrate.Unweighted, 0, none, none, none, 12},
		// Of two ratings any weight agrees wholly or not at all.
		{"quadratic of two", [][]int{{20, 5}, {10, 15}}, calibrate.Quadratic(1), 0.4, math.NaN(), math.NaN(), math.NaN(), 9},
	} {
		k, ok := calibrate.ComputeKappa(ratings(c.table), c.weight)
		if !ok {
			t.Errorf("%s: there is none", c.name)
		}
		if k.Interval == nil {
			k.Interval = &calibrate.Interval{Error: none, Low: none, High: none}
		}
		for what, pair := range map[string][2]float64{"κ": {k.Value, c.value}, "error": {k.Error, c.err}, "low": {k.Low, c.low}, "high": {k.High, c.high}} {
			if !math.IsNaN(pair[1]) && pair[0] != pair[1] && !(math.Abs(pair[0]-pair[1]) <= 0.50001*math.Pow(10, -c.places)) {
				t.Errorf("%s: %s is %v, want %v", c.name, what, pair[0], pair[1])
			}
		}
	}
	for name, table := range map[string][][]int{"nothing": nil, "one rating only": {{7, 0}, {0, 0}}} {
		if k, ok := calibrate.ComputeKappa(ratings(table), calibrate.Unweighted); ok {
			t.Errorf("%s: κ is %v", name, k)
		}
	}
}
