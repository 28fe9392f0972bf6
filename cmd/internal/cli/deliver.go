package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// formatOf is the format that a file's name asks for, "" if none.
func formatOf(path string) string {
	if strings.HasSuffix(strings.ToLower(path), ".evalset_result.json") {
		return report.EvalsetResult
	}
	return map[string]string{
		".jsonl": "jsonl", ".json": "json", ".xml": "junit", ".html": "html", ".htm": "html",
	}[strings.ToLower(filepath.Ext(path))]
}

// journalPath is the first file of results that an interrupted run can keep
// its records beside.
func journalPath(out []string) string {
	for _, path := range out {
		if formatOf(path) == "jsonl" {
			return path
		}
	}
	return ""
}

// book is the journal of a run, if it has one, and what an earlier run wrote.
type book struct {
	journal *host.Journal
	earlier []run.Record
}

func (s *session) openBook(o *runOptions) (*book, error) {
	path := journalPath(o.out)
	if path == "" {
		return &book{}, nil
	}
	journal, earlier, err := host.OpenJournal(path, o.resume)
	if err == nil && journal.Cut != "" {
		fmt.Fprintf(s.stderr, "rubric: %s: its last line breaks off and is left out; that case is graded again\n", journal.Cut)
	}
	return &book{journal, earlier}, err
}

func (b *book) add(rec run.Record) error {
	if b.journal == nil {
		return nil
	}
	return b.journal.Add(rec)
}

// finish takes the journal away, once what it holds is written.
func (b *book) finish() error {
	if b.journal == nil {
		return nil
	}
	return b.journal.Remove()
}

func (b *book) close() {
	if b.journal != nil {
		b.journal.Close()
	}
}

// known are the cases that an earlier run has graded in the same way, and whose
// meaning has not changed since. Those that could not be run are tried again.
func (b *book) known(suite *rubric.Suite, r run.Runner) map[*rubric.Case]*run.Record {
	known, meant := map[*rubric.Case]*run.Record{}, map[[2]string][]*rubric.Case{}
	if len(b.earlier) > 0 {
		for _, c := range suite.Cases {
			at := [2]string{c.ID, c.Fingerprint()}
			meant[at] = append(meant[at], c)
		}
	}
	for i := range b.earlier {
		rec := &b.earlier[i]
		if rec.Error != "" || rec.Unreachable || rec.Dataset != suite.Name || rec.Target != r.TargetName ||
			rec.Judge != r.JudgeName || rec.Profile != r.Profile || max(1, rec.Samples) != r.Samples {
			continue
		}
		for _, c := range meant[[2]string{rec.EvalID, rec.CaseFingerprint}] {
			known[c] = rec
		}
	}
	return known
}

// deliver writes what was asked for. An interrupted run writes no result file:
// what it has is in its journal.
func (s *session) deliver(r report.Report, b *book, o *runOptions) error {
	if s.ctx.Err() != nil {
		s.interrupted(r.Totals().Cases, b)
		return s.print(r, o.format)
	}
	for _, path := range o.out {
		write := report.Formats()[formatOf(path)]
		if err := host.WriteFile(path, func(w io.Writer) error { return write(r, w) }); err != nil {
			return err
		}
	}
	if err := b.finish(); err != nil {
		return err
	}
	return s.print(r, o.format)
}

func (s *session) print(r report.Report, format string) error {
	if format == "text" {
		return r.Text(s.stdout, s.style())
	}
	return report.Formats()[format](r, s.stdout)
}
