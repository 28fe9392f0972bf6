package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

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
	switch {
	case err != nil || len(uses) == 0:
		return err
	case r.client.CanTrust:
		return askTrust(ctx, r.client, uses, file.Project.Path)
	case host.CheckConsent == nil:
		return errors.New("nothing is run: " + uses[0].String() + ", and this needs your consent")
	}
	return host.CheckConsent(file.Path, uses)
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
