package host

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/core/jsonschema"
	"github.com/rubric-ls/rubric/core/lint"
)

// Schemas finds the JSON Schemas that eval files name. It reads a schema each
// time, and compiles it once for as long as its text is the same.
type Schemas struct{ compiled jsonschema.Cache }

// ForFile finds the schemas that an eval file names, which are files in JSON or
// YAML, seen from its folder. Nothing else is read, and nothing fetched.
func (s *Schemas) ForFile(evalFile string) lint.SchemaLoader {
	return func(reference string) (*lint.Schema, error) {
		if err := lint.CheckSchemaReference(reference); err != nil {
			return nil, err
		}
		path := filepath.Join(filepath.Dir(evalFile), filepath.FromSlash(reference))
		body, err := readSchema(Root(evalFile), path)
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
	body, err := readWithin(root, path)
	if err != nil {
		return "", errors.New(strings.TrimPrefix(err.Error(), path+": "))
	}
	return body, nil
}

// ValidateSchema says in which ways a document is not valid for a JSON Schema of a
// grader's, as [jsonschema.Faults] has it.
func ValidateSchema(schema, document any) (faults []string, err error) {
	return jsonschema.Validate(schema, document, newSchemaLimit())
}
