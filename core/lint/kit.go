package lint

import (
	"hash/fnv"
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// kit is what rules look at of a file of ADK and of those that it is read with,
// each made once.
type kit struct {
	set      *adk.Set
	stock    *adk.Stock
	settings *adk.Settings
	lists    []*adk.RubricList
	besides  *[]evalset
	ids      map[rubricID]*yaml.Node // of the configuration beside an evalset
}

// rubricID is a rubric of a criterion.
type rubricID struct{ metric, id string }

// rubricID is where the configuration has a rubric; nil if it has none.
func (p *Pass) rubricID(config *adk.Settings, metric, id string) *yaml.Node {
	if p.kit.ids == nil {
		p.kit.ids = map[rubricID]*yaml.Node{}
		for _, c := range config.Criteria {
			for _, r := range c.Placed() {
				p.kit.ids[rubricID{c.Metric, r.ID}] = r.IDNode
			}
		}
	}
	return p.kit.ids[rubricID{metric, id}]
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
	body, found := "", false
	for _, name := range p.Folder() {
		if strings.EqualFold(name, adk.ConfigName) {
			body, found = p.Files(name)
		}
	}
	if !found {
		settings := adk.Settings{}
		for _, c := range adk.Defaults() {
			settings.Criteria = append(settings.Criteria, adk.Criterion{Criterion: c})
		}
		return &settings, nil, true
	}
	f := adk.Open(p.Path[:strings.LastIndexAny(p.Path, `/\`)+1]+adk.ConfigName, body)
	return p.configured(f), f.Tree.Source, true
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
			if body, found := p.Files(name); found && !strings.EqualFold(name, adk.ConfigName) {
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
	return p.remembered().stocks.get(string(sum.Sum(nil)), func() *adk.Stock {
		f := adk.Open(name, body)
		if f.Role != adk.EvalSet && f.Role != adk.Older && f.Role != adk.Turns {
			return nil
		}
		stock := adk.LowerSet(metric.Latest, f).Stock()
		return &stock
	})
}
