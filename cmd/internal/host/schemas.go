package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/jsonschema"
	"github.com/rubric-ls/rubric/core/lint"
)

// Schemas resolves the JSON Schemas that eval files name. It reads a schema each time, and
// compiles it once per text.
type Schemas struct{ compiled jsonschema.Cache }

// ForFile resolves the schemas that an eval file names: JSON or YAML files, relative to its
// directory. It reads nothing else and fetches nothing.
func (s *Schemas) ForFile(evalFile string) lint.SchemaLoader {
	return func(reference string) (*lint.Schema, error) {
		if err := lint.CheckSchemaReference(reference); err != nil {
			return nil, err
		}
		path := filepath.Join(filepath.Dir(evalFile), filepath.FromSlash(reference))
		body, err := readSchema(disk.Root(evalFile), path)
		if err != nil {
			return nil, err
		}
		schema, err := s.compiled.Load(path, body)
		if err != nil {
			return nil, err
		}
		return schema.ForFile(newSchemaLimit), nil
	}
}

func readSchema(root, path string) (string, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > jsonschema.MaxSize {
		return "", jsonschema.ErrTooLarge
	}
	body, err := disk.ReadWithin(root, path)
	if err != nil {
		return "", errors.New(strings.TrimPrefix(err.Error(), path+": "))
	}
	return body, nil
}

// ValidateSchema returns the ways in which a document violates a grader's JSON Schema; see
// [jsonschema.Faults].
func ValidateSchema(schema, document any) (faults []string, err error) {
	return jsonschema.Validate(schema, document, newSchemaLimit())
}

// Limits on the time of applying a schema to everything in one file. jsonschema counts its work
// in advance; this limit covers what that count misses, such as a pattern over a very long text.
// Abandoned work ends soon by the count.
const (
	maxSchemaTime   = 10 * time.Second
	extraSchemaTime = 2 * time.Millisecond // more time for each application
)

var errTooLong = fmt.Errorf("applying it takes longer than %s", maxSchemaTime)

// timeBudget is the time left for a schema and a file. Each use adds a little, so a file of many
// cases has enough.
type timeBudget struct {
	mu   sync.Mutex
	left time.Duration // 0 after a timeout
}

func newSchemaLimit() jsonschema.Limit { return (&timeBudget{left: maxSchemaTime}).run }

// run does some work, or returns an error if it takes too long. After one timeout it does no more
// work.
func (b *timeBudget) run(work func()) error {
	b.mu.Lock()
	left := b.left
	b.mu.Unlock()
	if left <= 0 {
		return errTooLong
	}
	start := time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	timeout := time.NewTimer(left)
	defer timeout.Stop()
	var err error
	select {
	case <-done:
	case <-timeout.C:
		err = errTooLong
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.left = 0
	} else if b.left > 0 {
		b.left = min(b.left-time.Since(start)+extraSchemaTime, maxSchemaTime)
	}
	return err
}
