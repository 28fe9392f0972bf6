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

// target is what a command is about: a file, a case of it, or a criterion of
// that. It is the only argument of most commands.
type target struct {
	URI       uri.URI `json:"uri"`
	Case      string  `json:"case,omitzero"`
	Grader    string  `json:"grader,omitzero"`
	Criterion string  `json:"criterion,omitzero"`
	// Samples is how often the judge is asked for each judgement, if not as often as
	// the settings say.
	Samples int `json:"samples,omitzero"`
}

// argument is a command's argument on the wire.
func argument(t target) protocol.LSPAny {
	encoded, err := codec{}.Marshal(&t)
	if err != nil { // a struct of strings
		panic(err)
	}
	return encoded
}

// command is one that clients may have executed.
type command struct {
	name string
	do   func(ctx context.Context, at *Snapshot, argument []byte) (any, error)
}

func commands() []command {
	return []command{
		about(assist.RunCase, runCase),
		about(assist.RunFile, runFile),
		about(assist.DryRun, dryRun),
		about(rejudgeCommand, rejudge),
		about(cancelCommand, cancelRun),
		about(scoreCommand, scoreTyped),
		about(assist.Generate, generate),
	}
}

// about is a command whose argument is read into a P.
func about[P, R any](name string, do func(context.Context, *Snapshot, *P) (R, error)) command {
	return command{name, func(ctx context.Context, at *Snapshot, argument []byte) (any, error) {
		p, err := decode[P](argument)
		if err != nil {
			return nil, err
		}
		return do(ctx, at, p)
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
func executeCommand(ctx context.Context, at *Snapshot, p *protocol.ExecuteCommandParams) (any, error) {
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
			return c.do(ctx, at, argument)
		}
		names = append(names, c.name)
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no command `%s`%s", p.Command, spell.DidYouMean(p.Command, names))
}

// started is the answer to a command that a job was begun for.
type started struct {
	Job string `json:"job"`
}

func runFile(_ context.Context, at *Snapshot, p *target) (*started, error) {
	return at.start(p, order{}, false)
}

func runCase(_ context.Context, at *Snapshot, p *target) (*started, error) {
	return at.start(p, order{}, true)
}

// rejudge judges again what was answered in the last run: of a file, a case, or
// one criterion.
func rejudge(_ context.Context, at *Snapshot, p *target) (*started, error) {
	return at.start(p, order{again: true}, p.Criterion != "")
}

// start begins to run what a command is about.
func (at *Snapshot) start(p *target, o order, one bool) (*started, error) {
	if _, err := at.allowed(); err != nil {
		return nil, refuse(err)
	}
	d, err := at.file(p.URI)
	if err != nil {
		return nil, err
	}
	o.doc, o.trial, o.client, o.how = d, at.trial(d), at.client, at.Running
	if p.Samples > 0 {
		o.how.Samples = min(p.Samples, mostSamples)
	}
	if o.cases, err = d.chosenIn(at.suite(d), p.Case, one); err != nil {
		return nil, err
	}
	if o.again && p.Criterion != "" { // its grade is put beside the others' of the same answer
		if o.only, err = criterionIn(o.cases[0], p); err != nil {
			return nil, err
		}
		if last := at.session.results.get(d.URI, p.Case); last == nil || last.way.judge != o.how.Judge {
			o.only = run.Part{} // what another judge said of the others does not go with it
		}
	}
	if o.faults, err = at.faults(d, o.cases); err != nil {
		return nil, refuse(err)
	}
	o.cases = slices.DeleteFunc(slices.Clone(o.cases), func(c *rubric.Case) bool { return o.faults[c.ID] != "" })
	if len(o.cases) == 0 {
		return nil, refuse(fmt.Errorf("nothing is run while there is an error: %s", o.faults[slices.Sorted(maps.Keys(o.faults))[0]]))
	}
	return &started{o.begin(at.session).id}, nil
}

// criterionIn is a criterion of a case, and of one of its graders where that is
// named.
func criterionIn(c *rubric.Case, p *target) (found run.Part, err error) {
	var ids []string
	var look func([]*rubric.Grader)
	look = func(graders []*rubric.Grader) {
		for _, g := range graders {
			for _, criterion := range g.Criteria {
				ids = append(ids, criterion.ID)
				if criterion.ID == p.Criterion && (p.Grader == "" || p.Grader == g.Name) && found.Criterion == "" {
					found = run.Part{Grader: g.Name, Criterion: criterion.ID}
				}
			}
			look(g.Members)
		}
	}
	if look(c.Graders); found.Criterion == "" {
		err = refuse(fmt.Errorf("the case `%s` has no criterion `%s`%s", c.ID, p.Criterion, spell.DidYouMean(p.Criterion, ids)))
	}
	return found, err
}

// cancelled is the answer to a cancellation: the jobs that it stopped.
type cancelled struct {
	Jobs []string `json:"jobs"`
}

// cancelParams names a job; without it all of them are meant.
type cancelParams struct {
	Job string `json:"job"`
}

func cancelRun(_ context.Context, at *Snapshot, p *cancelParams) (*cancelled, error) {
	return &cancelled{at.session.jobs.stop(p.Job)}, nil
}

// file is the document that a command is about, open or on disk.
func (at *Snapshot) file(u uri.URI) (*Document, error) {
	if d := at.Documents[u]; d != nil {
		return d, nil
	}
	s := at.session
	if s.disk.Read == nil || !u.IsFile() {
		return nil, refuse(fmt.Errorf("`%s` is not open", u))
	}
	body, err := s.disk.Read(u.FsPath())
	if err != nil {
		return nil, refuse(err)
	}
	u = uri.URI(strings.Clone(string(u))) // results are kept by it
	return open(u, 0, body, s.look(u)), nil
}

// chosen are the cases of a document that an id is of, or all.
func (d *Document) chosen(id string, one bool) ([]*rubric.Case, error) {
	return d.chosenIn(d.Suite(), id, one)
}

// chosenIn is chosen of what can be run in the document.
func (d *Document) chosenIn(suite *rubric.Suite, id string, one bool) ([]*rubric.Case, error) {
	cases := suite.Cases
	if id == "" && !one {
		if len(cases) == 0 {
			return nil, refuse(fmt.Errorf("`%s` has no cases to run", uri.Basename(d.URI)))
		}
		return cases, nil
	}
	if c := suite.Case(id); c != nil {
		return []*rubric.Case{c}, nil
	}
	return nil, refuse(fmt.Errorf("there is no case `%s`%s", id, spell.DidYouMean(id, suite.IDs())))
}

// refuse is the answer to a command that cannot be followed.
func refuse(err error) error {
	return jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "%v", err)
}
