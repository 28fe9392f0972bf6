package lsp

import (
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

// dependencies holds what an analysis depends on outside its own text, and records which of it was
// read. The answers stay the same for the lifetime of the value; isCurrent tells when it is out of
// date.
type dependencies struct {
	input analysis.Input // without Text

	mu     sync.Mutex
	files  map[string]fileContent
	folder *[]string // the names that were listed; nil if the folder was not listed

	project    ProjectSettings
	projectErr error // why the project's settings cannot be read

	inputsMu sync.Mutex
	inputs   *evalsetInputs

	readUnsaved func(name string) (string, bool) // reads an open sibling of a document that is not on disk

	computeFingerprint func(program string) string // the empty name stands for the targets
	fingerprints       map[string]string           // those that were computed
}

// fileContent is the result of reading a referenced file.
type fileContent struct {
	body  string
	found bool
}

// loadDependencies finds what the analysis of u depends on. Open documents take precedence over
// their files on disk.
func (s *session) loadDependencies(u uri.URI) *dependencies {
	dp := &dependencies{input: analysis.Input{Path: pathOf(u)}, files: map[string]fileContent{}, fingerprints: map[string]string{}}
	if disk := s.disk; disk.Input != nil && u.IsFile() {
		dp.input = disk.Input(dp.input.Path)
		if onDisk := dp.input.ReadFile; onDisk != nil {
			dp.input.ReadFile = dp.cacheReads(func(name string) fileContent { return s.readReference(dp.input.Path, name, onDisk) })
		}
	}
	if !u.IsFile() {
		dp.readUnsaved = func(name string) (string, bool) {
			if d := s.snapshot.Load().Documents[uri.URI(string(u)[:strings.LastIndexAny(string(u), ":/")+1]+url.PathEscape(name))]; d != nil {
				return d.body(), true
			}
			return "", false
		}
	}
	if read := s.disk.Settings; read != nil && u.IsFile() {
		if dp.project, dp.projectErr = read(u.FsPath()); dp.projectErr != nil {
			s.log("%v", dp.projectErr)
		}
	}
	if list := dp.input.FolderNames; list != nil {
		dp.input.FolderNames = func() []string { return dp.listFolder(list) }
	}
	if apply := dp.input.LoadSchema; apply != nil && dp.input.ReadFile != nil {
		dp.input.LoadSchema = func(name string) (*lint.Schema, error) {
			dp.input.ReadFile(name) // records the file, so that isCurrent notices a change
			return apply(name)
		}
	}
	dp.computeFingerprint = func(program string) string {
		switch {
		case !u.IsFile():
		case program == "" && s.disk.TargetsFingerprint != nil:
			return s.disk.TargetsFingerprint(u.FsPath())
		case program != "" && s.disk.ProgramFingerprint != nil:
			return s.disk.ProgramFingerprint(u.FsPath(), program)
		}
		return ""
	}
	dp.input.Severities = s.severities(dp.project.Severities)
	return dp
}

// analyse returns the analysis of body with these dependencies.
func (dp *dependencies) analyse(body string) *analysis.Analysis {
	in := dp.input
	in.Text = body
	return analysis.Of(in)
}

// cacheReads caches the results of find. Analyses of several versions may read at once and must see
// the same text.
func (dp *dependencies) cacheReads(find func(name string) fileContent) func(string) (string, bool) {
	return func(name string) (string, bool) {
		dp.mu.Lock()
		defer dp.mu.Unlock()
		content, known := dp.files[name]
		if !known {
			content = find(name)
			dp.files[name] = content
		}
		return content.body, content.found
	}
}

// fingerprint returns the cached fingerprint of a program, or of the targets if program is "".
func (dp *dependencies) fingerprint(program string) string {
	dp.mu.Lock()
	defer dp.mu.Unlock()
	fingerprint, known := dp.fingerprints[program]
	if !known {
		fingerprint = dp.computeFingerprint(program)
		dp.fingerprints[program] = fingerprint
	}
	return fingerprint
}

// listFolder returns the cached listing of the file's folder.
func (dp *dependencies) listFolder(list func() []string) []string {
	dp.mu.Lock()
	defer dp.mu.Unlock()
	if dp.folder == nil {
		names := list()
		dp.folder = &names
	}
	return *dp.folder
}

// readReference reads the file that from refers to as name.
func (s *session) readReference(from, name string, onDisk func(string) (string, bool)) (content fileContent) {
	if locate := s.disk.Locate; locate != nil {
		if path := locate(from, name); path != "" {
			if d := s.snapshot.Load().Documents[uri.File(path)]; d != nil {
				return fileContent{d.body(), true}
			}
		}
	}
	content.body, content.found = onDisk(name)
	return content
}

// isCurrent reports whether everything that was read from dp has the same value in latest.
func (dp *dependencies) isCurrent(latest *dependencies) bool {
	before, after := dp.input, latest.input
	if before.HasCases != after.HasCases || !reflect.DeepEqual(dp.project.Run, latest.project.Run) || fmt.Sprint(dp.projectErr) != fmt.Sprint(latest.projectErr) || (before.Sidecar == nil) != (after.Sidecar == nil) || deref(before.Sidecar) != deref(after.Sidecar) || !maps.Equal(before.Severities, after.Severities) ||
		(before.Targets == nil) != (after.Targets == nil) || !slices.Equal(before.Targets, after.Targets) || (before.ReadFile == nil) != (after.ReadFile == nil) {
		return false
	}
	dp.mu.Lock()
	files, folder, fingerprints := maps.Clone(dp.files), dp.folder, maps.Clone(dp.fingerprints)
	dp.mu.Unlock()
	for program, fingerprint := range fingerprints {
		if latest.fingerprint(program) != fingerprint {
			return false
		}
	}
	if folder != nil && (after.FolderNames == nil || !slices.Equal(*folder, after.FolderNames())) {
		return false
	}
	for name, content := range files {
		if body, found := after.ReadFile(name); body != content.body || found != content.found {
			return false
		}
	}
	return true
}

// filesFingerprint hashes the files that a case refers to in messages, prompts and programs. It is
// "" if there are none.
func (dp *dependencies) filesFingerprint(c *rubric.Case) string {
	files, programs := referencedFiles(c)
	if dp.input.ReadFile == nil {
		files = nil
	}
	if len(files)+len(programs) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, name := range files {
		body, found := dp.input.ReadFile(name)
		fmt.Fprintf(sum, "%q %v %d\n", name, found, len(body))
		_, _ = io.WriteString(sum, body) // a hash never fails
	}
	for _, name := range programs {
		fmt.Fprintf(sum, "%q %s\n", name, dp.fingerprint(name))
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// referencedFiles returns the files that a case refers to, and the words of its commands, each of
// which may be a program's file.
func referencedFiles(c *rubric.Case) (names, programs []string) {
	for _, messages := range [][]rubric.Message{c.Asked(), c.Expected} {
		for _, m := range messages {
			parts, _ := m.Content.([]any)
			for _, p := range parts {
				part, _ := p.(map[string]any)
				if name, ok := part["value"].(string); ok && part["type"] == "file" {
					names = append(names, name)
				}
			}
		}
	}
	var visit func([]*rubric.Grader)
	visit = func(graders []*rubric.Grader) {
		for _, g := range graders {
			if g.Prompt != nil {
				programs = append(programs, commandPaths(g.Prompt.Script, "")...)
				if g.Prompt.Path != "" {
					names = append(names, g.Prompt.Path)
				}
			}
			if g.Code != nil {
				programs = append(programs, commandPaths(g.Code.Argv, g.Code.Dir)...)
			}
			visit(g.Members)
		}
	}
	visit(grade.GradersOf(c))
	return names, programs
}

// commandPaths splits a command, or a shell line, into words and joins the relative ones to dir.
func commandPaths(argv []string, dir string) (paths []string) {
	for _, word := range strings.Fields(strings.Join(argv, " ")) {
		if !path.IsAbs(word) {
			word = path.Join(dir, word)
		}
		paths = append(paths, word)
	}
	return paths
}
