package lsp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide/lens"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// Commands without a code lens.
const (
	rejudgeCommand = "rubric.rejudge"
	scoreCommand   = "rubric.score"
	compareCommand = "rubric.compare"
)

// commands lists the commands that clients may execute. The argument of each is decoded like a request's parameters.
func commands() []route {
	return []route{
		request(lens.RunCaseCommand, runCommand(true), nil),
		request(lens.RunFileCommand, runCommand(false), nil),
		request(lens.DryRunCommand, dryRun, nil),
		request(rejudgeCommand, rejudge, nil),
		request(lens.CancelCommand, func(_ context.Context, s *snapshot, p *cancelParams) (*cancelResult, error) {
			return &cancelResult{s.session.jobs.cancel(p.Job)}, nil
		}, nil),
		request(scoreCommand, scoreTyped, nil),
		request(compareCommand, compareRuns, nil),
		request(lens.GenerateCommand, generate, nil),
		request(lens.MeasureCommand, measureRecording, nil),
	}
}

func offerCommands(o *protocol.ServerCapabilities, _ *cache.Client) {
	o.ExecuteCommandProvider = protocol.ExecuteCommandOptions{Commands: generic.Map(commands(), func(c route) string { return c.method })}
}

// executeCommand runs a command for the user.
func executeCommand(ctx context.Context, s *snapshot, p *protocol.ExecuteCommandParams) (any, error) {
	argument := []byte("{}")
	if len(p.Arguments) > 0 {
		argument = p.Arguments[0]
	}
	var names []string
	for _, c := range commands() {
		if c.method == p.Command {
			return c.handle(ctx, s, argument)
		}
		names = append(names, c.method)
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no command `%s`%s", p.Command, spell.DidYouMean(p.Command, names))
}

// runCommand returns the command that runs a file, or with single one case.
func runCommand(single bool) func(context.Context, *snapshot, *commandArgument) (*jobStarted, error) {
	return func(_ context.Context, s *snapshot, p *commandArgument) (*jobStarted, error) {
		return s.startRun(p, runRequest{}, single)
	}
}

// measureRecording measures an evalset on a recording next to it, now and in later runs. Without one, it no
// longer does.
func measureRecording(_ context.Context, s *snapshot, p *commandArgument) (*jobStarted, error) {
	s.session.ChooseRecording(p.URI, p.Recorded)
	if p.Recorded == "" {
		return nil, nil
	}
	return s.session.snapshot().startRun(&commandArgument{URI: p.URI}, runRequest{}, false)
}

// rejudge judges the answers of the last run again: of a file, a case or one criterion.
func rejudge(_ context.Context, s *snapshot, p *commandArgument) (*jobStarted, error) {
	return s.startRun(p, runRequest{rejudge: true}, p.Criterion != "")
}

// startRun starts a job that runs what the argument of a command names: a file, or with single one case.
func (s *snapshot) startRun(p *commandArgument, req runRequest, single bool) (*jobStarted, error) {
	d, err := s.loadDocument(p.URI)
	if err != nil {
		return nil, err
	}
	req.doc, req.evaluation, req.client, req.settings = d, s.Evaluation(d), s.Client, s.RunSettings
	if p.Settings != nil {
		if req.settings, _ = run.ReadSettings(settingsSection, p.Settings); !s.Client.IsTrusted {
			req.settings = req.settings.Untrusted()
		}
	}
	if p.Samples > 0 {
		if err := run.FindOption("samples").Set(&req.settings, "`samples`", p.Samples); err != nil {
			return nil, requestFailed(err)
		}
	}
	if err = req.selectCases(s, p.Case, single); err != nil {
		return nil, err
	}
	req.config = s.ConfigOf(req.settings, d)
	file, err := s.RunFile(d, nil, req.cases)
	if _, untrusted := s.permittedHost(); untrusted != nil {
		err = file.NotTrusted() // first, because nothing can run whatever the files name
	}
	if err != nil {
		return nil, requestFailed(err)
	}
	if req.rejudge && p.Criterion != "" { // the new grade joins the other grades of the same answer
		if req.criterion, err = findCriterion(req.cases[0], p); err != nil {
			return nil, err
		}
		if last := s.session.Results.Get(d.URI, p.Case); last == nil || last.Inputs.Config.Judge != req.config.Judge {
			req.criterion = run.GradeKey{} // grades of different judges must not mix
		}
	}
	if req.skipReasons, err = s.caseErrors(d, req.cases); err != nil {
		return nil, requestFailed(err)
	}
	req.cases = slices.DeleteFunc(slices.Clone(req.cases), func(c *rubric.Case) bool { return req.skipReasons[c.ID] != "" })
	if len(req.cases) == 0 {
		return nil, requestFailed(fmt.Errorf("cannot run; fix this error first: %s", req.skipReasons[slices.Sorted(maps.Keys(req.skipReasons))[0]]))
	}
	return &jobStarted{req.start(s.session).id}, nil
}

// findCriterion returns a criterion of a case, in the named grader if one is named.
func findCriterion(c *rubric.Case, p *commandArgument) (found run.GradeKey, err error) {
	var ids []string
	for g := range rubric.Walk(c.Graders) {
		for _, criterion := range g.Criteria {
			ids = append(ids, criterion.ID)
			if criterion.ID == p.Criterion && (p.Grader == "" || p.Grader == g.Name) && found.Criterion == "" {
				found = run.GradeKey{Grader: g.Name, Criterion: criterion.ID}
			}
		}
	}
	if found.Criterion == "" {
		err = requestFailed(fmt.Errorf("the case `%s` has no criterion `%s`%s", c.ID, p.Criterion, spell.DidYouMean(p.Criterion, ids)))
	}
	return found, err
}

// cancelResult lists the jobs that a cancellation stopped.
type cancelResult struct {
	Jobs []string `json:"jobs"`
}

// cancelParams names a job; "" means all jobs.
type cancelParams struct {
	Job string `json:"job"`
}

// cancelProgress cancels the job of a progress token.
func cancelProgress(s *session, p *protocol.WorkDoneProgressCancelParams) error {
	if token, ok := p.Token.(protocol.String); ok && token != "" {
		s.jobs.cancel(string(token))
	}
	return nil
}

// commandArgument is the file, case or criterion that a command applies to: the only argument of most
// commands.
type commandArgument struct {
	URI       uri.URI `json:"uri"`
	Case      string  `json:"case,omitzero"`
	Grader    string  `json:"grader,omitzero"`
	Criterion string  `json:"criterion,omitzero"`
	Recorded  string  `json:"recorded,omitzero"` // a file of recorded conversations next to an evalset
	// Samples overrides how often the judge is asked for each judgement; 0 means as the settings
	// say.
	Samples int `json:"samples,omitzero"`
	// Settings, if present, are the client's settings, which may be newer than those that it has sent.
	Settings settings `json:"settings,omitzero"`
}

// loadDocument returns the document of a command's argument, from the open documents or from disk.
func (s *snapshot) loadDocument(u uri.URI) (*cache.Document, error) {
	d, err := s.LoadDocument(u)
	if u == "" {
		err = errors.New("the command needs a file as its argument, such as {\"uri\": \"file:///evals/a.eval.yaml\"}")
	}
	if err != nil {
		return nil, requestFailed(err)
	}
	return d, nil
}

// selectCases returns the case of suite with an id, or all cases if id is "" and single is not set.
func selectCases(d *cache.Document, suite *rubric.Suite, id string, single bool) ([]*rubric.Case, error) {
	cases := suite.Cases
	if id == "" && !single {
		if len(cases) == 0 {
			return nil, requestFailed(fmt.Errorf("`%s` has no cases to run", uri.Basename(d.URI)))
		}
		return cases, nil
	}
	if c := suite.Case(id); c != nil {
		return []*rubric.Case{c}, nil
	}
	return nil, requestFailed(fmt.Errorf("there is no case `%s`%s", id, spell.DidYouMean(id, suite.CaseIDs())))
}

// requestFailed is the error of a request that was understood but cannot be carried out.
func requestFailed(err error) error {
	return jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "%v", err)
}

// openEvalFile returns an open eval file, or an error for the user.
func (s *snapshot) openEvalFile(u uri.URI) (*cache.Document, error) {
	if d := s.EvalDocument(u); d != nil {
		return d, nil
	}
	return nil, requestFailed(fmt.Errorf("`%s` is not open or is not an eval file", u))
}

// documentParams names a document.
type documentParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
}

// jobStarted is the result of a command that started a job.
type jobStarted struct {
	Job string `json:"job"`
}
