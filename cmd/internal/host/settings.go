package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// SettingsFile is what a project's settings are called.
const SettingsFile = ".rubric.yaml"

// Settings finds the settings of eval files, and reads each of them once. The
// nearest file counts; they are not merged.
type Settings struct{ cache sync.Map }

type projectSettings struct {
	severities map[string]diag.Severity
	prices     ProjectPrices
	adk        metric.Profile
	err        error
}

// Severities gives the severities that hold for a file.
func (s *Settings) Severities(evalFile string) (map[string]diag.Severity, error) {
	found := s.nearest(evalFile)
	return found.severities, found.err
}

// Prices are what models cost as the settings for a file have it.
func (s *Settings) Prices(evalFile string) (ProjectPrices, error) {
	found := s.nearest(evalFile)
	return found.prices, found.err
}

// ADKProfile is whose rules hold for ADK's files as the settings have it; "" if they do
// not say.
func (s *Settings) ADKProfile(evalFile string) (metric.Profile, error) {
	found := s.nearest(evalFile)
	return found.adk, found.err
}

// nearest is empty where there are no settings.
func (s *Settings) nearest(evalFile string) *projectSettings {
	for _, dir := range SearchFolders(evalFile) {
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

// readSettings is nil where there is no file.
func readSettings(path string) *projectSettings {
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	body, err := ReadFile(path)
	if err != nil {
		return &projectSettings{err: err}
	}
	tree := yaml.Parse(text.New(path, body))
	found := &projectSettings{}
	found.severities, err = lint.ReadConfig(tree)
	if prices := tree.Root().Get(lint.PricesKey); err == nil && prices != nil {
		found.prices.File = path
		found.prices.Table, err = readPriceTable(tree, prices)
	}
	if profile := tree.Root().Get(lint.ADKKey); err == nil && profile != nil {
		found.adk = metric.Profile(profile.Value)
		if !slices.Contains(metric.Profiles, found.adk) {
			err = fmt.Errorf("line %d: `%s` is `latest` or `2.0`, not `%s`", tree.Source.OffsetLine(profile.Span.Start)+1, lint.ADKKey, profile.Value)
		}
	}
	if err != nil {
		found.err = fmt.Errorf("%s: %w", path, err)
	}
	return found
}
