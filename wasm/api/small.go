//go:build small

package api

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/yaml"
)

// wantWhole records that an open file needs something that only rubric.wasm has. Its host finds that
// in the result of `version`, and switches to rubric.wasm.
func wantWhole(what string) { wholeWanted = what }

// schemasFor applies no schema that a file names.
func schemasFor(*dependencies) lint.SchemaLoader {
	return func(string) (lint.Validator, error) {
		wantWhole("JSON Schemas")
		return nil, nil
	}
}

// Files of promptfoo are for rubric.wasm. Until its host has that, they are of no dialect that is known here.
func init() {
	look := func(t *yaml.Tree) {
		root := t.Root()
		hasModeline := slices.ContainsFunc(t.Comments, func(c yaml.Comment) bool { return strings.Contains(c.Text, "promptfoo.dev") })
		if hasModeline || root.Get("prompts") != nil && (root.Get("providers") != nil || root.Get("targets") != nil) {
			wantWhole("promptfoo files")
		}
	}
	dialect.Register(dialect.Other{
		RoleOf: func(_ string, t *yaml.Tree) agentv.Role { look(t); return "" },
	})
}

// graderSchema is only needed by runs.
var graderSchema grade.ValidateSchema
