//go:build small

package api

import (
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/lint"
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

// graderSchema is only needed by runs.
var graderSchema grade.ValidateSchema
