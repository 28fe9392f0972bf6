package report

import (
	"cmp"
	"fmt"

	"github.com/rubric-ls/rubric/core/run"
)

// UnreachedCases counts the cases for which a judge or a target could not be reached. The zero
// value is ready to use.
type UnreachedCases struct {
	unreached, total int
	reason           string // of the first of them
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

// String describes the cases in one sentence; it is "" if all were reached.
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
