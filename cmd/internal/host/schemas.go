package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	return func(reference string) (lint.Validator, error) {
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
		return schema.Within(limitTime(maxSchemaTime)), nil
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
// [jsonschema.Validate].
func ValidateSchema(schema, document any) (faults []string, err error) {
	return jsonschema.Validate(schema, document, limitTime(maxSchemaTime))
}

// maxSchemaTime limits the time of applying a schema to a document. jsonschema counts its work in
// advance; this limit covers what that count misses, such as a pattern over a very long text.
// Abandoned work ends soon by the count.
const maxSchemaTime = 10 * time.Second

var errTooLong = fmt.Errorf("applying it takes longer than %s", maxSchemaTime)

func limitTime(most time.Duration) jsonschema.Limit {
	return func(work func()) error {
		done := make(chan struct{})
		go func() {
			defer close(done)
			work()
		}()
		select {
		case <-done:
			return nil
		case <-time.After(most):
			return errTooLong
		}
	}
}
