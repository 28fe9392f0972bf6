package price

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/rubric-ls/rubric/core/yaml"
)

// Table is rates by PROVIDER:MODEL, where the model may be `*` for all others.
type Table map[string]Rate

// dated is the end of a name that only says which issue of a model it is.
var dated = regexp.MustCompile(`-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$`)

// Find is the rate of a model: under its own name, its name without a date, or
// for all models of its provider.
func (t Table) Find(provider, model string) (rate Rate, known bool) {
	for _, name := range []string{model, dated.ReplaceAllString(model, ""), "*"} {
		if rate, known = t[provider+":"+name]; known {
			return rate, true
		}
	}
	return rate, false
}

// Read reads rates that somebody wrote down: a mapping from PROVIDER:MODEL to
// {input, output}, in US dollars for a million tokens. The error names the first
// fault and its line.
func Read(tree *yaml.Tree, prices *yaml.Node) (Table, error) {
	fault := func(n *yaml.Node, err error) error {
		return fmt.Errorf("line %d: %w", tree.Source.OffsetLine(n.Span.Start)+1, err)
	}
	if !prices.IsMap() {
		return nil, fault(prices, errNoPrices)
	}
	table := Table{}
	for _, p := range prices.Entries() {
		input, told := p.Value.Get("input").Number()
		output, both := p.Value.Get("output").Number()
		if !told || !both || !(input >= 0) || !(output >= 0) || len(p.Value.Entries()) != 2 {
			return nil, fault(p.Key, fmt.Errorf("the price of `%s` is not {input, output}, in US dollars for a million tokens", p.Key.Value))
		}
		table[p.Key.Value] = Rate{input, output}
	}
	return table, nil
}

var errNoPrices = errors.New("prices are a mapping from PROVIDER:MODEL to {input, output}")
