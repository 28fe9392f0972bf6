package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
)

// The commands that no lens has.
const (
	rejudgeCommand = "rubric.rejudge"
	cancelCommand  = "rubric.cancelRun"
	scoreCommand   = "rubric.score"
)

// commandTarget is what a command is about: a file, a case of it, or a criterion of
// that. It is the only argument of most commands.
type commandTarget struct {
	URI       uri.URI `json:"uri"`
	Case      string  `json:"case,omitzero"`
	Grader    string  `json:"grader,omitzero"`
	Criterion string  `json:"criterion,omitzero"`
	// Samples is how often the judge is asked for each judgement, if not as often as
	// the settings say.
	Samples int `json:"samples,omitzero"`
}

// encodeTarget is a command's argument on the wire.
func encodeTarget(t commandTarget) protocol.LSPAny {
	encoded, err := codec{}.Marshal(&t)
	if err != nil { // a struct of strings
		panic(err)
	}
	return encoded
}

// command is one that clients may have executed.
type command struct {
	name    string
	execute func(ctx context.Context, at *snapshot, argument []byte) (any, error)
}

func commands() []command {
	return []command{
		newCommand(assist.RunCaseCommand, runCase),
		newCommand(assist.RunFileCommand, runFile),
		newCommand(assist.DryRunCommand, dryRun),
		newCommand(rejudgeCommand, rejudge),
		newCommand(cancelCommand, cancelRun),
		newCommand(scoreCommand, scoreTyped),
		newCommand(assist.GenerateCommand, generate),
	}
}

// newCommand is a command whose argument is read into a P.
func newCommand[P, R any](name string, execute func(context.Context, *snapshot, *P) (R, error)) command {
	return command{name, func(ctx context.Context, at *snapshot, argument []byte) (any, error) {
		p, err := decodeParams[P](argument)
		if err != nil {
			return nil, err
		}
		return execute(ctx, at, p)
	}}
}

func offerCommands(o *protocol.ServerCapabilities, _ *client) {
	names := []string{}
	for _, c := range commands() {
		names = append(names, c.name)
	}
	o.ExecuteCommandProvider = protocol.ExecuteCommandOptions{Commands: names}
}

// executeCommand does what a person has asked for.
func executeCommand(ctx context.Context, s *snapshot, p *protocol.ExecuteCommandParams) (any, error) {
	var argument []byte
	switch {
	case len(p.Arguments) > 0:
		argument = p.Arguments[0]
	case p.Command == cancelCommand: // of all jobs
		argument = []byte("{}")
	}
	var names []string
	for _, c := range commands() {
		if c.name == p.Command {
			return c.execute(ctx, s, argument)
		}
		names = append(names, c.name)
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no command `%s`%s", p.Command, spell.DidYouMean(p.Command, names))
}

// jobStarted is the answer to a command that a job was begun for.
type jobStarted struct {
	Job string `json:"job"`
}

func runFile(_ context.Context, s *snapshot, p *commandTarget) (*jobStarted, error) {
	return s.startRun(p, runRequest{}, false)
}

func runCase(_ context.Context, s *snapshot, p *commandTarget) (*jobStarted, error) {
	return s.startRun(p, runRequest{}, true)
}

// rejudge judges again what was answered in the last run: of a file, a case, or
// one criterion.
func rejudge(_ context.Context, s *snapshot, p *commandTarget) (*jobStarted, error) {
	return s.startRun(p, runRequest{rejudge: true}, p.Criterion != "")
}

// startRun begins to run what a command is about.
func (s *snapshot) startRun(p *commandTarget, req runRequest, single bool) (*jobStarted, error) {
	if _, err := s.permittedHost(); err != nil {
		return nil, requestFailed(err)
	}
	d, err := s.loadDocument(p.URI)
	if err != nil {
		return nil, err
	}
	req.doc, req.evaluation, req.client, req.settings = d, s.evaluation(d), s.client, s.RunSettings
	if p.Samples > 0 {
		req.settings.Samples = min(p.Samples, maxSamples)
	}
	if req.cases, err = d.selectCasesIn(s.runnableSuite(d), p.Case, single); err != nil {
		return nil, err
	}
	if req.rejudge && p.Criterion != "" { // its grade is put beside the others' of the same answer
		if req.criterion, err = findCriterion(req.cases[0], p); err != nil {
			return nil, err
		}
		if last := s.session.results.get(d.URI, p.Case); last == nil || last.config.judge != req.settings.Judge {
			req.criterion = run.GradeKey{} // what another judge said of the others does not go with it
		}
	}
	if req.skipReasons, err = s.caseErrors(d, req.cases); err != nil {
		return nil, requestFailed(err)
	}
	req.cases = slices.DeleteFunc(slices.Clone(req.cases), func(c *rubric.Case) bool { return req.skipReasons[c.ID] != "" })
	if len(req.cases) == 0 {
		return nil, requestFailed(fmt.Errorf("nothing is run while there is an error: %s", req.skipReasons[slices.Sorted(maps.Keys(req.skipReasons))[0]]))
	}
	return &jobStarted{req.start(s.session).id}, nil
}

// findCriterion is a criterion of a case, and of one of its graders where that is
// named.
func findCriterion(c *rubric.Case, p *commandTarget) (found run.GradeKey, err error) {
	var ids []string
	var visit func([]*rubric.Grader)
	visit = func(graders []*rubric.Grader) {
		for _, g := range graders {
			for _, criterion := range g.Criteria {
				ids = append(ids, criterion.ID)
				if criterion.ID == p.Criterion && (p.Grader == "" || p.Grader == g.Name) && found.Criterion == "" {
					found = run.GradeKey{Grader: g.Name, Criterion: criterion.ID}
				}
			}
			visit(g.Members)
		}
	}
	if visit(c.Graders); found.Criterion == "" {
		err = requestFailed(fmt.Errorf("the case `%s` has no criterion `%s`%s", c.ID, p.Criterion, spell.DidYouMean(p.Criterion, ids)))
	}
	return found, err
}

// cancelResult is the answer to a cancellation: the jobs that it stopped.
type cancelResult struct {
	Jobs []string `json:"jobs"`
}

// cancelParams names a job; without it all of them are meant.
type cancelParams struct {
	Job string `json:"job"`
}

func cancelRun(_ context.Context, s *snapshot, p *cancelParams) (*cancelResult, error) {
	return &cancelResult{s.session.jobs.cancel(p.Job)}, nil
}

// loadDocument is the document that a command is about, open or on disk.
func (s *snapshot) loadDocument(u uri.URI) (*document, error) {
	if d := s.Documents[u]; d != nil {
		return d, nil
	}
	sess := s.session
	if sess.disk.ReadFile == nil || !u.IsFile() {
		return nil, requestFailed(fmt.Errorf("`%s` is not open", u))
	}
	body, err := sess.disk.ReadFile(u.FsPath())
	if err != nil {
		return nil, requestFailed(err)
	}
	u = uri.URI(strings.Clone(string(u))) // results are kept by it
	return newDocument(u, 0, body, sess.loadDependencies(u)), nil
}

// selectCases are the cases of a document that an id is of, or all.
func (d *document) selectCases(id string, single bool) ([]*rubric.Case, error) {
	return d.selectCasesIn(d.Suite(), id, single)
}

// selectCasesIn is chosen of what can be run in the document.
func (d *document) selectCasesIn(suite *rubric.Suite, id string, single bool) ([]*rubric.Case, error) {
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

// requestFailed is the answer to a command that cannot be followed.
func requestFailed(err error) error {
	return jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "%v", err)
}
