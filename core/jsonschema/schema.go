// Package jsonschema applies users' JSON Schemas: those that their files name, and those of their
// graders. It protects the validator, gojsonschema, from untrusted schemas that would make it fetch
// others, overflow the stack, or run for years.
//
// No other package of core imports it: the validator links net/http and does not fit into the
// smaller evaluator module. The command line, the language server and the larger module give the
// same answers, because all of them use this package. It reads no files and no clock: the caller
// passes texts, and a [Limit] if it has a clock.
package jsonschema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
	"github.com/xeipuuv/gojsonschema"
)

// Limit runs work and returns an error if it did not run or took too long; the work may then
// continue in the background. A nil Limit has no time limit. The amount of work is bounded in both
// cases.
type Limit func(work func()) error

// Validate returns the faults of a document under a JSON Schema of draft 4, 6 or 7, ordered by
// location. Both are decoded with numbers as json.Number. An error means that the schema is
// unusable (see [checkSchema]), or takes too long on this document.
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

// Schema is a compiled schema. It is safe for concurrent use.
type Schema struct {
	source   any
	compiled *gojsonschema.Schema
}

// Compile compiles a decoded schema, with numbers as json.Number.
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

// Within returns a validator that applies the schema to the documents of one file within limit.
func (s *Schema) Within(limit Limit) lint.Validator {
	return func(document any) ([]lint.Violation, error) {
		if err := checkSize(document, maxDocumentDepth); err != nil {
			return nil, fmt.Errorf("the file to validate: %w", err)
		}
		return s.validate(document, limit)
	}
}

