package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// runRequest says what to run.
type runRequest struct {
	doc         *cache.Document
	evaluation  *cache.Evaluation // of doc, if it is an evalset
	cases       []*rubric.Case    // cases of doc before file references are loaded
	named       string            // id of the case that the request names; "" for all
	target      string            // that the user chose of several that the files name
	neededBy    map[string]string // of cases that are run because another depends on them, by id
	criterion   run.GradeKey      // if set, grade only this criterion of the one case
	rejudge     bool              // judge the last answers again, without asking the target
	skipReasons map[string]string // why other cases of doc do not run, by case id
	settings    run.Settings
	config      cache.RunConfig
	client      *cache.Client
}

// notes returns what the user should know before the run.
func (r runRequest) notes(s *snapshot) (notes []string) {
	if r.evaluation != nil {
		notes = r.evaluation.Messages()
	}
	if file, err := s.RunFile(r.doc, nil, r.cases); err == nil && !r.client.IsTrusted && file.NamedByFiles() != "" {
		notes = append(notes, file.NamedByFiles()+", which is not asked, because this workspace is not trusted")
	}
	return append(notes, run.DependencyNotes(r.neededBy)...)
}

// selectCases selects the cases to run: the whole file's, or with single one case. Those that they depend
// on are run, too, unless the answers exist.
func (r *runRequest) selectCases(s *snapshot, id string, single bool) error {
	suite := s.RunnableSuite(r.doc)
	cases, err := selectCases(r.doc, suite, id, single)
	if r.cases, r.named = cases, id; err == nil && !r.rejudge {
		r.cases, r.neededBy = run.WithDependencies(suite.Cases, func(c *rubric.Case) bool { return slices.Contains(cases, c) })
	}
	return err
}

// chooseTarget lets the user choose which of several targets answers, because a case has one result here.
// Earlier answers need none of them.
func (r *runRequest) chooseTarget(ctx context.Context, s *snapshot) error {
	file, err := s.RunFile(r.doc, nil, r.cases)
	names := file.Settings(r.settings).Targets
	switch {
	case err != nil || len(names) < 2 || r.evaluation != nil && !r.evaluation.AsksAgent():
		return nil // opening the run reports the error
	case r.rejudge:
		r.target = names[0]
		return nil
	}
	question := &protocol.ShowMessageRequestParams{Type: protocol.MessageTypeInfo, Message: "Rubric: which target answers?"}
	question.Actions = append(question.Actions, generic.Map(names, func(name string) protocol.MessageActionItem { return protocol.MessageActionItem{Title: name} })...)
	var chosen *protocol.MessageActionItem
	if err := r.client.Call(ctx, protocol.MethodWindowShowMessageRequest, question, &chosen); err != nil {
		return nil // the client cannot ask; opening the run says that there are several
	}
	if chosen == nil {
		return errors.New("nothing is run: you have not chosen a target")
	}
	r.target, r.config.Target = chosen.Title, chosen.Title
	return nil
}

// openRun opens what the run of a request's suite needs, or with a plan, what planning it needs. A
// run needs the user's consent to what files name.
func (s *snapshot) openRun(ctx context.Context, host Host, r runRequest, suite *rubric.Suite, plan *run.Plan) (*run.Run, error) {
	ctx = withKeyClient(ctx, r.client)
	file, err := s.RunFile(r.doc, suite, r.cases)
	file.Target = r.target
	if err == nil && plan == nil {
		err = s.requireConsent(ctx, host, r, file)
	}
	if err != nil {
		return nil, editorError(err)
	}
	ports, err := s.hostFor(host, r, file, plan)
	if err != nil {
		return nil, err
	}
	opened, err := run.Open(ctx, ports, r.settings, file)
	return opened, editorError(err)
}

// editorError adds to an error which setting to change.
func editorError(err error) error {
	if err == nil {
		return nil
	}
	return run.WithAdvice(err, settingsSection+".")
}

// caseErrors returns the errors that keep some cases from running, by case id. An error outside all
// cases keeps the whole file from running.
func (s *snapshot) caseErrors(d *cache.Document, cases []*rubric.Case) (map[string]string, error) {
	if err := s.EvaluationError(d); err != nil {
		return nil, err
	}
	if sidecar := d.Sidecar(); sidecar != nil {
		if errs := analysis.FindRunErrors(sidecar.Suite, sidecar.Diagnostics()); len(errs.File) > 0 {
			return nil, fmt.Errorf("cannot run; fix this error in the YAML file of the same name first: %s", errs.File[0].Message)
		}
	}
	errs := analysis.FindRunErrors(func() *rubric.Suite { return s.RunnableSuite(d) }, d.Diagnostics())
	if len(errs.File) > 0 {
		return nil, fmt.Errorf("cannot run; fix this error in the file first: %s", errs.File[0].Message)
	}
	reasons := map[string]string{}
	for _, c := range cases {
		if found := errs.Cases[c.ID]; found != nil {
			reasons[c.ID] = found[0].Message
		}
	}
	return reasons, nil
}

