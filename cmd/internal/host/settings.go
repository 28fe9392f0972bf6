package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/project"
	"github.com/rubric-ls/rubric/core/judge/price"
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

// readSettings returns nil if there is no file.
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

// lookupRate returns the rate of a model, or nil if it is unknown. The user's prices come first,
// then those of settings files. Built-in prices apply at the provider's own address. It returns
// an error if a limit needs a price that is unknown.
func (p *Ports) lookupRate(m provider.Model) (*run.Rate, error) {
	if rate, ok := p.Prices.Lookup(m.Provider.Name, m.Name); ok {
		return &run.Rate{Rate: rate}, nil
	}
	limited := p.Budget != nil && p.Budget.Max > 0
	builtIn, known := price.BuiltIn().Lookup(m.Provider.Name, m.Name)
	var found *run.Rate
	for _, project := range p.ProjectPrices {
		rate, ok := project.Table.Lookup(m.Provider.Name, m.Name)
		switch {
		case !ok:
		case limited:
			found = p.limitedRate(found, rate, builtIn, project.File, m)
		default:
			found = &run.Rate{Rate: rate, File: project.File}
		}
	}
	switch {
	case found != nil:
		return found, nil
	case known && (m.Base == "" || strings.TrimRight(m.Base, "/") == m.Provider.BaseURL):
		return &run.Rate{Rate: builtIn, BuiltIn: true}, nil
	case limited:
		where := ""
		if m.Base != "" {
			where = " at its address" // the built-in prices are those at the provider's own address
		}
		return nil, fmt.Errorf("the price of `%s:%s`%s is unknown, so it cannot run under a cost limit; set it with --prices or in .rubric.yaml", m.Provider.Name, m.Name, where)
	}
	return nil, nil
}

// limitedRate returns the rate of a settings file under a limit. It is never below the built-in
// price or that of another settings file, so a repository cannot lift the limit.
func (p *Ports) limitedRate(found *run.Rate, rate, builtIn price.Rate, file string, m provider.Model) *run.Rate {
	higher := price.Rate{Input: max(rate.Input, builtIn.Input), Output: max(rate.Output, builtIn.Output)}
	if higher != rate {
		p.noteOnce(fmt.Sprintf("%s: its price of `%s:%s` is below the built-in one, which the limit uses; --prices FILE overrides both", file, m.Provider.Name, m.Name))
	}
	if found != nil {
		higher = price.Rate{Input: max(higher.Input, found.Input), Output: max(higher.Output, found.Output)}
	}
	return &run.Rate{Rate: higher, File: file}
}
