package lsp_test

import (
	"errors"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
	"github.com/rubric-ls/rubric/lsp"
)

// folder is an in-memory file system. Paths are absolute and use slashes.
type folder struct {
	mu       sync.Mutex
	files    map[string]string
	settings lsp.ProjectSettings
}

// newFolder returns a folder with the given files.
func newFolder(files map[string]string) *folder {
	f := &folder{files: map[string]string{}}
	for name, body := range files {
		f.files[name] = body
	}
	return f
}

// Write writes a file.
func (f *folder) Write(name, body string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files[name] = body
}

// Remove removes a file.
func (f *folder) Remove(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.files, name)
}

// SetSettings sets the project settings.
func (f *folder) SetSettings(settings lsp.ProjectSettings) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.settings = settings
}

func (f *folder) read(name string) (string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	body, ok := f.files[name]
	return body, ok
}

// adkFiles returns the names of the ADK files in a folder.
func (f *folder) adkFiles(folder string) (names []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for name := range f.files {
		if path.Dir(name) == folder && adk.IsKnownName(path.Base(name)) {
			names = append(names, path.Base(name))
		}
	}
	slices.Sort(names)
	return names
}

// Disk returns the folder as the server's disk.
func (f *folder) Disk() lsp.Disk {
	locate := func(evalFile, reference string) string {
		name := path.Join(path.Dir(evalFile), reference)
		if _, ok := f.read(name); !ok {
			return ""
		}
		return name
	}
	return lsp.Disk{
		Locate: locate,
		Input: func(name string) analysis.Input {
			in := analysis.Input{Path: name}
			in.ReadFile = func(reference string) (string, bool) { return f.read(locate(name, reference)) }
			in.FolderNames = func() []string { return f.adkFiles(path.Dir(name)) }
			if targets, ok := f.read(path.Join(path.Dir(name), "targets.yaml")); ok {
				in.Targets = agentv.TargetNames(yaml.Parse(text.New("targets.yaml", targets)))
			}
			return in
		},
		ProgramFingerprint: func(evalFile, program string) string {
			body, _ := f.read(path.Join(path.Dir(evalFile), program))
			return body
		},
		TargetsFingerprint: func(evalFile string) string {
			body, _ := f.read(path.Join(path.Dir(evalFile), "targets.yaml"))
			return body
		},
		Settings: func(string) (lsp.ProjectSettings, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			return f.settings, nil
		},
		ReadFile: func(name string) (string, error) {
			if body, ok := f.read(name); ok {
				return body, nil
			}
			return "", errors.New(name + ": no such file")
		},
		EvalFiles: func(folders []string) (all []string) {
			f.mu.Lock()
			defer f.mu.Unlock()
			for name := range f.files {
				if slices.ContainsFunc(folders, func(folder string) bool { return strings.HasPrefix(name, folder+"/") }) && (path.Ext(name) == ".yaml" || adk.IsKnownName(path.Base(name))) {
					all = append(all, name)
				}
			}
			slices.Sort(all)
			return all
		},
	}
}
