package score

import (
	"fmt"
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
)

// tally adds up a rubric's criteria by the rules as written.
type tally struct {
	result      Result
	details     *Details
	earned, all sum     // Σ weights by tenths earned, Σ all weights by ten
	open        []Grade // the ungraded
	broken      string  // a weight that is no number
}

func rubricSpec(criteria []*rubric.Criterion, grades []Grade) Result {
	byID := map[string][]Grade{}
	for _, g := range grades {
		byID[g.ID] = append(byID[g.ID], g)
	}
	t := &tally{}
	t.result = Result{Verdict: Fail, Gates: []Gate{}, Hits: []string{}, Misses: []string{}, Grades: []Grade{}}
	for _, c := range criteria {
		g := Grade{ID: c.ID, Ungraded: "the judge did not grade it"}
		if queue := byID[c.ID]; len(queue) > 0 {
			g, byID[c.ID] = queue[0], queue[1:]
		}
		t.add(c, fit(c, g))
	}
	return t.finish(len(criteria))
}

// fit makes the grade say what its criterion asks for, or that it is ungraded.
func fit(c *rubric.Criterion, g Grade) Grade {
	g.Weight, g.Required = c.Weight, c.Must()
	if g.Ungraded == "" {
		switch {
		case c.Ranged() && g.Score == nil:
			g.Ungraded = "it wants a score of 0 to 10 and has none"
		case c.Ranged() && !(*g.Score >= 0 && *g.Score <= 10):
			g.Ungraded = fmt.Sprintf("its score %s is not within 0 to 10", number(*g.Score))
		case !c.Ranged() && g.Satisfied == nil:
			g.Ungraded = "it wants satisfied or not and has neither"
		}
	}
	switch {
	case g.Ungraded != "":
		g.Satisfied, g.Score = nil, nil
	case c.Ranged():
		g.Satisfied = nil
	default:
		g.Score = nil
	}
	return g
}

func (t *tally) add(c *rubric.Criterion, g Grade) {
	t.result.Grades = append(t.result.Grades, g)
	if math.IsNaN(c.Weight) || math.IsInf(c.Weight, 0) {
		t.broken = fmt.Sprintf("the weight %s of `%s` is no number to add", number(c.Weight), c.ID)
		return
	}
	t.all.add(c.Weight, 10)
	gate := gateOf(c, g)
	if gate != nil {
		t.result.Gates = append(t.result.Gates, *gate)
	}
	if c.Ranged() && t.details == nil {
		t.details = newDetails()
	}
	if g.Ungraded != "" {
		t.open = append(t.open, g)
		return
	}
	hit := c.Ranged() && *g.Score >= hitAt && (gate == nil || gate.Met)
	if c.Ranged() {
		t.details.RawScores[c.ID] = *g.Score
		t.earned.add(c.Weight, *g.Score)
	} else if *g.Satisfied {
		hit = true
		t.earned.add(c.Weight, 10)
	}
	if line := finding(c, g, c.Ranged()); hit {
		t.result.Hits = append(t.result.Hits, line)
	} else {
		t.result.Misses = append(t.result.Misses, line)
	}
}

// gateOf is the criterion's gate, or nil when it has none.
func gateOf(c *rubric.Criterion, g Grade) *Gate {
	gate := &Gate{ID: c.ID}
	if c.Ranged() {
		if gate.Minimum = Minimum(c); gate.Minimum == nil {
			return nil
		}
	} else if !c.Must() {
		return nil
	}
	switch {
	case g.Ungraded != "":
		gate.Reason = "ungraded: " + g.Ungraded
	case gate.Minimum != nil && *g.Score < *gate.Minimum:
		gate.Reason = fmt.Sprintf("%s of 10 is below the required %s", number(*g.Score), number(*gate.Minimum))
	case gate.Minimum == nil && !*g.Satisfied:
		gate.Reason = "required and not satisfied"
	default:
		gate.Met = true
	}
	return gate
}

func (t *tally) finish(n int) Result {
	r, all := t.result, t.all.rat()
	if t.details != nil {
		r.Details = t.details
	}
	switch {
	case n == 0:
		r.Ungraded = "the rubric has no criteria"
	case t.broken != "":
		r.Ungraded = t.broken
	case all.Sign() <= 0:
		r.Ungraded = fmt.Sprintf("the weights of the criteria add up to %s, so there is no score", all.Quo(all, ten).RatString())
	default:
		r.exact, r.Score = ratio(t.earned.rat(), all)
		r.Verdict = verdictOf(r.exact)
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
