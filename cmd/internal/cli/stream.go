package cli

import (
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/judge/offline"
	shown "github.com/rubric-ls/rubric/core/report"
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
	out := r.Stream(s.stdout, o.format, s.style())
	cases := 0
	var away shown.Unreached
	for _, suite := range suites {
		out.Suite(suite.suite.Name, suite.path)
		err := s.eachRecord(suite, b, o, func(rec *run.Record) error {
			cases++
			away.Add(*rec)
			code = max(code, standing(r, *rec))
			if standIn(rec) {
				out.Notice(offline.Notice)
			}
			return out.Case(*rec)
		})
		if err != nil {
			return exitUsage, err
		}
	}
	s.unreached(away, o)
	if s.ctx.Err() != nil {
		s.interrupted(cases, b)
		return max(code, exitFindings), out.End()
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
	return code, out.End()
}

// standing is the exit status that a case stands for.
func standing(r report.Report, rec run.Record) int {
	switch {
	case rec.Unreachable:
		return exitUnreachable
	case !r.Passes(rec):
		return exitFindings
	}
	return exitOK
}

// unreached says on standard error that somebody could not be reached, where a program
// reads what is printed and a person may not; the text for people ends with it.
func (s *session) unreached(away shown.Unreached, o *runOptions) {
	if said := away.String(); said != "" && o.format != "text" {
		fmt.Fprintf(s.stderr, "rubric: run: %s\n", report.Printable(said))
	}
}

// interrupted says what an interrupted run has kept.
func (s *session) interrupted(cases int, b *book) {
	kept := "what is done is printed only: --out with a .jsonl file keeps it"
	if b.journal != nil {
		kept = "go on with --resume"
	}
	fmt.Fprintf(s.stderr, "rubric: interrupted after %s; %s\n", plural(cases, "case"), kept)
}

func (s *session) style() report.Style {
	return report.Style{Color: s.colored(s.stdout), Width: width(s.stdout)}
}
