package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

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
