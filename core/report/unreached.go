package report

import (
	"cmp"
	"fmt"

	"github.com/rubric-ls/rubric/core/run"
)

// UnreachedCases sums up the cases for which a judge or a target could not be reached. The
// zero value has none.
type UnreachedCases struct {
	unreached, total int
	reason           string // what the first of them says of it
}

// Add counts a case.
func (u *UnreachedCases) Add(rec run.Record) {
	u.total++
	if !rec.Unreachable {
		return
	}
	u.unreached++
	u.reason = cmp.Or(u.reason, rec.Error, unreachedReason(rec.Graders))
}

// String says it in one sentence; empty if all were reached.
func (u UnreachedCases) String() string {
	if u.unreached == 0 {
		return ""
	}
	return fmt.Sprintf("a judge or a target could not be reached in %d of %d cases: %s", u.unreached, u.total, u.reason)
}

func unreachedReason(graders []run.GraderRecord) string {
	for _, g := range graders {
		switch {
		case !g.Unreachable:
		case g.Metric != nil:
			return g.Metric.Reason
		case len(g.Members) > 0:
			return unreachedReason(g.Members)
		default:
			return g.Ungraded
		}
	}
	return ""
}
