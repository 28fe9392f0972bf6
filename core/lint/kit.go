package lint

import (
	"hash/fnv"
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// kit is what rules look at of a file of ADK and of those that it is read with,
// each made once.
type kit struct {
	set      *adk.Set
	stock    *adk.Stock
	settings *adk.Settings
	lists    []*adk.RubricList
	besides  *[]evalset
}

// evalset is an evalset beside a configuration.
type evalset struct {
	name string
	*adk.Stock
}

// is reports whether the file is of ADK and plays one of some parts.
func (p *Pass) is(roles ...adk.Role) bool {
	for _, role := range roles {
		if p.ADK != nil && p.ADK.Role == role {
			return true
		}
	}
	return false
}

// evalCases is what the file means as an evalset, in whatever form.
func (p *Pass) evalCases() *adk.Set {
	if p.kit.set == nil {
		set := adk.LowerSet(metric.Latest, *p.ADK)
		p.kit.set = &set
	}
	return p.kit.set
}

// stock is what the file has for metrics to work with.
func (p *Pass) stock() *adk.Stock {
	if p.kit.stock == nil {
		stock := p.evalCases().Stock()
		p.kit.stock = &stock
	}
	return p.kit.stock
}

// supply is what the file's cases have that others depend on; nothing where they
// are not at hand, or the file is no evalset.
func (p *Pass) supply() Supply {
	if !p.is(adk.EvalSet) {
		return Supply{}
	}
	return supplied(p.stock())
}

// brief is what there is any of in the file's cases, wherever those are.
func (p *Pass) brief() Brief {
	if p.Brief != nil {
		return *p.Brief
	}
	stock := supplied(p.stock())
	return stock.Brief()
}

// rubricLists are the rubrics of an evalset or a configuration.
func (p *Pass) rubricLists() []*adk.RubricList {
	if p.kit.lists == nil && p.ADK != nil {
		p.kit.lists = p.ADK.RubricLists()
	}
	return p.kit.lists
}

// measured is what is measured: what a configuration says; of an evalset that
// beside it, or what ADK measures without one. Known is false where nobody can
// tell, and a configuration that is no file has no source.
func (p *Pass) measured() (config *adk.Settings, source *text.Source, known bool) {
	if p.is(adk.Config) {
		return p.configured(*p.ADK), p.Source, true
	}
	if p.Folder == nil || p.Files == nil {
		return nil, nil, false
	}
	beside := p.remembered().configBeside(p)
	return beside.settings, beside.source, true
}

func (p *Pass) configured(f adk.File) *adk.Settings {
	if p.kit.settings == nil {
		settings := adk.LowerConfig(metric.Latest, f)
		p.kit.settings = &settings
	}
	return p.kit.settings
}

// evalsets are those beside a configuration, none where nobody can tell.
func (p *Pass) evalsets() []evalset {
	if p.kit.besides != nil {
		return *p.kit.besides
	}
	var all []evalset
	if p.Folder != nil && p.Files != nil {
		for _, name := range p.Folder() {
			if adk.IsResults(name) || strings.EqualFold(name, adk.ConfigName) {
				continue
			}
			if body, found := p.Files(name); found {
				if stock := p.stockOf(name, body); stock != nil {
					all = append(all, evalset{name, stock})
				}
			}
		}
	}
	p.kit.besides = &all
	return all
}

// stockOf is what a file has as an evalset; nil if it is none.
func (p *Pass) stockOf(name, body string) *adk.Stock {
	sum := fnv.New128a()
	_, _ = io.WriteString(sum, name+"\n") // a hash takes everything
	_, _ = io.WriteString(sum, body)
	return p.remembered().stocks.get(string(sum.Sum(nil)), func() *adk.Stock { return adk.GlanceStock(name, body) })
}
