package analysis

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

// Input is one file and what has to be known of those beside it.
type Input struct {
	Path    string // tells the format; may be made up
	Text    string
	Sidecar *string // for JSONL: the text of the YAML file of the same name, if there is one
	// HasCases says that a JSONL file of the same name is beside this YAML file.
	HasCases bool
	// Severities change those of rules, by their id; 0 turns a rule off.
	Severities map[string]diag.Severity
	// ReadFile gives the text of a file that this one refers to; nil where nobody
	// can tell. It must give the same answer for as long as the analysis is used.
	ReadFile func(reference string) (body string, found bool)
	// OutsideReason gives why Files does not follow a reference to a file that is there, such
	// as one that leads out of the repository; "" for every other. It may be nil.
	OutsideReason func(reference string) (why string)
	// FolderNames gives the names of the files in the file's own folder that ADK may read
	// with it, sorted; nil where nobody can tell. Files gives their texts.
	FolderNames func() []string
	// Targets are the names in the targets file that holds for this file; nil if
	// there is none.
	Targets []string
	// LoadSchema finds the JSON Schema that the file names; nil where nobody can. It
	// must give the same answer for as long as the analysis is used.
	LoadSchema lint.SchemaLoader
	// ForRun keeps what [Analysis.ToRun] gives. Checked says that rules have looked at
	// the file before, and need not again.
	ForRun, SkipLint bool
}

// baseName is the file's base name without its extension: the suite's, by default.
func (in *Input) baseName() string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(in.Path, `\`, "/")), path.Ext(in.Path))
}