// hostFor returns what a run of a file may use, or with a plan, what planning it needs. A document
// that is not on this machine has no programs.
func (s *snapshot) hostFor(host Host, r runRequest, file run.File, plan *run.Plan) (run.Host, error) {
	if host.ForRun != nil {
		limited, err := host.ForRun(file.Path, file.Settings(r.settings), plan)
		if err != nil {
			return run.Host{}, err
		}
		host.Host = limited
	} else if plan != nil { // nothing of a host that does not plan is opened
		host.Host = run.Host{Plan: plan}
	}
	if !r.doc.URI.IsFile() {
		host.Exec, host.Sandbox = nil, nil
	}
	return host.withEditor(r.client), nil
}

// requireConsent returns an error unless the user has consented to what files name for a run. The
// trust of a workspace is a consent.
func (s *snapshot) requireConsent(ctx context.Context, host Host, r runRequest, file run.File) error {
	if r.client.TrustsFiles {
		return nil
	}
	ports, err := s.hostFor(host, r, file, &run.Plan{})
	if err != nil {
		return err
	}
	uses, err := run.FindUses(ctx, ports, r.settings, file)
	if err != nil || len(uses) == 0 {
		return err
	}
	var ask func() error
	if r.client.CanTrust {
		ask = func() error { return askTrust(ctx, r.client, uses, file.Project.Path) }
	}
	switch {
	case host.CheckConsent != nil:
		return host.CheckConsent(file.Path, uses, ask)
	case ask != nil:
		return ask()
	}
	return errors.New("nothing is run: " + uses[0].String() + ", and this needs your consent")
}

// methodTrust asks the client whether its user allows what files name to run.
const methodTrust = "rubric/trust"

// trustParams lists the files that define what would run, and what that is, in sentences.
type trustParams struct {
	Files []string `json:"files"`
	Uses  []string `json:"uses"`
}

// trustResult is the user's decision.
type trustResult struct {
	Trusted bool `json:"trusted"`
}

// askTrust returns an error unless the user allows the uses. The files to trust are those that
// define what runs, and the project's settings if they name it.
func askTrust(ctx context.Context, c *cache.Client, uses []run.Use, projectSettings string) error {
	params := &trustParams{}
	for _, use := range uses {
		params.Uses = append(params.Uses, use.String())
		for _, file := range []string{cmp.Or(use.Access.File, use.By), use.By} {
			isDefinition := file != use.By || use.Access.File == "" || file == projectSettings
			if isDefinition && !slices.Contains(params.Files, file) {
				params.Files = append(params.Files, file)
			}
		}
	}
	var result trustResult
	if err := c.Call(ctx, methodTrust, params, &result); err != nil || result.Trusted {
		return err
	}
	return fmt.Errorf("nothing is run: you have not allowed the %s; trust %s, or choose `self` as rubric.target and `offline` as rubric.judge",
		diag.JoinList(params.Uses, "and the"), diag.JoinList(params.Files, "and"))
}

// dryRun returns what a run of a file or a case would do, and shows a summary.
func dryRun(ctx context.Context, s *snapshot, p *commandArgument) (*run.Preview, error) {
	d, err := s.loadDocument(p.URI)
	if err != nil {
		return nil, err
	}
	req := runRequest{doc: d, evaluation: s.Evaluation(d), settings: s.RunSettings, config: s.ConfigOf(s.RunSettings, d), client: s.Client}
	if err := req.selectCases(s, p.Case, false); err != nil {
		return nil, err
	}
	host, err := s.permittedHost()
	result := &run.Preview{Target: req.config.Target, Judge: req.config.Judge, Trusted: err == nil, Cases: []run.PreviewCase{}, Errors: []string{}}
	faults, err := s.caseErrors(d, req.cases)
	if err != nil {
		result.Errors, req.cases = append(result.Errors, err.Error()), nil
	}
	req.cases = result.AddCases(req.cases, faults)
	result.Notes = req.notes(s)
	if err := req.chooseTarget(ctx, s); err != nil {
		return nil, requestFailed(err)
	}
	planned := &run.Plan{}
	if opened, err := s.openRun(ctx, host, req, s.RunnableSuite(d), planned); err != nil {
		result.Errors = append([]string{err.Error()}, result.Errors...)
	} else {
		defer opened.Close()
		result.AddRun(ctx, planned, opened, req.cases)
		for _, use := range opened.Uses {
			result.Notes = append(result.Notes, fmt.Sprintf("%s `%s` %s", use.Role, use.Name, use.Access))
		}
	}
	s.Client.ShowMessage(protocol.MessageTypeInfo, result.String())
	return result, nil
}
