package cache

import (
	"strings"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/run"
)

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
}

// PathOf returns the path of a URI. The path of an untitled buffer or of a virtual file does not
// exist on this machine.
func PathOf(u uri.URI) string {
	if u.IsFile() {
		return u.FsPath()
	}
	return strings.TrimPrefix(u.Path(), "/")
}
