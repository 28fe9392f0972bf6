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

func judges(_ context.Context, at *Snapshot, _ *none) (*judgesResult, error) {
	all := &judgesResult{Judges: []string{offline.Name}}
	if host, err := at.allowed(); err == nil && host.Judges != nil {
		all.Judges = append(all.Judges, host.Judges()...)
	}
	return all, nil
}
