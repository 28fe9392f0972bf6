package report_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/run"
)

// writeCounter are what is written, one by one.
type writeCounter []string

func (p *writeCounter) Write(text []byte) (int, error) {
	*p = append(*p, string(text))
	return len(text), nil
}

// TestStreamAtOnce: some records are written together, once that is asked for.
func TestStreamAtOnce(t *testing.T) {
	var written writeCounter
	s := report.Report{}.Stream(&written, "jsonl", report.Style{})
	for range 10 {
		if err := s.WriteRecord(run.Record{EvalID: "a", CandidateAnswer: strings.Repeat("long ", 400)}); err != nil {
			t.Fatal(err)
		}
	}
	if len(written) > 0 {
		t.Errorf("%d bytes are written before", len(strings.Join(written, "")))
	}
	if err := s.Flush(); err != nil || len(written) != 1 || strings.Count(written[0], "\n") != 10 {
		t.Errorf("%d pieces are written, %v", len(written), err)
	}
}
