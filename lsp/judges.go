package lsp

import (
	"context"

	"github.com/rubric-ls/rubric/core/judge/offline"
)

// methodJudges asks who could judge here, before anything is run.
const methodJudges = "rubric/judges"

// judgesResult is who could be asked, as the setting rubric.judge names them; MODEL
// stands for a model's name.
type judgesResult struct {
	Judges []string `json:"judges"`
}

func listJudges(_ context.Context, s *snapshot, _ *noParams) (*judgesResult, error) {
	result := &judgesResult{Judges: []string{offline.Name}}
	if host, err := s.permittedHost(); err == nil && host.ListJudges != nil {
		result.Judges = append(result.Judges, host.ListJudges()...)
	}
	return result, nil
}
