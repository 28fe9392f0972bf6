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
	}, 0.1)
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
		if got := calibrate.NewReport(records, nil, 0.1).Criteria[0].Constant; got != c.says {
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
	r := calibrate.NewReport(records, labels, 0.1)
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
	cohen := [][]int{{88, 10, 2}, {14, 40, 6}, {18, 10, 12}}
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
		// Cohen, A coefficient of agreement for nominal scales, 1960, and Weighted kappa, 1968: 200
		// patients, three diagnoses; disagreements weigh 1, 3 and 6.
		{"Cohen 1960", cohen, calibrate.Unweighted, 0.492, math.NaN(), math.NaN(), math.NaN(), 3},
		{"Cohen 1968", cohen, func(a, b float64) float64 { return 1 - [][]float64{{0, 1, 3}, {1, 0, 6}, {3, 6, 0}}[int(a)][int(b)]/6 }, 0.348, math.NaN(), math.NaN(), math.NaN(), 3},
		// Cohen's own way of reckoning by hand: 50 proposals, two readers;
		// po = 0.7, pe = 0.5.
		{"two readers", [][]int{{20, 5}, {10, 15}}, calibrate.Unweighted, 0.4, math.NaN(), math.NaN(), math.NaN(), 9},
		{"all agree", [][]int{{5, 0}, {0, 5}}, calibrate.Unweighted, 1, none, none, none, 9},
		{"chance", [][]int{{5, 5}, {5, 5}}, calibrate.Unweighted, 0, math.NaN(), math.NaN(), math.NaN(), 9},
		{"all differ", [][]int{{0, 5}, {5, 0}}, calibrate.Unweighted, -1, none, none, none, 9},
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
	for name, table := range map[string][][]int{
		"nothing": nil, "one rating only": {{7, 0}, {0, 0}}, "one grade of the judge": {{0, 2}, {0, 5}}, "one grade of people": {{0, 0}, {2, 5}},
		"one equal pair": {{1}}, "one pair that differs": {{0, 1}},
	} {
		if k, ok := calibrate.ComputeKappa(ratings(table), calibrate.Unweighted); ok {
			t.Errorf("%s: κ is %v", name, k)
		}
	}
}

// near reports whether two numbers are equal to so many decimal places.
func near(got, want float64, places int) bool {
	return math.Abs(got-want) <= 0.50001*math.Pow(10, -float64(places))
}

// TestAlpha compares α with Krippendorff's own examples (Computing Krippendorff's Alpha-Reliability,
// 2011): two observers of ten articles, and four observers of twelve units.
func TestAlpha(t *testing.T) {
	const missing = 0
	units := func(observers ...[]float64) (units [][]float64) {
		for i := range observers[0] {
			var u []float64
			for _, o := range observers {
				if o[i] != missing {
					u = append(u, o[i])
				}
			}
			units = append(units, u)
		}
		return units
	}
	two := units([]float64{1, 2, 1, 1, 1, 1, 1, 1, 2, 1}, []float64{2, 2, 2, 1, 1, 2, 1, 1, 1, 1})
	four := units([]float64{1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0}, []float64{1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3},
		[]float64{0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0}, []float64{1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0})
	for _, c := range []struct {
		name     string
		units    [][]float64
		distance calibrate.Distance
		value    float64
		n        int
	}{
		{"two observers", two, calibrate.NominalDistance, 0.095, 10},
		{"four observers, nominal", four, calibrate.NominalDistance, 0.743, 11},
		{"four observers, interval", four, calibrate.IntervalDistance, 0.849, 11},
	} {
		a, ok := calibrate.ComputeAlpha(c.units, c.distance)
		if !ok || !near(a.Value, c.value, 3) || a.Units != c.n || a.Interval == nil || a.Interval.Low >= a.Value || a.Interval.High <= a.Value {
			t.Errorf("%s: %v %+v %+v", c.name, ok, a, a.Interval)
		}
	}
	for name, units := range map[string][][]float64{"nothing": nil, "one person": {{1}, {2}}, "no variation": {{1, 1}, {1, 1}}} {
		if a, ok := calibrate.ComputeAlpha(units, calibrate.NominalDistance); ok {
			t.Errorf("%s: α is %v", name, a)
		}
	}
	if a, ok := calibrate.ComputeAlpha([][]float64{{1, 2}, {1, 2}}, calibrate.NominalDistance); !ok || a.Interval != nil {
		t.Errorf("equal units have an interval: %+v", a)
	}
}

