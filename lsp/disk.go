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
	// Input is what an analysis of a file has to know of those beside it; the text
	// of the file itself is left out.
	Input func(path string) analysis.Input
	// Locate is the path of a file that an eval file refers to; "" if there is
	// none.
	Locate func(evalFile, reference string) string
	// ProgramFingerprint tells one state of a program's file from another, by its path from an
	// eval file's folder; "" if there is none.
	ProgramFingerprint func(evalFile, program string) string
	// TargetsFingerprint tells one state of the targets that hold for a file from another.
	TargetsFingerprint func(evalFile string) string
	// Severities are those that the settings beside a file ask for. It is asked
	// anew for every file and must not remember.
	Severities func(path string) (map[string]diag.Severity, error)
	// ADKProfile is whose rules hold for ADK's files as the settings beside a file have it;
	// "" for the latest. It is asked anew for every file and must not remember.
	ADKProfile func(path string) metric.Profile
	// ReadFile is a file's text.
	ReadFile func(path string) (string, error)
	// ListFolder lists a folder, by its path from a file's own.
	ListFolder func(evalFile, path string) []assist.DirEntry
	// EvalFiles are the files below folders that may be evals.
	EvalFiles func(folders []string) []string
}
