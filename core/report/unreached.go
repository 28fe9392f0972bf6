package report

import (
	"cmp"
	"fmt"

	"github.com/rubric-ls/rubric/core/run"
)

// Unreached sums up the cases for which a judge or a target could not be reached. The
// zero value has none.
type Unreached struct {
	cases, of int
	why       string // what the first of them says of it
}

// Add counts a case.
func (u *Unreached) Add(rec run.Record) {
	u.of++
	if !rec.Unreachable {
		return
	}
	u.cases++
	u.why = cmp.Or(u.why, rec.Error, unreached(rec.Graders))
}

// String says it in one sentence; empty if all were reached.
func (u Unreached) String() string {
	if u.cases == 0 {
		return ""
	}
	return fmt.Sprintf("a judge or a target could not be reached in %d of %d cases: %s", u.cases, u.of, u.why)
}

func unreached(graders []run.GraderRecord) string {
	for _, g := range graders {
		switch {
		case !g.Unreachable:
		case g.Metric != nil:
			return g.Metric.Reason
		case len(g.Members) > 0:
			return unreached(g.Members)
		default:
			return g.Ungraded
		}
	}
	return ""
}