// TestWilson compares intervals with those of Newcombe (Two-sided confidence intervals for the single proportion,
// and Interval estimation for the difference between independent proportions, both 1998), and of 8 in 10.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, {8, 10, 0.4902, 0.9433}} {
		if i := calibrate.Wilson(float64(c.k)/float64(c.n), c.n); !near(i.Low, c.low, 4) || !near(i.High, c.high, 4) {
			t.Errorf("%d of %d: %+v", c.k, c.n, i)
		}
	}
	for _, c := range []struct {
		b, nb, a, na int
		low, high    float64
	}{{56, 70, 48, 80, 0.0524, 0.3339}, {9, 10, 3, 10, 0.1705, 0.8090}, {10, 10, 0, 10, 0.6075, 1}} {
		i := calibrate.ShareDifference(float64(c.a)/float64(c.na), c.na, float64(c.b)/float64(c.nb), c.nb)
		if !near(i.Low, c.low, 4) || !near(i.High, c.high, 4) {
			t.Errorf("%d of %d less %d of %d: %+v", c.b, c.nb, c.a, c.na, i)
		}
	}
}

// TestLabelsFor: for a share of a half, n is z²/4d² − z² (Piegorsch, Sample sizes for improved binomial confidence
// intervals, 2004). In all cases one label less is too few.
func TestLabelsFor(t *testing.T) {
	for within, want := range map[float64]int{0.05: 381, 0.1: 93, 0: 0, -1: 0, 1: 1} {
		if n := calibrate.LabelsFor(0.5, within); n != want {
			t.Errorf("within %v: %d, want %d", within, n, want)
		}
	}
	width := func(share float64, n int) float64 { i := calibrate.Wilson(share, n); return i.High - i.Low }
	for _, share := range []float64{0.3, 0.5, 0.9} {
		if n := calibrate.LabelsFor(share, 0.08); width(share, n) > 0.16 || width(share, n-1) <= 0.16 {
			t.Errorf("share %v: %d", share, n)
		}
	}
}

// TestSeveralPeople: an answer's labels count as their majority or median, a tie counts for nobody, and
// cases that only one side found satisfied are named.
func TestSeveralPeople(t *testing.T) {
	records := []run.Record{judged("a", "x=y", "tone=7"), judged("b", "x=y", "tone=3"), judged("c", "x=n"), judged("d", "x=n")}
	r := calibrate.NewReport(records, []rubric.Label{
		label("a", "x", "y"), label("a", "x", "y"), label("a", "x", "n"),
		label("b", "x", "y"), label("b", "x", "n"), label("c", "x", "y"), label("d", "x", "n"),
		label("a", "tone", "6"), label("a", "tone", "8"), label("b", "tone", "5"),
	}, 0.1)
	x, tone := r.Criteria[0], r.Criteria[1]
	if strings.Join(r.Disputed, " ") != "b/x" || x.N != 3 || strings.Join(x.FalseNegatives, " ") != "c" || len(x.FalsePositives) != 0 {
		t.Errorf("%v %+v", r.Disputed, x)
	}
	if x.People == nil || x.People.Units != 2 || tone.N != 2 || tone.Accuracy != 0.5 || tone.People != nil {
		t.Errorf("%+v %+v", x.People, tone)
	}
	if x.MoreLabels != calibrate.LabelsFor(2.0/3, 0.1)-3 || x.AccuracyInterval == nil {
		t.Errorf("%d more labels, %+v", x.MoreLabels, x.AccuracyInterval)
	}
}

// TestBelowUndefined: a bound on κ does not pass where κ is not defined because a grade was wrong.
func TestBelowUndefined(t *testing.T) {
	for grade, below := range map[string]int{"y": 0, "n": 1} {
		r := calibrate.NewReport([]run.Record{judged("a", "x=y")}, []rubric.Label{label("a", "x", grade)}, 0.1)
		if r.Criteria[0].Kappa != nil || len(r.BelowKappa(0)) != below {
			t.Errorf("%s: %+v", grade, r.Criteria[0])
		}
	}
}

// TestDrift: a change is one beyond chance if its interval does not hold 0.
func TestDrift(t *testing.T) {
	report := func(right, wrong int) calibrate.Report {
		var records []run.Record
		var labels []rubric.Label
		for i := range right + wrong {
			grade := map[bool]string{true: "y", false: "n"}[i < right]
			records, labels = append(records, judged(fmt.Sprint(i), "x="+grade)), append(labels, label(fmt.Sprint(i), "x", "y"))
		}
		return calibrate.NewReport(records, labels, 0.1)
	}
	for _, c := range []struct {
		now     calibrate.Report
		changed bool
	}{{report(56, 14), true}, {report(49, 21), false}} {
		c.now.SetDrift(report(48, 32))
		if d := c.now.Criteria[0].Drift; d == nil || d.N != 80 || d.Accuracy != 0.6 || d.Changed() != c.changed {
			t.Errorf("%+v", d)
		}
	}
}
