package calibrate

import (
	"fmt"
	"math"
	"slices"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Criterion holds the figures of one criterion, over all cases that have it.
type Criterion struct {
	run.CriterionName
	Ranged   bool    `json:"ranged"`
	Texts    int     `json:"texts,omitempty"` // number of texts, if the cases give it several
	N        int     `json:"n"`               // grades that both the judge and people gave
	Ungraded int     `json:"ungraded"`        // labels without a grade of the judge
	Stale    int     `json:"stale,omitempty"` // labels that are for something else
	Accuracy float64 `json:"accuracy"`        // share of equal grades, 0–1; 0 without any
	Kappa    *Kappa  `json:"kappa,omitempty"` // quadratically weighted for scores; nil where undefined
	// AccuracyInterval is Wilson's; nil if N is 0.
	AccuracyInterval *score.Interval `json:"accuracy_interval,omitempty"`
	MoreLabels       int             `json:"more_labels,omitempty"` // labels that the interval needs to be as narrow as Within
	// People says how far several people agree: nominal α of checks, interval α of scores; nil
	// where undefined.
	People *Alpha `json:"people,omitempty"`
	Drift  *Drift `json:"drift,omitempty"` // from an earlier report; see [Report.SetDrift]
	// FalsePositives are the cases of checks that only the judge found satisfied; FalseNegatives those
	// that only people did.
	FalsePositives []string `json:"false_positives,omitempty"`
	FalseNegatives []string `json:"false_negatives,omitempty"`

	Error *float64   `json:"mean_absolute_error,omitempty"`
	Table *Confusion `json:"confusion,omitempty"` // for checks
	Cells []Cell     `json:"cells,omitempty"`     // for scores
	// Constant says that the judge gave one grade in all cases, labelled or not. It is "" if the
	// judge did not, if there is one case only, or if the criterion has several texts.
	Constant string `json:"constant,omitempty"`

	ratings     []RatingPair
	byPeople    [][]float64 // the ratings of each answer, by all its people
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

// labelKey identifies what a label is for. Turn is 0 for every turn.
type labelKey struct {
	caseID, criterion string
	turn              int
}

func keyOf(l rubric.Label) labelKey { return labelKey{l.Case, l.Criterion, l.Turn} }

func (k labelKey) String() string {
	name := k.caseID
	if k.criterion != "" {
		name += "/" + k.criterion
	}
	if k.turn > 0 {
		name += fmt.Sprintf(", turn %d", k.turn)
	}
	return name
}

// addGrade adds one grade of the judge, and those of people for the same answer.
func (c *Criterion) addGrade(key labelKey, criterion run.CriterionRecord, g score.Grade, people []float64) {
	c.texts = generic.AppendNew(c.texts, criterion.Text)
	value, graded := gradeValue(g.Satisfied, g.Score)
	if graded {
		c.judgeValues = append(c.judgeValues, value)
	}
	ranged := len(criterion.Bands) > 0
	switch c.byPeople = append(c.byPeople, people); {
	case len(people) == 0, !ranged && isTie(people):
		return
	case !graded:
		c.Ungraded++
		return
	}
	human := median(people)
	c.ratings = append(c.ratings, RatingPair{Human: human, Judge: value})
	if key.criterion = ""; !ranged && value > human {
		c.FalsePositives = append(c.FalsePositives, key.String())
	} else if !ranged && value < human {
		c.FalseNegatives = append(c.FalseNegatives, key.String())
	}
}

// median returns the median of ratings, which is the majority of checks.
func median(ratings []float64) float64 {
	sorted := slices.Sorted(slices.Values(ratings))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// isTie reports whether as many people found a check satisfied as not.
func isTie(checks []float64) bool { return len(checks) > 0 && median(checks) == 0.5 }

func gradeValue(satisfied *bool, of10 *float64) (value float64, ok bool) {
	switch {
	case of10 != nil:
		return *of10, true
	case satisfied != nil && *satisfied:
		return 1, true
	}
	return 0, satisfied != nil
}

func (c *Criterion) merge(other Criterion) {
	c.ratings, c.Ungraded, c.Stale = append(c.ratings, other.ratings...), c.Ungraded+other.Ungraded, c.Stale+other.Stale
	c.byPeople = append(c.byPeople, other.byPeople...)
	c.FalsePositives, c.FalseNegatives = append(c.FalsePositives, other.FalsePositives...), append(c.FalseNegatives, other.FalseNegatives...)
}

func (c *Criterion) computeStats(within float64) {
	c.N = len(c.ratings)
	if len(c.texts) > 1 {
		c.Texts = len(c.texts)
	}
	if len(c.texts) == 1 {
		c.Constant = constantGrade(c.Ranged, c.judgeValues)
	}
	weight, distance, equal, absError := Unweighted, NominalDistance, 0, 0.0
	if c.Ranged {
		weight, distance = Quadratic(rubric.HighestScore-rubric.LowestScore), IntervalDistance
	}
	if a, ok := ComputeAlpha(c.byPeople, distance); ok {
		c.People = &a
	}
	if c.N == 0 {
		return
	}
	for _, r := range c.ratings {
		if r.Human == r.Judge {
			equal++
		}
		absError += math.Abs(r.Human-r.Judge) / float64(c.N)
	}
	c.Accuracy = float64(equal) / float64(c.N)
	interval := Wilson(c.Accuracy, c.N)
	c.AccuracyInterval, c.MoreLabels = &interval, max(0, LabelsFor(c.Accuracy, within)-c.N)
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
