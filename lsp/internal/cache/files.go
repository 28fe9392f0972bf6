package cache

import (
	"fmt"
	"maps"
	"net/url"
	"strings"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/run"
)

// loadDependencies finds what the analysis of u depends on. Open documents take precedence over
// their files on disk.
func (sh *shared) loadDependencies(u uri.URI) *dependencies {
	dp := &dependencies{}
	dp.input.Path = PathOf(u)
	if sh.disk.Input != nil && u.IsFile() {
		dp.input = sh.disk.Input(dp.input.Path)
		if onDisk := dp.input.ReadFile; onDisk != nil {
			dp.files.Find = func(name string) fileContent { return sh.readReference(dp.input.Path, name, onDisk) }
			dp.input.ReadFile = func(name string) (string, bool) {
				content := dp.files.Get(name)
				return content.body, content.found
			}
		}
	}
	if !u.IsFile() {
		dp.readUnsaved = func(name string) (string, bool) {
			if d := sh.Current().Documents[uri.URI(string(u)[:strings.LastIndexAny(string(u), ":/")+1]+url.PathEscape(name))]; d != nil {
				return d.Body(), true
			}
			return "", false
		}
	}
	if read := sh.disk.Settings; read != nil && u.IsFile() {
		if dp.project, dp.projectErr = read(u.FsPath()); dp.projectErr != nil {
			sh.logf("%v", dp.projectErr)
		}
	}
	if list := dp.input.FolderNames; list != nil {
		dp.folders.Find = func(string) []string { return list() }
		dp.input.FolderNames = func() []string { return dp.folders.Get("") }
	}
	if dp.lists.Find = dp.input.ListFiles; dp.lists.Find != nil {
		dp.input.ListFiles = dp.lists.Get
	}
	if apply := dp.input.LoadSchema; apply != nil && dp.input.ReadFile != nil {
		dp.input.LoadSchema = func(name string) (lint.Validator, error) {
			dp.input.ReadFile(name) // records the file, so that isCurrent notices a change
			return apply(name)
		}
	}
	dp.fingerprints.Find = func(program string) string {
		switch {
		case !u.IsFile():
		case program == "" && sh.disk.TargetsFingerprint != nil:
			return sh.disk.TargetsFingerprint(u.FsPath())
		case program != "" && sh.disk.ProgramFingerprint != nil:
			return sh.disk.ProgramFingerprint(u.FsPath(), program)
		}
		return ""
	}
	dp.inputs.Find = func(setting string) *evalsetInputs { return newEvalsetInputs(&dp.environment, setting) }
	dp.agents.Find = func(target string) bool {
		return u.IsFile() && sh.disk.IsAgent != nil && sh.disk.IsAgent(u.FsPath(), target)
	}
	dp.input.Severities = map[string]diag.Severity{}
	maps.Copy(dp.input.Severities, dp.project.Severities)
	maps.Copy(dp.input.Severities, sh.Current().Severities) // override those of the project, as flags do on the command line
	return dp
}

// readReference reads the file that from refers to as name.
func (sh *shared) readReference(from, name string, onDisk func(string) (string, bool)) (content fileContent) {
	if locate := sh.disk.Locate; locate != nil {
		if path := locate(from, name); path != "" {
			if d := sh.Current().Documents[uri.File(path)]; d != nil {
				return fileContent{d.Body(), true}
			}
		}
	}
	content.body, content.found = onDisk(name)
	return content
}

// cachedFile is a closed file with its analysis.
type cachedFile struct {
	*analysis.Analysis
	body string
	deps *dependencies
}

// closedAnalysis returns the analysis of a file on disk, or nil if it cannot be read.
func (sh *shared) closedAnalysis(u uri.URI) *analysis.Analysis {
	if sh.disk.ReadFile == nil || !u.IsFile() {
		return nil
	}
	body, err := sh.disk.ReadFile(u.FsPath())
	if err != nil {
		sh.closed.Delete(u)
		return nil
	}
	deps := sh.loadDependencies(u)
	if known, ok := sh.closed.Load(u); ok {
		if f := known.(cachedFile); f.body == body && f.deps.isCurrent(deps) {
			return f.Analysis
		}
	}
	a := deps.analyse(body)
	sh.closed.Store(u, cachedFile{a, body, deps})
	return a
}

