package api

import (
	"errors"
	"path"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/lint"
)

// Validator applies the JSON Schemas of users.
type Validator struct {
	// File is the schema that a file holds, ready for one that names it.
	File func(path, body string) (*lint.Schema, error)
	// Grader applies a grader's.
	Grader grade.ValidateSchema
}

// Few files name a schema, and who applies them would make the module a quarter
// larger: unless [Use] is called, nobody does. Then wanted is whether one was named,
// of which nothing is said, as if nobody could tell. Schemas that documents name are
// looked for among those that are open beside them.
var (
	schemasWanted atomic.Bool

	schemasFor = func(*dependencies) lint.SchemaLoader {
		return func(string) (*lint.Schema, error) {
			schemasWanted.Store(true)
			return nil, nil
		}
	}
	graderSchema grade.ValidateSchema = func(any, any) ([]string, error) {
		schemasWanted.Store(true)
		return nil, errors.New("nothing here applies one; `rubric run` does")
	}
)

// UseValidator has schemas applied from now on. It is called before any request.
func UseValidator(v Validator) {
	graderSchema = v.Grader
	schemasFor = func(d *dependencies) lint.SchemaLoader {
		return func(reference string) (*lint.Schema, error) {
			if err := lint.CheckSchemaReference(reference); err != nil {
				return nil, err
			}
			body, found := d.file(reference)
			if !found {
				return nil, errors.New("no such file or folder")
			}
			return v.File(path.Join(path.Dir(d.input.Path), reference), body)
		}
	}
}
