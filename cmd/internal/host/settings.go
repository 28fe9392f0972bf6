package host

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// SettingsFile is what a project's settings are called.
const SettingsFile = ".rubric.yaml"

// Settings finds the settings of eval files, and reads each of them once. The
// nearest file counts; they are not merged.
type Settings struct{ read sync.Map }

type settings struct {
	severities map[string]diag.Severity
	err        error
}

// Of gives the severities that hold for a file.
func (s *Settings) Of(evalFile string) (map[string]diag.Severity, error) {
	for _, dir := range Folders(evalFile) {
		path := filepath.Join(dir, SettingsFile)
		known, seen := s.read.Load(path)
		if !seen {
			known, _ = s.read.LoadOrStore(path, readSettings(path))
		}
		if found := known.(*settings); found != nil {
			return found.severities, found.err
		}
	}
	return nil, nil
}

// readSettings is nil where there is no file.
func readSettings(path string) *settings {
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	body, err := Read(path)
	if err != nil {
		return &settings{err: err}
	}
	severities, err := lint.ReadConfig(yaml.Parse(text.New(path, body)))
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return &settings{severities, err}
}
