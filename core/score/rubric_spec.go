package score

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
)

// tally adds up a rubric's criteria by the rules as written.
type tally struct {
	result      Result
	details     *Details
	earned, all exact   // Σ weights by points earned, of ten, and Σ all weights by ten
	open        []Grade // the ungraded
	broken      string  // a weight that is no number
}

func rubricSpec(criteria []*rubric.Criterion, grades []Grade) Result {
	t := &tally{earned: whole(0), all: whole(0)}
	t.result = Result{Verdict: Fail, Gates: []Gate{}, Hits: []string{}, Misses: []string{}, Grades: make([]Grade, 0, len(criteria))}
	// Of each id the grades are a list, from first on: each place is 1 above an index,
	// and 0 is the end.
	first, next := map[string]int{}, make([]int, len(grades))
	for i := len(grades) - 1; i >= 0; i-- {
		next[i], first[grades[i].ID] = first[grades[i].ID], i+1
	}
	for _, c := range criteria {
		g := Grade{ID: c.ID, Ungraded: "the judge did not grade it"}
		if at := first[c.ID]; at > 0 {
			g, first[c.ID] = grades[at-1], next[at-1]
		}
		t.add(c, fit(c, g))
	}
	return t.finish(len(criteria))
}

// fit makes the grade say what its criterion asks for, or that it is ungraded.
func fit(c *rubric.Criterion, g Grade) Grade {
	g.Weight, g.Required = c.Weight, c.IsRequired()
	if g.Ungraded == "" {
		switch {
		case c.HasBands() && g.Score == nil:
			g.Ungraded = "it wants a score of 0 to 10 and has none"
		case c.HasBands() && !(*g.Score >= 0 && *g.Score <= 10):
			g.Ungraded = fmt.Sprintf("its score %s is not within 0 to 10", number(*g.Score))
		case !c.HasBands() && g.Satisfied == nil:
			g.Ungraded = "it wants satisfied or not and has neither"
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

func (t *tally) add(c *rubric.Criterion, g Grade) {
	t.result.Grades = append(t.result.Grades, g)
	weight, ok := decimal(c.Weight)
	if !ok {
		t.broken = fmt.Sprintf("the weight %s of `%s` is no number to add", number(c.Weight), c.ID)
		return
	}
	t.all = t.all.plus(weight.times(whole(10)))
	gate, gated := gateOf(c, g)
	if gated {
		t.result.Gates = append(t.result.Gates, gate)
	}
	if c.HasBands() && t.details == nil {
		t.details = newDetails()
	}
	if g.Ungraded != "" {
		t.open = append(t.open, g)
		return
	}
	hit := c.HasBands() && *g.Score >= hitAt && (!gated || gate.Met)
	if c.HasBands() {
		t.details.RawScores[c.ID] = *g.Score
		points, _ := decimal(*g.Score)
		t.earned = t.earned.plus(weight.times(points))
	} else if *g.Satisfied {
		hit = true
		t.earned = t.earned.plus(weight.times(whole(10)))
	}
	if line := finding(c, g, c.HasBands()); hit {
		t.result.Hits = append(t.result.Hits, line)
	} else {
		t.result.Misses = append(t.result.Misses, line)
	}
}

// gateOf is the criterion's gate, if it is one.
func gateOf(c *rubric.Criterion, g Grade) (gate Gate, gated bool) {
	gate.ID = c.ID
	if c.HasBands() {
		gate.Minimum = Minimum(c)
		gated = gate.Minimum != nil
	} else {
		gated = c.IsRequired()
	}
	switch {
	case !gated:
	case g.Ungraded != "":
		gate.Reason = "ungraded: " + g.Ungraded
	case gate.Minimum != nil && *g.Score < *gate.Minimum:
		gate.Reason = fmt.Sprintf("%s of 10 is below the required %s", number(*g.Score), number(*gate.Minimum))
	case gate.Minimum == nil && !*g.Satisfied:
		gate.Reason = "required and not satisfied"
	default:
		gate.Met = true
	}
	return gate, gated
}

func (t *tally) finish(n int) Result {
	r := t.result
	if t.details != nil {
		r.Details = t.details
	}
	switch {
	case n == 0:
		r.Ungraded = "the rubric has no criteria"
	case t.broken != "":
		r.Ungraded = t.broken
	case t.all.sign() <= 0:
		r.Ungraded = fmt.Sprintf("the weights of the criteria add up to %s, so there is no score", t.all.by(whole(10)).rat().RatString())
	default:
		r.exact = ratio(t.earned, t.all)
		r.Score, r.Verdict = r.exact.double(), verdictOf(r.exact)
		if len(t.open) > 0 {
			r.Ungraded = fmt.Sprintf("%d of %d criteria ungraded: %s", len(t.open), n, reasons(t.open))
		}
	}
	if r.Ungraded != "" || !met(r.Gates) {
		r.Verdict = Fail
	}
	return r
}

// reasons says why each is ungraded, or once why all are.
func reasons(open []Grade) string {
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

func met(gates []Gate) bool {
	for _, g := range gates {
		if !g.Met {
			return false
		}
	}
	return true
}
