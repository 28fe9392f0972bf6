package jsonschema

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/xeipuuv/gojsonschema"

	"github.com/rubric-ls/rubric/core/lint"
)

// Limit does some work, or says why that is not done or took too long; what it
// leaves behind then goes on. Nil is without a clock: the work is counted before it
// is done either way.
type Limit func(work func()) error

func (l Limit) run(work func()) error {
	if l == nil {
		work()
		return nil
	}
	return l(work)
}

// Validate says in which ways a document is not valid for a JSON Schema of draft 4,
// 6 or 7, in the order of their places. Both are as decoded with numbers as
// json.Number. An error means that the schema cannot be used (see [refusal]), or
// not on this document in reasonable time.
func Validate(schema, document any, limit Limit) (faults []string, err error) {
	s, err := Compile(schema)
	if err != nil {
		return nil, err
	}
	if err := checkSize(document, maxDocumentDepth); err != nil {
		return []string{err.Error()}, nil
	}
	found, err := s.validate(document, limit)
	for _, v := range found {
		if len(v.Path) > 0 {
			v.Message = "`" + strings.Join(v.Path, "/") + "`: " + v.Message
		}
		faults = append(faults, v.Message)
	}
	return faults, err
}

// Schema is a schema that may be applied, by several at a time.
type Schema struct {
	source    any
	compiled  *gojsonschema.Schema
	divisions sync.Map // key → halves
}

// Compile makes a schema of what it is as decoded, with numbers as json.Number.
func Compile(schema any) (s *Schema, err error) {
	defer recoverPanic(&err)
	if err := checkSchema(schema); err != nil {
		return nil, err
	}
	compiled, err := gojsonschema.NewSchema(sealedLoader{gojsonschema.NewGoLoader(schema)})
	if err != nil {
		return nil, err
	}
	return &Schema{source: schema, compiled: compiled}, nil
}

// ForFile is the schema as it is applied to one file. Each of its parts has a limit of
// its own, which limit makes.
func (s *Schema) ForFile(limit func() Limit) *lint.Schema {
	divide := func(key string) (outer, item lint.Validator) {
		h := s.divisionFor(key)
		if h.item == nil {
			return nil, nil
		}
		return h.outer.applyWithin(limit()), h.item.applyWithin(limit())
	}
	return &lint.Schema{Validate: s.applyWithin(limit()), Divide: divide}
}

// applyWithin applies a schema to the documents of one file.
func (s *Schema) applyWithin(limit Limit) lint.Validator {
	return func(document any) ([]lint.Violation, error) {
		if err := checkSize(document, maxDocumentDepth); err != nil {
			return nil, fmt.Errorf("of the file that it is to be applied to: %w", err)
		}
		return s.validate(document, limit)
	}
}

// validate gives the violations of a document that is not [tooLarge], sorted by
// place.
func (s *Schema) validate(document any, limit Limit) ([]lint.Violation, error) {
	type outcome struct {
		found []lint.Violation
		err   error
	}
	done := make(chan outcome, 1)
	err := limit.run(func() {
		var o outcome
		defer func() { done <- o }()
		defer recoverPanic(&o.err)
		if o.err = checkWork(s.source, document); o.err != nil {
			return
		}
		result, err := s.compiled.Validate(gojsonschema.NewRawLoader(document))
		if o.err = err; err == nil {
			o.found = violations(result.Errors())
		}
	})
	if err != nil {
		return nil, err
	}
	o := <-done
	return o.found, o.err
}

// recoverPanic turns a panic of the validator into an error.
func recoverPanic(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("applying it panicked: %v", p)
	}
}

// sealedLoader is a schema that can load no other: by default files are read and
// addresses fetched.
type sealedLoader struct{ gojsonschema.JSONLoader }

func (sealedLoader) LoaderFactory() gojsonschema.JSONLoaderFactory { return sealedLoader{} }

// New gives a loader that refuses; it stands for every other schema.
func (sealedLoader) New(source string) gojsonschema.JSONLoader {
	return refusedLoader{gojsonschema.NewGoLoader(nil), source}
}

type refusedLoader struct {
	gojsonschema.JSONLoader
	source string
}

func (a refusedLoader) LoadJSON() (any, error) {
	return nil, errors.New("it refers to `" + a.source + "`, and other schemas are not loaded")
}
