package host

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
)

// Input is a file's text and what its analysis has to know of those beside it:
// cases in JSONL have a sidecar, a YAML file of the same name.
func Input(path, body string) analysis.Input {
	in := analysis.Input{Path: path, Text: body}
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	switch filepath.Ext(path) {
	case ".jsonl":
		for _, ext := range []string{".yaml", ".yml"} {
			if sidecar, err := Read(stem + ext); err == nil {
				in.Sidecar = &sidecar
				break
			}
		}
	case ".yaml", ".yml":
		info, err := os.Stat(stem + ".jsonl")
		in.HasCases = err == nil && info.Mode().IsRegular()
	}
	return in
}
