package lsp

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/metric"
)

// Disk is what a server may read besides what clients have open. Any of it may
// be nil, and then there is nothing of the kind: a client elsewhere is not to
// see this machine's files.
type Disk struct {
	// Beside is what an analysis of a file has to know of those beside it; the text
	// of the file itself is left out.
	Beside func(path string) analysis.Input
	// Locate is the path of a file that an eval file refers to; "" if there is
	// none.
	Locate func(evalFile, reference string) string
	// Stamp tells one state of a program's file from another, by its path from an
	// eval file's folder; "" if there is none.
	Stamp func(evalFile, program string) string
	// Targets tells one state of the targets that hold for a file from another.
	Targets func(evalFile string) string
	// Severities are those that the settings beside a file ask for. It is asked
	// anew for every file and must not remember.
	Severities func(path string) (map[string]diag.Severity, error)
	// ADK is whose rules hold for ADK's files as the settings beside a file have it;
	// "" for the latest. It is asked anew for every file and must not remember.
	ADK func(path string) metric.Profile
	// Read is a file's text.
	Read func(path string) (string, error)
	// Folder lists a folder, by its path from a file's own.
	Folder func(evalFile, path string) []assist.Entry
	// Files are the files below folders that may be evals.
	Files func(folders []string) []string
}
