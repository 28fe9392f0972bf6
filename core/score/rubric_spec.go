package score

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
)

// full is the highest score of a criterion.
var full = big.NewRat(rubric.HighestScore, 1)

// A rubricTally adds up a rubric's criteria by the rules as written.
type rubricTally struct {
	result        Result
	details       *Details
	earned, all   big.Rat // Σ weight · points of ten; all is Σ weight · 10
	ungraded      []Grade // ungraded criteria
	weightProblem string  // a weight that is not a number
}

func rubricSpec(criteria []*rubric.Criterion, grades []Grade) Result {
	t := &rubricTally{details: newDetails()}
	t.result = Result{Gates: []Gate{}, Hits: []string{}, Misses: []string{}, Grades: make([]Grade, 0, len(criteria))}
	if HasRanged(criteria) {
		t.result.Details = t.details
	}
	byID := map[string][]Grade{}
	for _, g := range grades {
		byID[g.ID] = append(byID[g.ID], g)
	}
	for _, c := range criteria {
		g := Grade{ID: c.ID, Ungraded: "the judge did not grade it"}
		if given := byID[c.ID]; len(given) > 0 {
			g, byID[c.ID] = given[0], given[1:]
		}
		t.add(c, normalizeGrade(c, g))
	}
	return t.finish(len(criteria))
}

// normalizeGrade leaves exactly one of the grade that its criterion asks for and the reason why it
// is ungraded.
func normalizeGrade(c *rubric.Criterion, g Grade) Grade {
	g.Weight, g.Required = c.Weight, c.IsRequired()
	if g.Ungraded == "" {
		switch {
		case c.HasBands() && g.Score == nil:
			g.Ungraded = "it needs a score of 0 to 10 and has none"
		case c.HasBands() && !(*g.Score >= 0 && *g.Score <= 10):
			g.Ungraded = fmt.Sprintf("its score %s is not within 0 to 10", FormatNumber(*g.Score))
		case !c.HasBands() && g.Satisfied == nil:
			g.Ungraded = "it needs `satisfied` and has none"
		}
	}
	switch {
	case g.Ungraded != "":
		g.Satisfied, g.Score = nil, nil
	case c.HasBands():
		g.Satisfied = nil
	default:
		g.Score = nil
	}
	return g
}

func (t *rubricTally) add(c *rubric.Criterion, g Grade) {
	t.result.Grades = append(t.result.Grades, g)
	weight, ok := decimal(c.Weight)
	if !ok {
		t.weightProblem = fmt.Sprintf("the weight %s of `%s` cannot be added", FormatNumber(c.Weight), c.ID)
		return
	}
	addProduct(&t.all, weight, full)
	gate := criterionGate(Spec, c, g, c.HasBands())
	if gate != nil {
		t.result.Gates = append(t.result.Gates, *gate)
	}
	if g.Ungraded != "" {
		t.ungraded = append(t.ungraded, g)
		return
	}
	hit := c.HasBands() && *g.Score >= minHitScore && (gate == nil || gate.Met)
	if c.HasBands() {
		t.details.RawScores[c.ID] = *g.Score
		points, _ := decimal(*g.Score)
		addProduct(&t.earned, weight, points)
	} else if *g.Satisfied {
		hit = true
		addProduct(&t.earned, weight, full)
	}
	t.result.addFinding(hit, findingLine(c, g, c.HasBands()))
}

func (t *rubricTally) finish(n int) Result {
	r, verdict := t.result, Fail
	switch {
	case n == 0:
		r.Ungraded = "the rubric has no criteria"
	case t.weightProblem != "":
		r.Ungraded = t.weightProblem
	case t.all.Sign() <= 0:
		r.Ungraded = fmt.Sprintf("the weights of the criteria add up to %s, so there is no score", new(big.Rat).Quo(&t.all, full).RatString())
	default:
		r.exactScore = clampedRatio(&t.earned, &t.all)
		verdict = exactVerdict(r.exactScore, nil)
		if len(t.ungraded) > 0 {
			r.Ungraded = fmt.Sprintf("%d of %d criteria ungraded: %s", len(t.ungraded), n, ungradedSummary(t.ungraded))
		}
	}
	r.setScore(nearest(r.exactValue()), settled(verdict, r.Ungraded != "", r.Gates))
	return r
}

// ungradedSummary returns why each grade is ungraded, or the reason once if all are equal.
func ungradedSummary(open []Grade) string {
	same := true
	each := make([]string, len(open))
	for i, g := range open {
		same = same && g.Ungraded == open[0].Ungraded
		each[i] = fmt.Sprintf("`%s` (%s)", g.ID, g.Ungraded)
	}
	if same && len(open) > 1 {
		return open[0].Ungraded
	}
	return strings.Join(each, ", ")
}

func allMet(gates []Gate) bool {
	return !slices.ContainsFunc(gates, func(g Gate) bool { return !g.Met })
}
