package lsp

import (
	"context"
	"strings"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// methodTargets lists what a run of a document can grade.
const methodTargets = "rubric/targets"

// targetsResult lists the choices, the file's own first.
type targetsResult struct {
	Targets []targetChoice `json:"targets"`
}

// targetChoice is a value of the setting rubric.target; with Recorded, a recording for rubric.measureRecording.
type targetChoice struct {
	Name     string `json:"name"` // "" for what the files say
	Detail   string `json:"detail"`
	Recorded bool   `json:"recorded,omitzero"`
	Chosen   bool   `json:"chosen,omitzero"`
}

func listTargets(_ context.Context, s *snapshot, p *documentParams) (*targetsResult, error) {
	d, err := s.openEvalFile(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	chosen := ""
	if s.RunSettings.IsSet("target") {
		chosen = s.RunSettings.Targets[0]
	}
	named := s.ConfigOf(run.DefaultSettings(), d).Target
	result := &targetsResult{Targets: []targetChoice{
		{Detail: "as the files say: " + strings.ReplaceAll(named, cache.TargetSeparator, " or ")},
		{Name: run.SelfTargetName, Detail: "the file's own expected answers"},
	}}
	file := s.openFile(d)
	for _, name := range file.Host.Targets {
		if name != run.SelfTargetName && s.CanAnswer(d, name) {
			result.Targets = append(result.Targets, targetChoice{Name: name, Detail: "a target of targets.yaml"})
		}
	}
	for _, r := range file.Host.Recordings() {
		if r.Measured {
			chosen = r.Name
		}
		result.Targets = append(result.Targets, targetChoice{Name: r.Name, Detail: "recorded conversations", Recorded: true})
	}
	for i, t := range result.Targets {
		result.Targets[i].Chosen = t.Name == chosen
	}
	return result, nil
}
