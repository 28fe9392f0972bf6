package cli

import (
	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// rescore scores the records of an earlier run again, by suite.
func (s *session) rescore(path string, profile score.Profile, format string) int {
	records, err := host.Records(path)
	if err != nil {
		return s.misuse("score: %s", err)
	}
	if len(records) == 0 {
		return s.misuse("score: %s holds no results", path)
	}
	var r report.Report
	for _, rec := range records {
		if n := len(r.Suites); n == 0 || r.Suites[n-1].Name != rec.Dataset {
			r.Suites = append(r.Suites, report.Suite{Name: rec.Dataset})
		}
		if rec.Judge == offline.Name {
			r.Notice = offline.Notice
		}
		last := &r.Suites[len(r.Suites)-1]
		last.Records = append(last.Records, run.Rescore(rec, profile))
	}
	if err := s.print(r, format); err != nil {
		return s.misuse("score: write the result: %s", err)
	}
	return exitOK
}
