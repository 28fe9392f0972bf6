//go:build wasip1 && schemas

package main

import (
	"github.com/rubric-ls/rubric/core/jsonschema"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/wasm/api"
)

// The larger module applies users' JSON Schemas. It has one thread and no clock to stop a
// validation, so jsonschema limits the work before it starts.
func init() {
	var known jsonschema.Cache
	api.UseValidator(api.Validator{
		File: func(path, body string) (lint.Validator, error) {
			schema, err := known.Load(path, body)
			if err != nil {
				return nil, err
			}
			return schema.Within(nil), nil
		},
		Grader: func(schema, document any) ([]string, error) { return jsonschema.Validate(schema, document, nil) },
	})
}
