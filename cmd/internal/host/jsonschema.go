package host

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/xeipuuv/gojsonschema"
)

// wrapping are the faults that only say that another, deeper one was found.
var wrapping = map[string]bool{
	"number_one_of": true, "number_any_of": true, "number_all_of": true, "condition_then": true, "condition_else": true,
}

// JSONSchema says in which ways a document is not valid for a JSON Schema of
// draft 4, 6 or 7, in the order of their places. Both are as decoded with numbers
// as json.Number. An error means that the schema cannot be used; see [refusal].
//
// A schema that is let through is applied without a time limit: it can still be
// slow where it recurses through several alternatives into a deep document.
func JSONSchema(schema, document any) (faults []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("applying it panicked: %v", p)
		}
	}()
	if err := refusal(schema); err != nil {
		return nil, err
	}
	if err := tooLarge(document, maxDocumentDepth); err != nil {
		return []string{err.Error()}, nil
	}
	compiled, err := gojsonschema.NewSchema(sealed{gojsonschema.NewGoLoader(schema)})
	if err != nil {
		return nil, err
	}
	result, err := compiled.Validate(gojsonschema.NewGoLoader(document))
	if err != nil {
		return nil, err
	}
	return sentences(result.Errors()), nil
}

// sentences words errors, which come in no order, as sorted sentences.
func sentences(all []gojsonschema.ResultError) []string {
	var faults []string
	for _, e := range all {
		place := e.Context().String("\x00")
		if wrapping[e.Type()] && slices.ContainsFunc(all, func(other gojsonschema.ResultError) bool {
			return !wrapping[other.Type()] && strings.HasPrefix(other.Context().String("\x00"), place)
		}) {
			continue
		}
		what := []rune(e.Description())
		what[0] = unicode.ToLower(what[0])
		if _, within, nested := strings.Cut(place, "\x00"); nested {
			faults = append(faults, fmt.Sprintf("`%s`: %s", strings.ReplaceAll(within, "\x00", "/"), string(what)))
		} else {
			faults = append(faults, string(what))
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
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
