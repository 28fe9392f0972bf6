package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/run"
)

// canStream reports whether nothing that was asked for needs all results at once, so
// that none has to be kept.
func (o *runOptions) canStream() bool {
	return report.CanStream(o.format) &&
		!slices.ContainsFunc(o.outputs, func(path string) bool { return formatOf(path) != "jsonl" })
}

// streamResults grades the cases of all files and shows each as soon as its turn comes,
// keeping none. It gives the exit status.
func (s *session) streamResults(suites []loadedSuite, r report.Report, journal *resumeJournal, o *runOptions) (code int, err error) {
	out := r.Stream(journaledWriter{journal, s.resultWriter(o.format)}, o.format, s.textStyle())
	var sum outcome
	for _, suite := range suites {
		out.BeginSuite(suite.suite.Name, suite.path)
		err := s.forEachRecord(suite, journal, o, func(rec *run.Record) error {
			sum.add(r, rec)
			return out.WriteRecord(*rec)
		}, func() error { return cmp.Or(journal.flush(), out.Flush()) })
		if err != nil {
			return exitUsage, err
		}
	}
	if sum.usedOffline {
		out.SetNotice(offline.Notice)
	}
	unreachable := sum.unreachable.String()
	out.SetUnreachable(unreachable)
	s.noteUnreachable(unreachable, o.format)
	if s.ctx.Err() != nil {
		s.noteInterrupted(sum.cases, journal)
		return max(sum.exitCode, exitFindings), out.Close()
	}
	if err := s.setAsideResults(journal); err != nil {
		return exitUsage, err
	}
	for _, path := range o.outputs {
		if path == journalPath(o.outputs) {
			continue
		}
		if err := host.WriteFile(path, journal.file.WriteRecords); err != nil {
			return exitUsage, err
		}
	}
	if err := journal.publish(); err != nil {
		return exitUsage, err
	}
	return sum.exitCode, out.Close()
}

// journaledWriter writes what is shown once the journal holds it: a reader may keep the program
// waiting, and it may be killed meanwhile.
type journaledWriter struct {
	journal *resumeJournal
	out     io.Writer
}

func (w journaledWriter) Write(text []byte) (int, error) {
	if err := w.journal.flush(); err != nil {
		return 0, err
	}
	return w.out.Write(text)
}

// noteInterrupted says what an interrupted run has kept.
func (s *session) noteInterrupted(cases int, journal *resumeJournal) {
	message := "after " + plural(cases, "case")
	if cases == 0 {
		message = "before a case was done"
	}
	switch {
	case journal.file == nil && cases > 0:
		message += "; what is done is printed only: --out with a .jsonl file keeps it"
	case journal.file != nil && journal.file.HasRecords():
		message += "; go on with --resume"
	}
	fmt.Fprintf(s.stderr, "rubric: interrupted %s\n", message)
}

func (s *session) textStyle() report.Style {
	return report.Style{Color: s.useColor(s.stdout), Width: terminalWidth(s.stdout)}
}
