package price

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// Table is rates by PROVIDER:MODEL, where the model may be `*` for all others.
type Table map[string]Rate

// withoutDate is a model's name without the end that only says which issue of it is
// meant: -latest, -20260105 or -2026-01-05.
func withoutDate(model string) string {
	if name, ok := strings.CutSuffix(model, "-latest"); ok {
		return name
	}
	for _, form := range []string{"-00000000", "-0000-00-00"} {
		cut := len(model) - len(form)
		if cut >= 0 && maskDigits(model[cut:]) == form {
			return model[:cut]
		}
	}
	return model
}

// maskDigits is a text with a 0 for each digit.
func maskDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return '0'
		}
		return r
	}, s)
}

// Lookup is the rate of a model: under its own name, its name without a date, or
// for all models of its provider.
func (t Table) Lookup(provider, model string) (rate Rate, known bool) {
	for _, name := range []string{model, withoutDate(model), "*"} {
		if rate, known = t[provider+":"+name]; known {
			return rate, true
		}
	}
	return rate, false
}

// ReadTable reads rates that somebody wrote down: a mapping from PROVIDER:MODEL to
// {input, output}, in US dollars for a million tokens. The error names the first
// fault and its line.
func ReadTable(tree *yaml.Tree, prices *yaml.Node) (Table, error) {
	fault := func(n *yaml.Node, err error) error {
		return fmt.Errorf("line %d: %w", tree.Source.OffsetLine(n.Span.Start)+1, err)
	}
	if !prices.IsMap() {
		return nil, fault(prices, errNoPrices)
	}
	table := Table{}
	for _, p := range prices.Entries() {
		if !strings.Contains(p.Key.Value, ":") {
			return nil, fault(p.Key, fmt.Errorf("the price of `%s` is of no PROVIDER:MODEL, such as `openai:gpt-4.1`", p.Key.Value))
		}
		input, hasInput := p.Value.Get("input").Number()
		output, hasOutput := p.Value.Get("output").Number()
		if !hasInput || !hasOutput || !(input >= 0) || !(output >= 0) || len(p.Value.Entries()) != 2 {
			return nil, fault(p.Key, fmt.Errorf("the price of `%s` is not {input, output}, in US dollars for a million tokens", p.Key.Value))
		}
		table[p.Key.Value] = Rate{input, output}
	}
	return table, nil
}

var errNoPrices = errors.New("prices are a mapping from PROVIDER:MODEL to {input, output}")
