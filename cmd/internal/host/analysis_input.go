// Package host reads what surrounds an eval file: the settings, prices and schemas of its project,
// the files that it names, and the user's consents.
//
// It and the packages below are the program's only access to the machine: disk to files, process to
// programs, resultstore to results, targets and provider to models. They show what rubric can do to
// a computer. They run only what their caller passes on from the user (a flag, a chosen target), and
// never what a file says on its own. They make no decisions about evals.
package host

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// NewInput returns a file's text together with what its analysis needs from other files. Those
// are read when the analysis first asks for them.
func NewInput(path, body string) analysis.Input {
	in := DependencyInput(path, strings.Contains(body, "target") || strings.Contains(body, "provider") || filepath.Base(path) == SettingsFile)
	in.Text, in.FolderNames, in.ReadFile = body, sync.OnceValue(in.FolderNames), referenceReader(path, maxCachedFile)
	return in
}

// maxCachedFile is the size in bytes up to which a referenced file is cached. An ADK
// configuration may refer to many files of any size.
const maxCachedFile = 1 << 20

// DependencyInput returns what the analysis of a file needs from other files: the sidecar of
// JSONL cases (a YAML file of the same name), files that messages and prompts refer to, and the
// names in the targets file, if targets is set.
func DependencyInput(path string, targets bool) analysis.Input {
	in := analysis.Input{Path: path, ReadFile: referenceReader(path, disk.MaxFile), FolderNames: func() (names []string) {
		entries, _ := os.ReadDir(filepath.Dir(path)) // an unreadable directory has none
		for _, e := range entries {
			if adk.IsKnownName(e.Name()) && !e.IsDir() {
				names = append(names, e.Name())
			}
		}
		return names
	}}
	in.ListFiles = func(pattern string) []string { return disk.ListFiles(path, pattern) }
	in.OutsideReason = func(reference string) string { return disk.OutsideReason(path, reference) }
	switch filepath.Ext(path) {
	case ".jsonl":
		in.Sidecar, _ = ReadSidecar(path) // check and run report the error
	case ".yaml", ".yml":
		info, err := os.Stat(strings.TrimSuffix(path, filepath.Ext(path)) + ".jsonl")
		in.HasCases = err == nil && info.Mode().IsRegular()
		if targets {
			in.Targets = readTargetNames(path)
		}
	}
	return in
}

// SidecarPath returns the path of the YAML file with the same name as a JSONL file. It returns ""
// for other files, and if there is none.
func SidecarPath(path string) string {
	if filepath.Ext(path) != ".jsonl" {
		return ""
	}
	for _, ext := range []string{".yaml", ".yml"} {
		sidecar := strings.TrimSuffix(path, ".jsonl") + ext
		if _, err := os.Lstat(sidecar); err == nil {
			return sidecar
		}
	}
	return ""
}

// ReadSidecar returns the text of the file of [SidecarPath], or nil if there is none. It returns an
// error if it is unreadable: a run without its settings would not do what the files say.
func ReadSidecar(path string) (*string, error) {
	sidecar := SidecarPath(path)
	if sidecar == "" {
		return nil, nil
	}
	body, err := disk.ReadFile(sidecar)
	return &body, err
}

// referenceReader returns a function that reads files that an eval file refers to. It caches
// those of at most maxSize bytes.
func referenceReader(evalFile string, maxSize int) func(string) (string, bool) {
	type found struct {
		body string
		ok   bool
	}
	var mu sync.Mutex
	cache := map[string]found{}
	return func(reference string) (string, bool) {
		mu.Lock()
		defer mu.Unlock()
		f, seen := cache[reference]
		if !seen {
			if path := disk.Locate(evalFile, reference); path != "" {
				f.ok = true
				f.body, _ = disk.ReadWithin(disk.Root(evalFile), path) // an unreadable file still exists
			}
			if len(f.body) <= maxSize {
				cache[reference] = f
			}
		}
		return f.body, f.ok
	}
}

func readTargetNames(evalFile string) []string {
	path := disk.FindTargetsFile(evalFile)
	body, err := disk.ReadFile(path)
	if err != nil { // of no path, too
		return nil
	}
	return agentv.TargetNames(yaml.Parse(text.New(path, body)))
}
