package jsonschema

import (
	"errors"
	"fmt"
	"sync"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// MaxSize is the largest schema that is read, in bytes.
const MaxSize = 4 << 20

// ErrTooLarge is of what is larger than [MaxSize], or has no size.
var ErrTooLarge = fmt.Errorf("it is not a regular file of up to %d MiB", MaxSize>>20)

// Known are the schemas of some files. Each is compiled once for as long as its
// text is the same.
type Known struct {
	mu     sync.Mutex
	byPath map[string]*read
}

type read struct {
	body   string
	schema *Schema
	err    error // why it cannot be used
}

// Of is the schema that a file holds, in JSON or YAML. An error says in a few words
// why it cannot be used.
func (k *Known) Of(path, body string) (*Schema, error) {
	if len(body) > MaxSize {
		return nil, ErrTooLarge
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if known := k.byPath[path]; known != nil && known.body == body {
		return known.schema, known.err
	}
	r := &read{body: body}
	r.schema, r.err = parse(path, body)
	if k.byPath == nil {
		k.byPath = map[string]*read{}
	}
	k.byPath[path] = r
	return r.schema, r.err
}

// parse reads JSON as the YAML it is.
func parse(path, body string) (*Schema, error) {
	tree := yaml.Parse(text.New(path, body))
	for _, p := range tree.Problems {
		return nil, fmt.Errorf("line %d of it: %s", tree.Source.OffsetLine(p.Span.Start)+1, p.Message)
	}
	switch schema := tree.Root().Exact().(type) {
	case map[string]any, bool:
		return Compile(schema)
	}
	return nil, errors.New("it holds no JSON Schema")
}
