package lint

import (
	"hash/fnv"
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// evalsetInputs is what rules look at of a file of ADK and of those that it is read with,
// each made once.
type evalsetInputs struct {
	set         *adk.Set
	summary     *adk.Summary
	settings    *adk.Settings
	rubricLists []*adk.RubricList
	siblings    *[]siblingEvalset
}

// siblingEvalset is an evalset beside a configuration.
type siblingEvalset struct {
	name string
	*adk.Summary
}

// hasADKRole reports whether the file is of ADK and plays one of some parts.
func (p *Pass) hasADKRole(roles ...adk.Role) bool {
	for _, role := range roles {
		if p.ADK != nil && p.ADK.Role == role {
			return true
		}
	}
	return false
}

// evalset is what the file means as an evalset, in whatever form.
func (p *Pass) evalset() *adk.Set {
	if p.evalsetInputs.set == nil {
		set := adk.LowerSet(metric.Latest, *p.ADK)
		p.evalsetInputs.set = &set
	}
	return p.evalsetInputs.set
}

// evalsetSummary is what the file has for metrics to work with.
func (p *Pass) evalsetSummary() *adk.Summary {
	if p.evalsetInputs.summary == nil {
		stock := p.evalset().Summary()
		p.evalsetInputs.summary = &stock
	}
	return p.evalsetInputs.summary
}

// summarize is what the file's cases have that others depend on; nothing where they
// are not at hand, or the file is no evalset.
func (p *Pass) summarize() EvalsetSummary {
	if !p.hasADKRole(adk.EvalSet) {
		return EvalsetSummary{}
	}
	return newEvalsetSummary(p.evalsetSummary())
}

// contents is what there is any of in the file's cases, wherever those are.
func (p *Pass) contents() EvalsetContents {
	if p.Contents != nil {
		return *p.Contents
	}
	stock := newEvalsetSummary(p.evalsetSummary())
	return stock.Contents()
}

// rubricLists are the rubrics of an evalset or a configuration.
func (p *Pass) rubricLists() []*adk.RubricList {
	if p.evalsetInputs.rubricLists == nil && p.ADK != nil {
		p.evalsetInputs.rubricLists = p.ADK.RubricLists()
	}
	return p.evalsetInputs.rubricLists
}

// metricsConfig is what is measured: what a configuration says; of an evalset that
// beside it, or what ADK measures without one. Known is false where nobody can
// tell, and a configuration that is no file has no source.
func (p *Pass) metricsConfig() (config *adk.Settings, source *text.Source, known bool) {
	if p.hasADKRole(adk.Config) {
		return p.lowerConfig(*p.ADK), p.Source, true
	}
	if p.FolderNames == nil || p.ReadFile == nil {
		return nil, nil, false
	}
	sibling := p.cache().siblingConfig(p)
	return sibling.settings, sibling.source, true
}

func (p *Pass) lowerConfig(f adk.File) *adk.Settings {
	if p.evalsetInputs.settings == nil {
		settings := adk.LowerConfig(metric.Latest, f)
		p.evalsetInputs.settings = &settings
	}
	return p.evalsetInputs.settings
}

// siblingEvalsets are those beside a configuration, none where nobody can tell.
func (p *Pass) siblingEvalsets() []siblingEvalset {
	if p.evalsetInputs.siblings != nil {
		return *p.evalsetInputs.siblings
	}
	var all []siblingEvalset
	if p.FolderNames != nil && p.ReadFile != nil {
		for _, name := range p.FolderNames() {
			if adk.IsResultsName(name) || strings.EqualFold(name, adk.ConfigName) {
				continue
			}
			if body, found := p.ReadFile(name); found {
				if stock := p.siblingSummary(name, body); stock != nil {
					all = append(all, siblingEvalset{name, stock})
				}
			}
		}
	}
	p.evalsetInputs.siblings = &all
	return all
}

// siblingSummary is what a file has as an evalset; nil if it is none.
func (p *Pass) siblingSummary(name, body string) *adk.Summary {
	sum := fnv.New128a()
	_, _ = io.WriteString(sum, name+"\n") // a hash takes everything
	_, _ = io.WriteString(sum, body)
	return p.cache().summaries.get(string(sum.Sum(nil)), func() *adk.Summary { return adk.SummarizeEvalSet(name, body) })
}
