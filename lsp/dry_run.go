package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/run"
)

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
	if err := s.planCases(ctx, host, req, result); err != nil {
		result.Errors = append([]string{err.Error()}, result.Errors...)
	}
	s.Client.ShowMessage(protocol.MessageTypeInfo, result.String())
	return result, nil
}

// planCases adds who would answer and judge the cases, and how often and at what cost.
func (s *snapshot) planCases(ctx context.Context, host Host, req runRequest, result *run.Preview) error {
	planned := &run.Plan{}
	opened, err := s.openRun(ctx, host, req, s.RunnableSuite(req.doc), planned)
	if err != nil {
		return err
	}
	defer opened.Close()
	result.AddRun(ctx, planned, opened, req.cases)
	return nil
}
