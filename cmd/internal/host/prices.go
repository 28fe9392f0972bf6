package host

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ReadPrices reads a file of prices, YAML or JSON; see [price.Read].
func ReadPrices(path string) (price.Table, error) {
	body, err := Read(path)
	if err != nil {
		return nil, err
	}
	tree := yaml.Parse(text.New(path, body))
	for _, p := range tree.Problems {
		return nil, fmt.Errorf("%s:%d: %s", path, tree.Source.OffsetLine(p.Span.Start)+1, p.Message)
	}
	table, err := price.Read(tree, tree.Root())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// rate is what a model charges, nil where nobody knows: as the person who runs
// the program says, or else, at the provider's own address, as is known of it.
// An error says that it has to be known to stay within a limit.
func (p *Ports) rate(m provider.Model) (*price.Rate, error) {
	rate, known := p.Prices.Find(m.Provider.Name, m.Name)
	if !known && (m.Base == "" || strings.TrimRight(m.Base, "/") == m.Provider.Base) {
		rate, known = price.Known().Find(m.Provider.Name, m.Name)
	}
	switch {
	case known:
		return &rate, nil
	case p.Budget != nil && p.Budget.Most > 0:
		return nil, fmt.Errorf("what `%s:%s` costs is not known, so that no limit can be kept; say it in a file of prices", m.Provider.Name, m.Name)
	}
	return nil, nil
}
