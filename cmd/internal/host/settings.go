package host

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/project"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// SettingsFile is the name of a project's settings file.
const SettingsFile = agentv.SettingsName

// Settings finds the settings of eval files, and reads each file once. The nearest file counts;
// files are not merged.
type Settings struct{ cache sync.Map }

type projectSettings struct {
	severities map[string]diag.Severity
	prices     ProjectPrices
	run        run.Named
	err        error
}

// Severities returns the rule severities for a file. A settings file is checked whatever its own
// errors.
func (s *Settings) Severities(evalFile string) (map[string]diag.Severity, error) {
	found := s.nearest(evalFile)
	if filepath.Base(evalFile) == SettingsFile {
		return found.severities, nil
	}
	return found.severities, found.err
}

// Prices returns the model prices for a file.
func (s *Settings) Prices(evalFile string) (ProjectPrices, error) {
	found := s.nearest(evalFile)
	return found.prices, found.err
}

// Run returns the settings of runs for a file.
func (s *Settings) Run(evalFile string) (run.Named, error) {
	found := s.nearest(evalFile)
	return found.run, found.err
}

// nearest returns the nearest settings, or empty ones if there are none.
func (s *Settings) nearest(evalFile string) *projectSettings {
	for _, dir := range disk.SearchFolders(evalFile) {
		path := filepath.Join(dir, SettingsFile)
		known, seen := s.cache.Load(path)
		if !seen {
			known, _ = s.cache.LoadOrStore(path, readSettings(path))
		}
		if found := known.(*projectSettings); found != nil {
			return found
		}
	}
	return &projectSettings{}
}

// readSettings returns nil if there is no file.
func readSettings(path string) *projectSettings {
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	body, err := disk.ReadFile(path)
	if err != nil {
		return &projectSettings{err: err}
	}
	tree := yaml.Parse(text.New(path, body))
	found := &projectSettings{}
	found.severities, err = lint.ReadConfig(tree)
	if err == nil {
		found.run, err = run.ReadProject(path, func(o run.Option) (any, int) { return lint.ConfigValue(tree, o.Key(), o.Type() == "string") })
	}
	if prices := tree.Root().Get(project.PricesKey); err == nil && prices != nil {
		found.prices.File = path
		found.prices.Table, err = readPriceTable(tree, prices)
	}
	if err != nil {
		found.err = fmt.Errorf("%s: %w", path, err)
	}
	return found
}
