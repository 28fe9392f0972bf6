package host

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/judge/wire"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Rate is what a model charges.
type Rate struct {
	price.Rate
	BuiltIn bool   // it is one of [price.Known]
	File    string // the settings file that sets it; "" for any other source
}

// ProjectPrices are the prices of a settings file, which a repository brings along.
type ProjectPrices struct {
	File  string
	Table price.Table
}

// ReadPrices reads a file of prices, YAML or JSON; see [price.Read]. It may be a
// .rubric.yaml, which has them under a key.
func ReadPrices(path string) (price.Table, error) {
	body, err := ReadArgument(path)
	if err != nil {
		return nil, err
	}
	tree := yaml.Parse(text.New(path, body))
	for _, p := range tree.Problems {
		return nil, fmt.Errorf("%s:%d: %s", path, tree.Source.OffsetLine(p.Span.Start)+1, p.Message)
	}
	prices := tree.Root()
	if under := prices.Get(lint.PricesKey); under != nil {
		prices = under
		_, err = lint.ReadConfig(tree) // of what stands beside it
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

// readPriceTable are prices of models that there are providers of.
func readPriceTable(tree *yaml.Tree, prices *yaml.Node) (price.Table, error) {
	table, err := price.ReadTable(tree, prices)
	if err != nil {
		return nil, err
	}
	for _, p := range prices.Entries() {
		name, _, _ := strings.Cut(p.Key.Value, ":")
		if _, found := wire.FindProvider(name); !found {
			return nil, fmt.Errorf("line %d: the price of `%s`: there is no provider `%s`%s", tree.Source.OffsetLine(p.Key.Span.Start)+1,
				p.Key.Value, name, spell.DidYouMeanOr(name, providerNames(), "there are "+diag.JoinList(diag.Backtick(providerNames()), "and")))
		}
	}
	return table, nil
}

// lookupRate is what a model charges; nil where no source says. The prices that the person
// names come first, then those of settings files, then, at the provider's own address,
// the built-in ones. An error says that a limit needs a price.
func (p *Ports) lookupRate(m provider.Model) (*Rate, error) {
	if rate, ok := p.Prices.Lookup(m.Provider.Name, m.Name); ok {
		return &Rate{Rate: rate}, nil
	}
	limited := p.Budget != nil && p.Budget.Max > 0
	builtIn, known := price.BuiltIn().Lookup(m.Provider.Name, m.Name)
	var found *Rate
	for _, project := range p.ProjectPrices {
		rate, ok := project.Table.Lookup(m.Provider.Name, m.Name)
		switch {
		case !ok:
		case limited:
			found = p.limitedRate(found, rate, builtIn, project.File, m)
		default:
			found = &Rate{Rate: rate, File: project.File}
		}
	}
	switch {
	case found != nil:
		return found, nil
	case known && (m.Base == "" || strings.TrimRight(m.Base, "/") == m.Provider.BaseURL):
		return &Rate{Rate: builtIn, BuiltIn: true}, nil
	case limited:
		where := ""
		if m.Base != "" {
			where = " at its address" // for the known prices are the provider's own
		}
		return nil, fmt.Errorf("what `%s:%s` costs%s is not known, so that no limit can be kept; say it by --prices or in a .rubric.yaml", m.Provider.Name, m.Name, where)
	}
	return nil, nil
}

// limitedRate is the rate of a settings file under a limit: never below the built-in price or
// that of another settings file, so that no repository can take the limit away.
func (p *Ports) limitedRate(found *Rate, rate, builtIn price.Rate, file string, m provider.Model) *Rate {
	higher := price.Rate{Input: max(rate.Input, builtIn.Input), Output: max(rate.Output, builtIn.Output)}
	if higher != rate {
		p.noteOnce(fmt.Sprintf("%s: its price of `%s:%s` is below the known one, which the limit goes by; --prices FILE overrides both", file, m.Provider.Name, m.Name))
	}
	if found != nil {
		higher = price.Rate{Input: max(higher.Input, found.Input), Output: max(higher.Output, found.Output)}
	}
	return &Rate{Rate: higher, File: file}
}
