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

// Cache are the schemas of some files. Each is compiled once for as long as its
// text is the same.
type Cache struct {
	mu     sync.Mutex
	byPath map[string]*cacheEntry
}

type cacheEntry struct {
	body   string
	schema *Schema
	err    error // why it cannot be used
}

// Load is the schema that a file holds, in JSON or YAML. An error says in a few words
// why it cannot be used.
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

// parseSchema reads JSON as the YAML it is.
func parseSchema(path, body string) (*Schema, error) {
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
