package cli

import (
	"fmt"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	shown "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
)

// outcome is what the cases of a run come to so far, whatever is shown of them.
type outcome struct {
	cases   int
	code    int // the exit status
	standIn bool
	away    shown.Unreached
}

func (o *outcome) add(r report.Report, rec *run.Record) {
	o.cases++
	switch {
	case rec.Unreachable:
		o.code = max(o.code, exitUnreachable)
	case !r.Passes(*rec):
		o.code = max(o.code, exitFindings)
	}
	o.standIn = o.standIn || standIn(rec)
	o.away.Add(rec.Told())
}

// standIn reports whether the offline judge had a part in what was measured.
func standIn(rec *run.Record) bool {
	for _, g := range rec.Graders {
		if g.Metric != nil && g.Metric.Notice != "" {
			return true
		}
	}
	return false
}

// unreached says on standard error that somebody could not be reached, where a program
// reads what is printed and a person may not; the text for people ends with it.
func (s *session) unreached(away, format string) {
	if away != "" && format != "text" {
		fmt.Fprintf(s.stderr, "rubric: %s: %s\n", s.verb, report.Printable(away))
	}
}