// validate returns the violations of a document that passed [checkSize], sorted by location.
func (s *Schema) validate(document any, limit Limit) ([]lint.Violation, error) {
	type outcome struct {
		found []lint.Violation
		err   error
	}
	done := make(chan outcome, 1)
	if limit == nil {
		limit = func(work func()) error { work(); return nil }
	}
	err := limit(func() {
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

func recoverPanic(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("applying it panicked: %v", p)
	}
}

// A sealedLoader loads no other schemas. The default loader reads files and fetches URLs.
type sealedLoader struct{ gojsonschema.JSONLoader }

func (sealedLoader) LoaderFactory() gojsonschema.JSONLoaderFactory { return sealedLoader{} }

// New returns a loader that refuses to load another schema.
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

// MaxSize is the size of the largest schema that is read, in bytes.
const MaxSize = 4 << 20

// ErrTooLarge reports a schema that is larger than [MaxSize] or not a regular file.
var ErrTooLarge = fmt.Errorf("it is not a regular file of up to %d MiB", MaxSize>>20)

// A Cache holds the compiled schemas of files. Each schema is compiled once while its text is
// unchanged. It is safe for concurrent use.
type Cache struct {
	mu     sync.Mutex
	byPath map[string]*cacheEntry
}

type cacheEntry struct {
	body   string
	schema *Schema
	err    error // why the schema is unusable
}

// Load returns the schema in a file, in JSON or YAML. The error says why it is unusable.
func (c *Cache) Load(path, body string) (*Schema, error) {
	if len(body) > MaxSize {
		return nil, ErrTooLarge
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cached := c.byPath[path]; cached != nil && cached.body == body {
		return cached.schema, cached.err
	}
	entry := &cacheEntry{body: body}
	entry.schema, entry.err = parseSchema(path, body)
	if c.byPath == nil {
		c.byPath = map[string]*cacheEntry{}
	}
	c.byPath[path] = entry
	return entry.schema, entry.err
}

func parseSchema(path, body string) (*Schema, error) {
	tree := yaml.Parse(text.New(path, body))
	for _, p := range tree.Problems {
		return nil, fmt.Errorf("line %d of it: %s", tree.Source.OffsetLine(p.Span.Start)+1, p.Message)
	}
	switch schema := tree.Root().Exact().(type) {
	case map[string]any, bool:
		return Compile(schema)
	}
	return nil, errors.New("it is not a JSON Schema")
}

// wrapperErrors are the errors that only report a deeper error.
var wrapperErrors = map[string]bool{
	"number_one_of": true, "number_any_of": true, "number_all_of": true, "condition_then": true, "condition_else": true,
}

// invalidPropertyName is the error for a key. The validator reports the faults of the key's text as
// if the text were the value.
const invalidPropertyName = "invalid_property_name"

// violations converts the validator's errors, which are unordered, and sorts them by location.
func violations(all []gojsonschema.ResultError) []lint.Violation {
	var places []string // of errors that are certain to be reported
	names := map[string]bool{}
	for _, e := range all {
		if !wrapperErrors[e.Type()] {
			places = append(places, errorPath(e))
		}
		if name, ok := e.Details()["property"].(string); ok && e.Type() == invalidPropertyName {
			names[errorPath(e)+name] = true
		}
	}
	slices.Sort(places)
	var found []lint.Violation
	for _, e := range all {
		name, isText := e.Value().(string)
		ofName := isText && e.Type() != invalidPropertyName && names[errorPath(e)+name]
		if !ofName && (!wrapperErrors[e.Type()] || !hasDeeper(places, errorPath(e))) {
			found = append(found, violation(e))
		}
	}
	sort.Slice(found, func(i, j int) bool {
		a, b := found[i], found[j]
		return cmp.Or(slices.Compare(a.Path, b.Path), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Message, b.Message)) < 0
	})
	return slices.CompactFunc(found, func(a, b lint.Violation) bool {
		return slices.Equal(a.Path, b.Path) && a.Key == b.Key && a.Message == b.Message
	})
}

// hasDeeper reports whether one of the sorted places is at or below place.
func hasDeeper(places []string, place string) bool {
	i, _ := slices.BinarySearch(places, place)
	return i < len(places) && strings.HasPrefix(places[i], place)
}

// separator ends each step of a path. Keys may contain any other character.
const separator = "\x00"

// errorPath returns the keys and indices that lead to an error's value, after a word for the root.
func errorPath(e gojsonschema.ResultError) string { return e.Context().String(separator) + separator }

func violation(e gojsonschema.ResultError) lint.Violation {
	steps := strings.Split(errorPath(e), separator)
	v := lint.Violation{Path: steps[1 : len(steps)-1]}
	detail := func(name string) string { return fmt.Sprint(e.Details()[name]) }
	switch e.Type() {
	case "required":
		v.Message = "`" + detail("property") + "` is missing"
	case "missing_dependency":
		v.Message = "`" + detail("dependency") + "` is missing, which another key requires"
	case "additional_property_not_allowed", invalidPropertyName:
		v.Key = detail("property")
		v.Message = "the key `" + v.Key + "` is not allowed here"
	case "invalid_type":
		v.Message = "expected " + typeNames(detail("expected")) + ", found " + typeNames(detail("given"))
	case "enum":
		v.Message = "expected one of `" + detail("allowed") + "`, found `" + abbreviatedJSON(e.Value()) + "`"
	case "const":
		v.Message = "expected `" + detail("allowed") + "`, found `" + abbreviatedJSON(e.Value()) + "`"
	case "number_gte":
		v.Message = "expected at least " + detail("min") + ", found " + abbreviatedJSON(e.Value())
	case "number_lte":
		v.Message = "expected at most " + detail("max") + ", found " + abbreviatedJSON(e.Value())
	case "pattern":
		v.Message = "`" + abbreviatedJSON(e.Value()) + "` does not match the pattern `" + detail("pattern") + "`"
	case "format":
		v.Message = "`" + abbreviatedJSON(e.Value()) + "` is not of the format `" + detail("format") + "`"
	case "unique":
		v.Message = "its items " + detail("i") + " and " + detail("j") + ", counted from 0, are the same"
	case "number_not":
		v.Message = "the schema forbids this value"
	case "number_one_of":
		v.Message = "it matches several alternatives, but must match exactly one"
	case "false":
		v.Message = "nothing is allowed here"
	default:
		description := []rune(e.Description())
		description[0] = unicode.ToLower(description[0])
		v.Message = string(description)
	}
	return v
}

var articles = map[string]string{
	"array": "an array", "boolean": "a boolean", "integer": "an integer", "null": "null", "number": "a number",
	"object": "an object", "string": "a string",
}

// typeNames returns a type with its article, or several types given as [a,b].
func typeNames(list string) string {
	names := strings.Split(strings.Trim(list, "[]"), ",")
	for i, name := range names {
		names[i] = cmp.Or(articles[name], name)
	}
	return strings.Join(names, " or ")
}

func abbreviatedJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return excerpt.Shorten(string(text), 40)
}
