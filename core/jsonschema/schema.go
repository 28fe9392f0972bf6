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

func (l Limit) do(work func()) error {
	if l == nil {
		work()
		return nil
	}
	return l(work)
}

// Faults says in which ways a document is not valid for a JSON Schema of draft 4,
// 6 or 7, in the order of their places. Both are as decoded with numbers as
// json.Number. An error means that the schema cannot be used (see [refusal]), or
// not on this document in reasonable time.
func Faults(schema, document any, limit Limit) (faults []string, err error) {
	s, err := Compile(schema)
	if err != nil {
		return nil, err
	}
	if err := tooLarge(document, maxDocumentDepth); err != nil {
		return []string{err.Error()}, nil
	}
	found, err := s.apply(document, limit)
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
	source   any
	compiled *gojsonschema.Schema
	divided  sync.Map // key → halves
}

// Compile makes a schema of what it is as decoded, with numbers as json.Number.
func Compile(schema any) (s *Schema, err error) {
	defer recovered(&err)
	if err := refusal(schema); err != nil {
		return nil, err
	}
	compiled, err := gojsonschema.NewSchema(sealed{gojsonschema.NewGoLoader(schema)})
	if err != nil {
		return nil, err
	}
	return &Schema{source: schema, compiled: compiled}, nil
}

// For is the schema as it is applied to one file. Each of its parts has a limit of
// its own, which limit makes.
func (s *Schema) For(limit func() Limit) *lint.Schema {
	divide := func(key string) (around, item lint.Validator) {
		h := s.halvesFor(key)
		if h.item == nil {
			return nil, nil
		}
		return h.around.within(limit()), h.item.within(limit())
	}
	return &lint.Schema{Validate: s.within(limit()), Divide: divide}
}

// within applies a schema to the documents of one file.
func (s *Schema) within(limit Limit) lint.Validator {
	return func(document any) ([]lint.Violation, error) {
		if err := tooLarge(document, maxDocumentDepth); err != nil {
			return nil, fmt.Errorf("of the file that it is to be applied to: %w", err)
		}
		return s.apply(document, limit)
	}
}

// apply gives the violations of a document that is not [tooLarge], sorted by
// place.
func (s *Schema) apply(document any, limit Limit) ([]lint.Violation, error) {
	type outcome struct {
		found []lint.Violation
		err   error
	}
	done := make(chan outcome, 1)
	err := limit.do(func() {
		var o outcome
		defer func() { done <- o }()
		defer recovered(&o.err)
		if o.err = affordable(s.source, document); o.err != nil {
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

// recovered turns a panic of the validator into an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("applying it panicked: %v", p)
	}
}

// sealed is a schema that can load no other: by default files are read and
// addresses fetched.
type sealed struct{ gojsonschema.JSONLoader }

func (sealed) LoaderFactory() gojsonschema.JSONLoaderFactory { return sealed{} }

// New gives a loader that refuses; it stands for every other schema.
func (sealed) New(source string) gojsonschema.JSONLoader {
	return absent{gojsonschema.NewGoLoader(nil), source}
}

type absent struct {
	gojsonschema.JSONLoader
	source string
}

func (a absent) LoadJSON() (any, error) {
	return nil, errors.New("it refers to `" + a.source + "`, and other schemas are not loaded")
}
