package host

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// NewInput is a file's text and what its analysis has to know of those beside it, as
// they are when that is first asked for.
func NewInput(path, body string) analysis.Input {
	in := DependencyInput(path, strings.Contains(body, "target:"))
	in.Text, in.FolderNames, in.ReadFile = body, sync.OnceValue(in.FolderNames), referenceReader(path, maxCachedFile)
	return in
}

// maxCachedFile is the largest file beside one that is kept for when it is asked for again,
// in bytes: those beside an ADK configuration may be many, and as large as any.
const maxCachedFile = 1 << 20

// DependencyInput is what an analysis of a file has to know of those beside it: cases in
// JSONL have a sidecar, a YAML file of the same name; messages and prompts refer to
// files; a target, if there may be any, has to be among those of the targets file.
func DependencyInput(path string, targets bool) analysis.Input {
	in := analysis.Input{Path: path, ReadFile: referenceReader(path, MaxFile), FolderNames: adkFiles(path)}
	in.OutsideReason = func(reference string) string { return OutsideReason(path, reference) }
	switch filepath.Ext(path) {
	case ".jsonl":
		in.Sidecar, _ = ReadSidecar(path) // check and run report the error
	case ".yaml", ".yml":
		info, err := os.Stat(trimExt(path) + ".jsonl")
		in.HasCases = err == nil && info.Mode().IsRegular()
		if targets {
			in.Targets = readTargetNames(path)
		}
	}
	return in
}

// ReadSidecar returns the text of the YAML file beside a JSONL file of the same name, and
// nil for any other file and where there is none. The error is that of a sidecar that
// cannot be read: a run without its settings would not do what the files say.
func ReadSidecar(path string) (*string, error) {
	if filepath.Ext(path) != ".jsonl" {
		return nil, nil
	}
	for _, ext := range []string{".yaml", ".yml"} {
		if _, err := os.Lstat(trimExt(path) + ext); err == nil {
			body, err := ReadFile(trimExt(path) + ext)
			return &body, err
		}
	}
	return nil, nil
}

func trimExt(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }

// referenceReader reads the files that an eval file refers to, each once if it is no larger
// than most.
func referenceReader(evalFile string, maxSize int) func(string) (string, bool) {
	type found struct {
		body string
		ok   bool
	}
	cache := map[string]found{}
	return func(reference string) (string, bool) {
		f, seen := cache[reference]
		if !seen {
			if path := Locate(evalFile, reference); path != "" {
				f.ok = true
				f.body, _ = readWithin(Root(evalFile), path) // one that cannot be read is there all the same
			}
			if len(f.body) <= maxSize {
				cache[reference] = f
			}
		}
		return f.body, f.ok
	}
}

// adkFiles gives the names of ADK's files beside a file.
func adkFiles(path string) func() []string {
	return func() (names []string) {
		entries, _ := os.ReadDir(filepath.Dir(path)) // what cannot be read has none
		for _, e := range entries {
			if adk.IsKnownName(e.Name()) && !e.IsDir() {
				names = append(names, e.Name())
			}
		}
		return names
	}
}

func readTargetNames(evalFile string) []string {
	path := findTargetsFile(evalFile)
	if path == "" {
		return nil
	}
	body, err := ReadFile(path)
	if err != nil {
		return nil
	}
	return agentv.TargetNames(yaml.Parse(text.New(path, body)))
}
