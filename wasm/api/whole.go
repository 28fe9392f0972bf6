//go:build !small

package api

import (
	"errors"
	"maps"
	"path"

	"github.com/rubric-ls/rubric/core/jsonschema"
	"github.com/rubric-ls/rubric/core/lint"
)

// What the first minute in a page does not need is not in rubric-small.wasm: the methods of
// [OnlyWhole], and users' JSON Schemas.
func init() {
	maps.Copy(methods, map[string]Method{
		"draft":  documentMethod("criteria for a case without any, as edits", draftCriteria),
		"metric": method("the result of an ADK metric for a conversation", evaluateMetric),
		"order":  documentMethod("the cases of a run in the order in which they run, with what they depend on", orderCases),
		"plan":   documentMethod("what a run of a file or of one case would do in an editor, and whom it would ask", planRun),
		"report": method("records as an HTML page", writeReport),
		"run":    method("the result of a case, and the questions and programs that it still needs", runCase),
		"schema": method("the JSON Schema of a kind of file", fileSchema),
	})
}

// knownSchemas are the compiled schemas of open documents. The module has no clock to stop a
// validation, so jsonschema limits the work before it starts.
var knownSchemas jsonschema.Cache

// schemasFor finds the schemas of a document among its open siblings.
func schemasFor(d *dependencies) lint.SchemaLoader {
	return func(reference string) (lint.Validator, error) {
		if err := lint.CheckSchemaReference(reference); err != nil {
			return nil, err
		}
		body, found := d.file(reference)
		if !found {
			return nil, errors.New("no such file or folder")
		}
		schema, err := knownSchemas.Load(path.Join(path.Dir(d.input.Path), reference), body)
		if err != nil {
			return nil, err
		}
		return schema.Within(nil), nil
	}
}

// graderSchema applies the schema of a grader.
func graderSchema(schema, document any) ([]string, error) {
	return jsonschema.Validate(schema, document, nil)
}
