package host

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/project"
	"github.com/rubric-ls/rubric/core/judge/price"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

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
		provider, _, cut := strings.Cut(model, ":")
		if !cut {
			return nil, fault(p.Key, "the price of `%s` does not name PROVIDER:MODEL, such as `openai:gpt-4.1`", model)
		}
		if _, found := wire.FindProvider(provider); !found {
			return nil, fault(p.Key, "the price of `%s`: there is no provider `%s`%s", model, provider,
				spell.DidYouMeanOr(provider, ProviderNames(), "there are "+diag.JoinList(diag.Backtick(ProviderNames()), "and")))
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

// ProviderNames returns the names of all providers of models.
func ProviderNames() (all []string) {
	for _, p := range wire.Providers() {
		all = append(all, p.Name)
	}
	return all
}
