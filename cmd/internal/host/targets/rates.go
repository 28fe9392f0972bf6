package targets

import (
	"context"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/run"
)

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
		where, why := "", ""
		if m.Base != "" {
			where, why = " at its address", "built-in prices are those at the provider's own address; "
		}
		return nil, fmt.Errorf("the price of `%s:%s`%s is unknown, so it cannot run under a cost limit; %sset it with --prices or in .rubric.yaml (see `rubric help costs`), or limit the calls with --max-calls", m.Provider.Name, m.Name, where, why)
	}
	return nil, nil
}

// DescribePrice describes what a listed model costs and where its price is from; it returns "" for
// targets that are not models.
func (p *Ports) DescribePrice(ctx context.Context, evalFile string, l ListedTarget) string {
	d, err := p.findDefinition(ctx, evalFile, l.Path, l.Name)
	if err != nil || d.model == nil {
		return ""
	}
	rate, err := p.lookupRate(*d.model)
	if err != nil || rate == nil {
		return "its price is unknown; `rubric help costs` says how to set it"
	}
	from := "built in, as of " + price.BuiltInDate()
	if rate.File != "" {
		from = "from " + rate.File
	}
	return fmt.Sprintf("$%g for a million tokens read and $%g written (%s)", rate.Input, rate.Output, from)
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
