package lsp

import (
	"context"
	"strings"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/testitem"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// methodTestItems returns the test tree of a document.
const methodTestItems = "rubric/testItems"

// testItemsParams name a document, or some of its cases.
type testItemsParams struct {
	documentParams
	testitem.Selection
}

// testItems returns the test tree of a document and whom a run would ask, or null without cases.
func testItems(ctx context.Context, s *snapshot, p *testItemsParams) (*testitem.Item, error) {
	d := s.EvalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	root := testitem.Tree(s.openFile(d), p.Selection)
	if root != nil {
		root.Run = s.runNames(ctx, d)
	}
	return root, nil
}

// runNames returns whom a run of a document would ask. The definition of a target can name its judge;
// definitions are read only where the workspace is trusted.
func (s *snapshot) runNames(ctx context.Context, d *cache.Document) *ide.RunNames {
	config := s.ConfigOf(s.RunSettings, d)
	if e := s.Evaluation(d); e != nil && !e.AsksAgent() {
		return ide.NewRunNames(e.Conversations().Source, config.Judge)
	}
	if host, err := s.permittedHost(); err == nil && s.Client.TrustsFiles && config.Target != run.SelfTargetName {
		opened, err := s.openRun(ctx, host, runRequest{doc: d, settings: s.RunSettings, client: s.Client}, s.RunnableSuite(d), &run.Plan{})
		if err == nil {
			defer opened.Close()
			return ide.NewRunNames(opened.TargetName, opened.JudgeName)
		}
	}
	return ide.NewRunNames(config.Target, config.Judge)
}

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
