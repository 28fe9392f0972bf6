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

// streams reports whether nothing that was asked for needs all results at once, so
// that none has to be kept.
func (o *runOptions) streams() bool {
	return report.Streams(o.format) &&
		!slices.ContainsFunc(o.out, func(path string) bool { return formatOf(path) != "jsonl" })
}

// stream grades the cases of all files and shows each as soon as its turn comes,
// keeping none. It gives the exit status.
func (s *session) stream(suites []loaded, r report.Report, b *book, o *runOptions) (code int, err error) {
	out := r.Stream(kept{b, s.results(o.format)}, o.format, s.style())
	var done outcome
	for _, suite := range suites {
		out.Suite(suite.suite.Name, suite.path)
		err := s.eachRecord(suite, b, o, func(rec *run.Record) error {
			done.add(r, rec)
			return out.Case(*rec)
		}, func() error { return cmp.Or(b.flush(), out.Flush()) })
		if err != nil {
			return exitUsage, err
		}
	}
	if done.standIn {
		out.Notice(offline.Notice)
	}
	away := done.away.String()
	out.Away(away)
	s.unreached(away, o.format)
	if s.ctx.Err() != nil {
		s.interrupted(done.cases, b)
		return max(done.code, exitFindings), out.End()
	}
	if err := s.setAside(b); err != nil {
		return exitUsage, err
	}
	for _, path := range o.out {
		if path == journalPath(o.out) {
			continue
		}
		if err := host.WriteFile(path, b.journal.Untimed); err != nil {
			return exitUsage, err
		}
	}
	if err := b.publish(); err != nil {
		return exitUsage, err
	}
	return done.code, out.End()
}

// kept writes what is shown once the journal holds it: a reader may keep the program
// waiting, and it may be killed meanwhile.
type kept struct {
	in    *book
	shown io.Writer
}

func (k kept) Write(text []byte) (int, error) {
	if err := k.in.flush(); err != nil {
		return 0, err
	}
	return k.shown.Write(text)
}

// interrupted says what an interrupted run has kept.
func (s *session) interrupted(cases int, b *book) {
	said := "after " + plural(cases, "case")
	if cases == 0 {
		said = "before a case was done"
	}
	switch {
	case b.journal == nil && cases > 0:
		said += "; what is done is printed only: --out with a .jsonl file keeps it"
	case b.journal != nil && b.journal.Holds():
		said += "; go on with --resume"
	}
	fmt.Fprintf(s.stderr, "rubric: interrupted %s\n", said)
}

func (s *session) style() report.Style {
	return report.Style{Color: s.colored(s.stdout), Width: width(s.stdout)}
}
