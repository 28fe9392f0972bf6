package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/jsonschema"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// guidelineMatcher returns whether a file is one of the guidelines that the nearest usable
// .agentv/config.yaml names, by its path from the repository's root; nil if there are none.
func guidelineMatcher(evalFile string) func(path string) bool {
	patterns := guidelinePatterns(evalFile)
	if len(patterns) == 0 {
		return nil
	}
	root := disk.Root(evalFile)
	return func(path string) bool {
		relative, err := filepath.Rel(root, path)
		return err == nil && slices.ContainsFunc(patterns, func(glob string) bool { return matchesGlob(glob, filepath.ToSlash(relative)) })
	}
}

// guidelinePatterns returns the patterns of the nearest .agentv/config.yaml. As in the reference, one
// whose patterns are not a list of texts is passed over.
func guidelinePatterns(evalFile string) []string {
search:
	for _, dir := range disk.SearchFolders(evalFile) {
		path := filepath.Join(dir, ".agentv", "config.yaml")
		body, err := disk.ReadWithin(disk.Root(evalFile), path)
		if err != nil {
			continue
		}
		root := yaml.Parse(text.New(path, body)).Root()
		list := root.Get("guideline_patterns").Follow()
		if !root.IsMap() || list != nil && !list.IsSeq() {
			continue
		}
		if list == nil {
			return nil
		}
		var patterns []string
		for _, item := range list.Items {
			pattern, ok := item.Str()
			if !ok {
				continue search
			}
			patterns = append(patterns, pattern)
		}
		return patterns
	}
	return nil
}

// matchesGlob reports whether a glob pattern of micromatch matches a path: only a dot matches a dot at the
// start of a name.
func matchesGlob(glob, path string) bool {
	names := strings.FieldsFunc(glob, func(r rune) bool { return strings.ContainsRune("/{},", r) })
	for name := range strings.SplitSeq(path, "/") {
		named := func(part string) bool { return part[0] == '.' && doublestar.MatchUnvalidated(part, name) }
		if strings.HasPrefix(name, ".") && !slices.ContainsFunc(names, named) {
			return false
		}
	}
	return doublestar.MatchUnvalidated(glob, path)
}

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
