package host

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/xeipuuv/gojsonschema"

	"github.com/rubric-ls/rubric/core/lint"
)

// JSONSchema says in which ways a document is not valid for a JSON Schema of
// draft 4, 6 or 7, in the order of their places. Both are as decoded with numbers
// as json.Number. An error means that the schema cannot be used (see [refusal]),
// or not on this document in reasonable time.
func JSONSchema(schema, document any) (faults []string, err error) {
	s, err := compile(schema)
	if err != nil {
		return nil, err
	}
	if err := tooLarge(document, maxDocumentDepth); err != nil {
		return []string{err.Error()}, nil
	}
	found, err := s.apply(document, newBudget())
	for _, v := range found {
		if len(v.At) > 0 {
			v.Message = "`" + strings.Join(v.At, "/") + "`: " + v.Message
		}
		faults = append(faults, v.Message)
	}
	return faults, err
}

// jsonSchema is a schema that may be applied, by several at a time.
type jsonSchema struct {
	source   any
	compiled *gojsonschema.Schema
	divided  sync.Map // key → halves
}

func compile(schema any) (s *jsonSchema, err error) {
	defer recovered(&err)
	if err := refusal(schema); err != nil {
		return nil, err
	}
	compiled, err := gojsonschema.NewSchema(sealed{gojsonschema.NewGoLoader(schema)})
	if err != nil {
		return nil, err
	}
	return &jsonSchema{source: schema, compiled: compiled}, nil
}

// apply gives the violations of a document that is not [tooLarge], sorted by
// place, within a budget.
func (s *jsonSchema) apply(document any, b *budget) ([]lint.Violation, error) {
	within, spent, err := b.begin()
	if err != nil {
		return nil, err
	}
	defer spent()
	if err := affordable(s.source, document); err != nil {
		return nil, err
	}
	type outcome struct {
		found []lint.Violation
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() { done <- o }()
		defer recovered(&o.err)
		result, err := s.compiled.Validate(gojsonschema.NewRawLoader(document))
		if o.err = err; err == nil {
			o.found = violations(result.Errors())
		}
	}()
	timeout := time.NewTimer(within)
	defer timeout.Stop()
	select {
	case o := <-done:
		return o.found, o.err
	case <-timeout.C:
		return nil, errTooLong
	}
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
