package api

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// planParams are a file, or one of its cases, and the settings of an editor that would run it where
// no program can start.
type planParams struct {
	caseParams
	Settings  map[string]any `json:"settings,omitempty"`  // under `rubric`, as in VS Code
	Project   string         `json:"project,omitempty"`   // the text of the .rubric.yaml that applies
	Untrusted bool           `json:"untrusted,omitempty"` // the user does not trust the workspace
	evaluationFiles
}

// RunPlan says what a run would do, or why it would not start. Settings are parameters for `run`.
type RunPlan struct {
	run.Preview
	Settings PlannedSettings `json:"settings"`
	Refused  string          `json:"refused,omitempty"`
	Label    string          `json:"label"` // target and judge in a few words
}

// PlannedSettings are what settings and files say about a run, as parameters for `run`.
type PlannedSettings struct {
	Judge     string        `json:"judge"`
	Samples   int           `json:"samples,omitempty"` // 0 means as the metrics say
	Profile   score.Profile `json:"profile"`
	Threshold float64       `json:"threshold,omitempty"`
}

func planRun(d document, p planParams) (RunPlan, error) {
	given, problems := run.ReadSettings("rubric", p.Settings)
	file, cases, err := p.runFile(d)
	if err != nil {
		return RunPlan{}, err
	}
	resolved := file.Settings(given)
	if c := file.Conversations; c != nil && c.Source == adk.SelfTarget { // a recording needs no agent
		c.AsksAgent = resolved.AsksAgent(nil)
	}
	result := RunPlan{
		Preview:  run.Preview{Target: resolved.Targets[0], Trusted: !p.Untrusted, Cases: []run.PreviewCase{}, Errors: []string{}, Notes: problems},
		Settings: PlannedSettings{Judge: resolved.Judges[0], Profile: resolved.Profile, Threshold: resolved.Threshold},
	}
	result.Judge = result.Settings.Judge
	if file.Conversations == nil || given.IsSet("samples") {
		result.Settings.Samples = resolved.Samples
	}
	plan := &run.Plan{}
	opened, err := run.Open(context.Background(), pageHost(plan), given, file)
	switch {
	case p.Untrusted:
		err = file.NotTrusted()
	case err == nil:
		defer opened.Close()
		err = runError(d.Analysis, file.Suite, "")
	}
	if err != nil {
		result.Refused = run.WithAdvice(err, "rubric.").Error()
		result.Errors = append(result.Errors, result.Refused)
	}
	faults := map[string]string{}
	for id, found := range analysis.FindRunErrors(func() *rubric.Suite { return file.Suite }, d.Diagnostics()).Cases {
		faults[id] = found[0].Message
	}
	runnable := result.AddCases(cases, faults)
	if len(runnable) == 0 && result.Refused == "" {
		result.Refused = "there is no case to run"
		if len(result.Errors) > 0 {
			result.Refused = "cannot run; fix this error first: " + result.Skipped[0].Reason
		}
	}
	if opened != nil {
		for i, c := range runnable {
			runnable[i] = withoutEnvironment(file.Suite, c)
		}
		result.AddRun(context.Background(), plan, opened, runnable)
	}
	names := ide.NewRunNames(result.Target, result.Judge)
	result.Label = names.Label
	storeRunNames(p.Document, names)
	return result, nil
}

// runFile returns a document, or one of its cases, as a file to run, with what it and its project
// name.
func (p planParams) runFile(d document) (file run.File, cases []*rubric.Case, err error) {
	file = run.File{Name: path.Base(d.Source().Name), Suite: d.Suite()}
	file.Path = file.Name
	names := file.Path
	if d.ADK().IsMeasured() {
		if file, err = (runParams{evaluationFiles: p.evaluationFiles}).evaluationFile(d, file); err != nil {
			return file, nil, err
		}
		names = adk.ConfigName
	}
	if cases = file.Suite.Cases; p.Case != "" {
		c, err := findInSuite(file.Suite, p.Case)
		if err != nil {
			return file, nil, err
		}
		cases = []*rubric.Case{c}
	}
	tree := yaml.Parse(text.New(".rubric.yaml", p.Project))
	file.Project, err = run.ReadProject(tree.Source.Name, func(o run.Option) (any, int) { return lint.ConfigValue(tree, o.Key(), o.Type() == "string") })
	if err != nil {
		return file, nil, failf(Refused, ".rubric.yaml: %s", err)
	}
	if err = file.SetNames(names, d.Targets(), cases); err != nil {
		return file, nil, failf(Refused, "%s", err)
	}
	return file, cases, nil
}

// pageHost returns the host of a plan where no program can start and only the editor's model can be
// asked.
func pageHost(plan *run.Plan) run.Host {
	return run.Host{
		Plan: plan, Schema: graderSchema,
		OpenTarget: func(context.Context, string, string) (opened run.OpenedTarget, err error) {
			return opened, errors.New("no target is available in the browser")
		},
		OpenJudge: func(_ context.Context, _, name string) (run.OpenedJudge, error) {
			if name != run.EditorJudgeName {
				return run.OpenedJudge{}, fmt.Errorf("`%s` is not available in the browser; choose `%s`, or `%s`, the editor's own model", name, offline.Name, run.EditorJudgeName)
			}
			return run.OpenedJudge{Judge: plan.Judge(nil)}, nil
		},
	}
}
