package cli

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
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

// checkWritable tells whether the results can be written, before they are paid for.
func (o *runOptions) checkWritable() error {
	for _, path := range o.outputs {
		if err := host.CheckWritable(path); err != nil {
			return fmt.Errorf("--out %w", err)
		}
	}
	return nil
}

// writeReports writes what was asked for; whole is an error where not all records could be
// given for that. An interrupted run writes no result file: what it has is in its
// journal.
func (s *session) writeReports(r report.Report, complete func() error, journal *resumeJournal, o *runOptions) error {
	if s.ctx.Err() != nil {
		s.noteInterrupted(r.Totals().Cases, journal)
		return cmp.Or(s.printReport(r, o.format), complete())
	}
	if err := s.setAsideResults(journal); err != nil {
		return err
	}
	for _, path := range o.outputs {
		write := report.Formats()[formatOf(path)]
		if err := host.WriteFile(path, func(w io.Writer) error { return cmp.Or(write(r, w), complete()) }); err != nil {
			return err
		}
	}
	if err := journal.remove(); err != nil {
		return err
	}
	return cmp.Or(s.printReport(r, o.format), complete())
}

func (s *session) printReport(r report.Report, format string) error {
	if format == "text" {
		return r.Text(s.stdout, s.textStyle())
	}
	return report.Formats()[format](r, s.resultWriter(format))
}

// resultWriter is where results in a format are printed.
func (s *session) resultWriter(format string) io.Writer {
	if format == "html" {
		return s.documentWriter()
	}
	return s.stdout
}
