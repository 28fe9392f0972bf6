package cache

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// RunFile describes a run of some cases of a document for [run.Open], with the targets and judges that
// the document and its project name. It runs nothing.
func (s *Snapshot) RunFile(d *Document, suite *rubric.Suite, cases []*rubric.Case) (run.File, error) {
	f := run.File{Path: PathOf(d.URI), Name: s.displayPath(d.URI), Suite: suite, Project: d.deps.project.Run}
	path := f.Path
	if e := s.Evaluation(d); e != nil {
		f.Conversations, path = e.Conversations(), filepath.Join(filepath.Dir(f.Path), adk.ConfigName)
	}
	return f, cmp.Or(d.deps.projectErr, f.SetNames(path, d.Targets(), cases))
}

// TargetSeparator separates the targets that a file names. A run asks the one that the user chooses.
const TargetSeparator = ", "

// ConfigOf returns who answers and who judges a document's cases, as the settings and the files say.
// An ADK evalset has no target, because the conversations are part of it, unless it asks an agent.
func (s *Snapshot) ConfigOf(given run.Settings, d *Document) RunConfig {
	file, _ := s.RunFile(d, nil, nil) // a run reports the error
	settings := file.Settings(given)
	judges := strings.Join(settings.Judges, run.PanelSeparator)
	if c := file.Conversations; c != nil {
		target := run.SelfTargetName
		if c.AsksAgent {
			target = strings.Join(settings.Targets, TargetSeparator)
		}
		return RunConfig{target, judges, settings.Moderation, "", settings.Threshold}
	}
	return RunConfig{strings.Join(settings.Targets, TargetSeparator), judges, "", settings.Profile, settings.Threshold}
}

// Evaluation returns the evaluation of a document, or nil for other dialects.
func (s *Snapshot) Evaluation(d *Document) *Evaluation {
	switch d.ADK() {
	case adk.EvalSet, adk.Older, adk.Turns, adk.Results:
	default:
		return nil
	}
	recorded := s.recordedFor(d)
	// A recording is measured, unless the settings name an agent too and the user has not chosen it.
	asksAgent := s.recordings[d.URI] == "" && s.RunSettings.Or(d.deps.project.Run.Settings).AsksAgent(d.deps.isAgent) && (recorded == "" || s.RunSettings.IsSet("target"))
	inputs := d.deps.evalsetInputs(recorded)
	if e := d.evaluation.Load(); e != nil && e.evalsetInputs == inputs && e.asked == asksAgent {
		return e
	}
	e := newEvaluation(d.Analysis, &d.deps.environment, inputs, asksAgent)
	d.evaluation.Store(e)
	return e
}

// CanAnswer reports whether a run of a document can ask a target. Conversations of an evalset are held
// with agents only.
func (s *Snapshot) CanAnswer(d *Document, target string) bool {
	return s.Evaluation(d) == nil || d.deps.isAgent(target)
}

// RunnableSuite returns the cases of a document that can run.
func (s *Snapshot) RunnableSuite(d *Document) *rubric.Suite {
	if e := s.Evaluation(d); e != nil {
		return e.Suite
	}
	return d.Suite()
}

// EvaluationError returns why an evalset cannot be evaluated although its own file has no error.
func (s *Snapshot) EvaluationError(d *Document) error {
	e := s.Evaluation(d)
	if e == nil {
		return nil
	}
	body, configured := d.deps.configFile()
	if !configured {
		return e.err
	}
	u := uri.File(filepath.Join(filepath.Dir(d.URI.FsPath()), adk.ConfigName))
	for _, found := range s.shared.loadDependencies(u).analyse(body).Diagnostics() {
		if found.Severity == diag.Error {
			return fmt.Errorf("cannot run; fix this error in `%s` first: %s", adk.ConfigName, found.Message)
		}
	}
	return e.err
}

// Inputs returns a function that says what a run of a case would depend on now.
func (s *Snapshot) Inputs(d *Document) func(*rubric.Case) Inputs {
	config := s.ConfigOf(s.RunSettings, d)
	return func(c *rubric.Case) Inputs { return d.InputsOf(config.For(c, s.RunSettings), c) }
}
