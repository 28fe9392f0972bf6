// Package calibrate measures how well a judge agrees with people. For each criterion it computes
// the share of equal grades, Cohen's κ with its confidence interval, the confusion matrix and,
// for scores, the mean absolute error. It also finds criteria that always get the same grade.
//
// It is arithmetic over stored records and labels; nothing is judged here.
package calibrate

import (
	"fmt"
	"math"
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Report says how well a judge agrees with people.
type Report struct {
	Judge     string   `json:"judge,omitempty"`
	Labels    int      `json:"labels"`
	Unmatched []string `json:"unmatched"`       // labels without a grade, as case/criterion
	Stale     []string `json:"stale,omitempty"` // labels of another question, criterion or answer, which do not count
	// Pinned are the labels that match a grade, with the fingerprints of what was graded.
	Pinned   []rubric.Label `json:"-"`
	Criteria []Criterion    `json:"criteria"` // checks, then scores; each in order of first appearance
	Checks   *Criterion     `json:"checks,omitempty"`
	Scores   *Criterion     `json:"scores,omitempty"` // all criteria of a kind together, if there are several
}

// Criterion holds the figures of one criterion, over all cases that have it.
type Criterion struct {
	run.CriterionName
	Ranged   bool       `json:"ranged"`
	Texts    int        `json:"texts,omitempty"` // number of texts, if the cases give it several
	N        int        `json:"n"`               // grades that both the judge and people gave
	Ungraded int        `json:"ungraded"`        // labels without a grade of the judge
	Stale    int        `json:"stale,omitempty"` // labels that are for something else
	Accuracy float64    `json:"accuracy"`        // share of equal grades, 0–1; 0 without any
	Kappa    *Kappa     `json:"kappa,omitempty"` // quadratically weighted for scores; nil where undefined
	Error    *float64   `json:"mean_absolute_error,omitempty"`
	Table    *Confusion `json:"confusion,omitempty"` // for checks
	Cells    []Cell     `json:"cells,omitempty"`     // for scores
	// Constant says that the judge gave one grade in all cases, labelled or not. It is "" if the
	// judge did not, if there is one case only, or if the criterion has several texts.
	Constant string `json:"constant,omitempty"`

	ratings     []RatingPair
	texts       []string
	judgeValues []float64 // the judge's grades in all cases
}

// Confusion counts the grades of a check by who found it satisfied.
type Confusion struct {
	Both      int `json:"both"`
	JudgeOnly int `json:"judge_only"`
	HumanOnly int `json:"human_only"`
	Neither   int `json:"neither"`
}

// Cell counts one pair of scores.
type Cell struct {
	Human float64 `json:"human"`
	Judge float64 `json:"judge"`
	N     int     `json:"n"`
}

// Fingerprint identifies what a person or a judge grades: the question, the criterion and the answer.
func Fingerprint(rec run.Record, c run.CriterionRecord) string {
	return rubric.Digest([]any{rec.Question, c.Text, c.Bands, rec.CandidateAnswer})[:16]
}

// NewReport compares the grades of records with labels. A label of another kind than its
// criterion is unmatched.
func NewReport(records []run.Record, labels []rubric.Label) Report {
	r := Report{Labels: len(labels), Unmatched: []string{}, Criteria: []Criterion{}}
	byKey := map[labelKey]rubric.Label{}
	for _, l := range labels {
		byKey[keyOf(l)] = l
	}
	used := map[labelKey]bool{}
	var checks, scores run.CriterionTable[Criterion]
	for _, rec := range records {
		r.Judge = rec.Judge
		eachGrade(rec, func(turn int, c run.CriterionRecord, g score.Grade) {
			l, labelled := byKey[labelKey{rec.EvalID, c.ID, turn}]
			if !labelled {
				l, labelled = byKey[labelKey{rec.EvalID, c.ID, 0}]
			}
			table := &checks
			if len(c.Bands) > 0 {
				table = &scores
			}
			fingerprint := Fingerprint(rec, c)
			isStale := labelled && l.Fingerprint != "" && l.Fingerprint != fingerprint
			row := table.Row("", c)
			if !row.addGrade(c, g, l, labelled, isStale) {
				return
			}
			if isStale {
				row.Stale++
				r.Stale = append(r.Stale, keyOf(l).String())
			}
			used[keyOf(l)], l.Fingerprint = true, fingerprint
			r.Pinned = append(r.Pinned, l)
		})
	}
	for _, l := range labels {
		if key := keyOf(l); !used[key] {
			r.Unmatched = append(r.Unmatched, key.String())
		}
	}
	r.Checks, r.Scores = r.summarize("all checks", false, checks), r.summarize("all scores", true, scores)
	return r
}

// labelKey identifies what a label is for. Turn is 0 for every turn.
type labelKey struct {
	caseID, criterion string
	turn              int
}

func keyOf(l rubric.Label) labelKey { return labelKey{l.Case, l.Criterion, l.Turn} }

func (k labelKey) String() string {
	if k.turn > 0 {
		return fmt.Sprintf("%s/%s, turn %d", k.caseID, k.criterion, k.turn)
	}
	return k.caseID + "/" + k.criterion
}

// eachGrade visits the grades of a record. Those of metrics belong to a turn, counted from 1.
func eachGrade(rec run.Record, visit func(turn int, c run.CriterionRecord, g score.Grade)) {
	rec.EachGrade(func(c run.CriterionRecord, g score.Grade) { visit(0, c, g) })
	for _, m := range rec.MetricResults() {
		for i, turn := range run.TurnRecords(m) {
			for k, c := range turn.Criteria {
				visit(i+1, c, turn.Grades[k])
			}
		}
	}
}

// addGrade adds one grade, and its label if there is one and it is not stale. It reports whether the
// label belongs to the grade.
func (c *Criterion) addGrade(criterion run.CriterionRecord, g score.Grade, label rubric.Label, labelled, isStale bool) bool {
	if !slices.Contains(c.texts, criterion.Text) {
		c.texts = append(c.texts, criterion.Text)
	}
	value, graded := gradeValue(g.Satisfied, g.Score)
	if graded {
		c.judgeValues = append(c.judgeValues, value)
	}
	human, given := gradeValue(label.Satisfied, label.Score)
	switch {
	case !labelled || !given || (label.Score != nil) != (len(criterion.Bands) > 0):
		return false
	case isStale:
	case !graded:
		c.Ungraded++
	default:
		c.ratings = append(c.ratings, RatingPair{Human: human, Judge: value})
	}
	return true
}

func gradeValue(satisfied *bool, of10 *float64) (value float64, ok bool) {
	switch {
	case of10 != nil:
		return *of10, true
	case satisfied != nil && *satisfied:
		return 1, true
	}
	return 0, satisfied != nil
}

// summarize computes the figures of every criterion of one kind. It returns those of all of them
// together, or nil if fewer than two have labels.
func (r *Report) summarize(title string, ranged bool, criteria run.CriterionTable[Criterion]) *Criterion {
	whole, labelled := &Criterion{CriterionName: run.CriterionName{Criterion: title}, Ranged: ranged}, 0
	criteria.Each((*Criterion).merge, func(name run.CriterionName, c Criterion) {
		c.CriterionName, c.Ranged = name, ranged
		c.computeStats()
		r.Criteria = append(r.Criteria, c)
		if c.N > 0 {
			labelled++
		}
		whole.merge(c)
	})
	if labelled < 2 {
		return nil
	}
	whole.computeStats()
	return whole
}

func (c *Criterion) merge(other Criterion) {
	c.ratings, c.Ungraded, c.Stale = append(c.ratings, other.ratings...), c.Ungraded+other.Ungraded, c.Stale+other.Stale
}

func (c *Criterion) computeStats() {
	c.N = len(c.ratings)
	if len(c.texts) > 1 {
		c.Texts = len(c.texts)
	}
	if len(c.texts) == 1 {
		c.Constant = constantGrade(c.Ranged, c.judgeValues)
	}
	if c.N == 0 {
		return
	}
	weight, equal, absError := Unweighted, 0, 0.0
	if c.Ranged {
		weight = Quadratic(rubric.HighestScore - rubric.LowestScore)
	}
	for _, r := range c.ratings {
		if r.Human == r.Judge {
			equal++
		}
		absError += math.Abs(r.Human-r.Judge) / float64(c.N)
	}
	c.Accuracy = float64(equal) / float64(c.N)
	if k, ok := ComputeKappa(c.ratings, weight); ok {
		c.Kappa = &k
	}
	if c.Ranged {
		c.Error, c.Cells = &absError, countCells(c.ratings)
		return
	}
	c.Table = newConfusion(c.ratings)
}

func newConfusion(ratings []RatingPair) *Confusion {
	t := &Confusion{}
	for _, r := range ratings {
		switch r {
		case RatingPair{1, 1}:
			t.Both++
		case RatingPair{0, 1}:
			t.JudgeOnly++
		case RatingPair{1, 0}:
			t.HumanOnly++
		default:
			t.Neither++
		}
	}
	return t
}

func countCells(ratings []RatingPair) (cells []Cell) {
	counts := map[RatingPair]float64{}
	for _, r := range ratings {
		counts[r]++
	}
	for _, r := range sortedCells(counts) {
		cells = append(cells, Cell{r.Human, r.Judge, int(counts[r])})
	}
	return cells
}

// constantGrade describes the one grade that a judge gave in several cases, or returns "".
func constantGrade(ranged bool, values []float64) string {
	if len(values) < 2 || slices.ContainsFunc(values, func(v float64) bool { return v != values[0] }) {
		return ""
	}
	switch {
	case ranged:
		return fmt.Sprintf("always %v of 10, in %d cases", values[0], len(values))
	case values[0] == 1:
		return fmt.Sprintf("always satisfied, in %d cases", len(values))
	}
	return fmt.Sprintf("never satisfied, in %d cases", len(values))
}

// BelowKappa returns the criteria whose κ is below bound, and those whose labels are all stale or
// never graded by the judge. A criterion whose κ is undefined because both always gave the same grade is
// not among them.
func (r Report) BelowKappa(bound float64) (below []Criterion) {
	for _, c := range r.Criteria {
		if c.Kappa != nil && c.Kappa.Value < bound || c.N == 0 && c.Ungraded+c.Stale > 0 {
			below = append(below, c)
		}
	}
	return below
}
