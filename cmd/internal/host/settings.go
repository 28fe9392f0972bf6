package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/project"
	"github.com/rubric-ls/rubric/core/judge/price"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// SettingsFile is the name of a project's settings file.
const SettingsFile = agentv.SettingsName

// Settings are what a settings file says.
type Settings struct {
	Severities map[string]diag.Severity
	Prices     ProjectPrices
	Run        run.Named
}

// FindSettings returns the settings of the nearest settings file, or empty ones if there is none. Files are not merged.
func FindSettings(evalFile string) (Settings, error) {
	for _, dir := range disk.SearchFolders(evalFile) {
		path := filepath.Join(dir, SettingsFile)
		if _, err := os.Stat(path); err == nil {
			return readSettings(path)
		}
		if other := strings.TrimSuffix(path, "yaml") + "yml"; disk.Exists(other) {
			return Settings{}, fmt.Errorf("%s is not read; rename it to %s", other, SettingsFile)
		}
	}
	return Settings{}, nil
}

// Severities returns the rule severities for a file. A settings file is checked whatever its own
// errors.
func Severities(evalFile string) (map[string]diag.Severity, error) {
	found, err := FindSettings(evalFile)
	if filepath.Base(evalFile) == SettingsFile {
		err = nil
	}
	return found.Severities, err
}

// RunSettings returns the settings of runs for a file.
func RunSettings(evalFile string) (run.Named, error) {
	found, err := FindSettings(evalFile)
	return found.Run, err
}

func readSettings(path string) (found Settings, err error) {
	body, err := disk.ReadFile(path)
	if err != nil {
		return found, err
	}
	tree := yaml.Parse(text.New(path, body))
	found.Severities, err = lint.ReadConfig(tree)
	if err == nil {
		found.Run, err = run.ReadProject(path, func(o run.Option) (any, int) { return lint.ConfigValue(tree, o.Key(), o.Type() == "string") })
	}
	if prices := tree.Root().Get(project.PricesKey); err == nil && prices != nil {
		found.Prices.File = path
		found.Prices.Table, err = readPriceTable(tree, prices)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return found, err
}

// ProjectPrices are the prices in a settings file, which may come with a repository.
type ProjectPrices struct {
	File  string
	Table price.Table
}

// ReadPrices reads a file of prices in YAML or JSON; see readPriceTable. It may be a
// .rubric.yaml, which has prices under a key.
func ReadPrices(path string) (price.Table, error) {
	body, err := disk.ReadArgument(path)
	if err != nil {
		return nil, err
	}
	tree := yaml.Parse(text.New(path, body))
	for _, p := range tree.Problems {
		return nil, fmt.Errorf("%s:%d: %s", path, tree.Source.OffsetLine(p.Span.Start)+1, p.Message)
	}
	prices := tree.Root()
	if under := prices.Get(project.PricesKey); under != nil {
		prices = under
		_, err = lint.ReadConfig(tree) // report errors in the other settings
	}
	var table price.Table
	if err == nil {
		table, err = readPriceTable(tree, prices)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// readPriceTable reads a mapping from PROVIDER:MODEL to {input, output}, in US dollars per million
// tokens. An error names the first fault and its line.
func readPriceTable(tree *yaml.Tree, prices *yaml.Node) (price.Table, error) {
	fault := func(n *yaml.Node, format string, args ...any) error {
		return fmt.Errorf("line %d: "+format, append([]any{tree.Source.OffsetLine(n.Span.Start) + 1}, args...)...)
	}
	if !prices.IsMap() {
		return nil, fault(prices, "prices are a mapping from PROVIDER:MODEL to {input, output}")
	}
	table := price.Table{}
	for _, p := range prices.Entries() {
		model := p.Key.Value
		if err := wire.CheckPriced(model); err != nil {
			return nil, fault(p.Key, "%w", err)
		}
		input, hasInput := p.Value.Get("input").Number()
		output, hasOutput := p.Value.Get("output").Number()
		if !hasInput || !hasOutput || !(input >= 0) || !(output >= 0) || len(p.Value.Entries()) != 2 {
			return nil, fault(p.Key, "the price of `%s` is not {input, output}, in US dollars per million tokens", model)
		}
		table[model] = price.Rate{Input: input, Output: output}
	}
	return table, nil
}
