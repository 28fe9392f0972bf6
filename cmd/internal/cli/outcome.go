package cli

import (
	"fmt"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	shown "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// outcome is what the cases of a run come to so far, whatever is shown of them.
type outcome struct {
	cases       int
	exitCode    int // the exit status: a case that fails outweighs one that is ungraded
	usedOffline bool
	unreachable shown.UnreachedCases
}

func (o *outcome) add(r report.Report, rec *run.Record) {
	o.cases++
	switch {
	case o.exitCode == exitFindings:
	case rec.Verdict == score.Ungraded, rec.Unreachable && rec.Profile.IsReference():
		o.exitCode = exitUnreachable
	case !r.Passes(*rec):
		o.exitCode = exitFindings
	}
	o.usedOffline = o.usedOffline || usesOfflineJudge(rec)
	o.unreachable.Add(rec.WithLabels())
}

// usesOfflineJudge reports whether the offline judge had a part in what was measured.
func usesOfflineJudge(rec *run.Record) bool {
	for _, g := range rec.Graders {
		if g.Metric != nil && g.Metric.Notice != "" {
			return true
		}
	}
	return false
}

// noteUnreachable says on standard error that somebody could not be reached, where a program
// reads what is printed and a person may not; the text for people ends with it.
func (s *session) noteUnreachable(unreachable, format string) {
	if unreachable != "" && format != "text" {
		fmt.Fprintf(s.stderr, "rubric: %s: %s\n", s.command, report.Printable(unreachable))
	}
}