// LoadDocument returns a document, from the open documents or from disk.
func (s *Snapshot) LoadDocument(u uri.URI) (*Document, error) {
	if d := s.Documents[u]; d != nil {
		return d, nil
	}
	readFile := s.shared.disk.ReadFile
	if readFile == nil || !u.IsFile() {
		return nil, fmt.Errorf("`%s` is not open", u)
	}
	body, err := readFile(u.FsPath())
	if err != nil {
		return nil, err
	}
	u = uri.URI(strings.Clone(string(u))) // the results keep it
	return newDocument(u, 0, body, s.shared.loadDependencies(u)), nil
}

// WorkspaceFiles returns the files in the workspace folders, the open files, and others that the
// client knows, which may be deleted.
func (s *Snapshot) WorkspaceFiles(known map[uri.URI]string) (all []uri.URI) {
	seen := map[uri.URI]bool{}
	add := func(u uri.URI) {
		if !seen[u] {
			seen[u] = true
			all = append(all, u)
		}
	}
	var folders []string
	for _, f := range s.Folders {
		if f.URI.IsFile() {
			folders = append(folders, f.URI.FsPath())
		}
	}
	if files := s.shared.disk.EvalFiles; files != nil && len(folders) > 0 {
		for _, path := range files(folders) {
			add(uri.File(path))
		}
	}
	for u := range s.Documents {
		add(u)
	}
	for u := range known {
		add(u)
	}
	return all
}

// OtherFiles returns the workspace's eval files other than d, open or on disk. It leaves out files
// that cannot be analysed; their diagnostics say why.
func (s *Snapshot) OtherFiles(d *Document) (files []*ide.File) {
	for _, u := range s.WorkspaceFiles(nil) {
		if d != nil && u == d.URI {
			continue
		}
		s.shared.GuardPanic(string(u), func() {
			var a *analysis.Analysis
			if open := s.EvalDocument(u); open != nil {
				a = open.Analysis
			} else if s.Documents[u] == nil {
				a = s.shared.closedAnalysis(u)
			}
			if a != nil && a.Recognised() {
				files = append(files, s.File(u, a))
			}
		})
	}
	return files
}

// ProjectSettings are the settings of a project that apply to a file.
type ProjectSettings struct {
	Severities map[string]diag.Severity // of rules
	Run        run.Named                // the options of runs
}

// Disk is the server's access to files: it reads them, and stores results. A nil function means that
// the server cannot access this
// kind of data, as for a remote client that must not see this machine's files.
type Disk struct {
	// Input returns everything that the analysis of a file needs, except the file's own text.
	Input func(path string) analysis.Input
	// Locate returns the path of a file that an eval file refers to, or "" if it does not exist.
	Locate func(evalFile, reference string) string
	// ProgramFingerprint identifies the state of a program's file, given relative to the eval
	// file's folder. It is "" if there is no such file.
	ProgramFingerprint func(evalFile, program string) string
	// TargetsFingerprint identifies the state of the targets that apply to a file.
	TargetsFingerprint func(evalFile string) string
	// IsAgent reports whether the name of a target is that of a running agent.
	IsAgent func(evalFile, target string) bool
	// Settings returns the project settings that apply to a file. It is called once per file and
	// must not cache.
	Settings func(path string) (ProjectSettings, error)
	// ReadFile returns a file's text.
	ReadFile func(path string) (string, error)
	// ListFolder lists a folder, given relative to the eval file's folder.
	ListFolder func(evalFile, path string) []ide.DirEntry
	// EvalFiles returns the files in folders, at any depth, that may be eval files.
	EvalFiles func(folders []string) []string
	// LoadResults returns the stored results of a file's cases, the last run first, and at most so many
	// of each case.
	LoadResults func(evalFile string, each int) []run.SavedResult
	// SaveResults stores results of a run.
	SaveResults func(evalFile string, results []run.SavedResult) error
	// MoveResults moves the stored results of a file, or of the files in a folder, which has a new path.
	MoveResults func(from, to string)
}

// PathOf returns the path of a URI. The path of an untitled buffer or of a virtual file does not
// exist on this machine.
func PathOf(u uri.URI) string {
	if u.IsFile() {
		return u.FsPath()
	}
	return strings.TrimPrefix(u.Path(), "/")
}
