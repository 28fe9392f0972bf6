package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Schemas finds the JSON Schemas that eval files name. It reads a schema each
// time, and compiles it once for as long as its text is the same.
type Schemas struct {
	mu    sync.Mutex
	known map[string]*readSchema // by path
}

type readSchema struct {
	body   string
	schema *jsonSchema
	err    error // why it cannot be used
}

// Beside finds the schemas that an eval file names, which are files in JSON or
// YAML, seen from its folder. Nothing else is read, and nothing fetched.
func (s *Schemas) Beside(evalFile string) lint.Schemas {
	return func(reference string) (*lint.Schema, error) {
		if reference == "" || filepath.IsAbs(reference) || strings.Contains(reference, ":") {
			return nil, errors.New("it is not the path of a file as seen from this one")
		}
		schema, err := s.read(filepath.Join(filepath.Dir(evalFile), filepath.FromSlash(reference)))
		if err != nil {
			return nil, err
		}
		divide := func(key string) (around, item lint.Apply) {
			h := schema.halvesFor(key)
			if h.item == nil {
				return nil, nil
			}
			return withinBudget(h.around, newBudget()), withinBudget(h.item, newBudget())
		}
		return &lint.Schema{Apply: withinBudget(schema, newBudget()), Divide: divide}, nil
	}
}

// withinBudget applies a schema to the documents of one file.
func withinBudget(s *jsonSchema, b *budget) lint.Apply {
	return func(document any) ([]lint.Violation, error) {
		if err := tooLarge(document, maxDocumentDepth); err != nil {
			return nil, fmt.Errorf("of the file that it is to be applied to: %w", err)
		}
		return s.apply(document, b)
	}
}

// maxSchema is the largest schema that is read, in bytes.
const maxSchema = 4 << 20

func (s *Schemas) read(path string) (*jsonSchema, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() && (!info.Mode().IsRegular() || info.Size() > maxSchema) {
		return nil, fmt.Errorf("it is not a regular file of up to %d MiB", maxSchema>>20)
	}
	body, err := Read(path)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), path+": "))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.known[path]; known != nil && known.body == body {
		return known.schema, known.err
	}
	read := &readSchema{body: body}
	read.schema, read.err = parseSchema(path, body)
	if s.known == nil {
		s.known = map[string]*readSchema{}
	}
	s.known[path] = read
	return read.schema, read.err
}

// parseSchema reads JSON as the YAML it is.
func parseSchema(path, body string) (*jsonSchema, error) {
	tree := yaml.Parse(text.New(path, body))
	for _, p := range tree.Problems {
		return nil, fmt.Errorf("line %d of it: %s", tree.Source.OffsetLine(p.Span.Start)+1, p.Message)
	}
	switch schema := tree.Root().Exact().(type) {
	case map[string]any, bool:
		return compile(schema)
	}
	return nil, errors.New("it holds no JSON Schema")
}
