package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// EvalsetSummary is what rules need to know of a chunk of an evalset to check other chunks.
type EvalsetSummary struct {
	EvalsetContents
	Tools, FieldNames []string // names of tools, and of their parameters and results; sorted
	HasDeclaredTools  bool     // Tools may be complete
}

// Equal reports whether two summaries are equal.
func (es EvalsetSummary) Equal(other EvalsetSummary) bool {
	return es.EvalsetContents == other.EvalsetContents && es.HasDeclaredTools == other.HasDeclaredTools && slices.Equal(es.Tools, other.Tools) && slices.Equal(es.FieldNames, other.FieldNames)
}

// EvalsetContents is what rules need to know of an evalset's cases to check its header.
type EvalsetContents struct{ HasTurns, HasCalls, HasRubrics bool }

// Union combines the contents of two chunks.
func (c EvalsetContents) Union(other EvalsetContents) EvalsetContents {
	return EvalsetContents{c.HasTurns || other.HasTurns, c.HasCalls || other.HasCalls, c.HasRubrics || other.HasRubrics}
}

// toolIndex holds the tools that the cases of some files declare or call.
type toolIndex struct {
	tools, fieldNames map[string]bool
	names             []string // of tools, sorted
	hasDeclaredTools  bool     // tools may be complete
}

func indexTools(results []*Result) *toolIndex {
	ti := &toolIndex{tools: map[string]bool{}, fieldNames: map[string]bool{}}
	for _, r := range results {
		for _, name := range r.Summary.Tools {
			ti.tools[name] = true
		}
		for _, name := range r.Summary.FieldNames {
			ti.fieldNames[name] = true
		}
		ti.hasDeclaredTools = ti.hasDeclaredTools || r.Summary.HasDeclaredTools
	}
	ti.names = slices.Sorted(maps.Keys(ti.tools))
	return ti
}

// checkTool reports whether name looks like a tool that does not exist, and the nearest
// known tool.
func (ti *toolIndex) checkTool(name string) (suggestion string, isUnknown bool) {
	if len(ti.tools) == 0 || ti.tools[name] || ti.fieldNames[name] {
		return "", false
	}
	suggestion = spell.Nearest(name, ti.names)
	return suggestion, suggestion != "" || ti.hasDeclaredTools
}

// evalsetInputs are facts about one of ADK's files and its siblings. Each is computed on
// first use.
type evalsetInputs struct {
	set         *adk.Set
	summary     *adk.Summary
	settings    *adk.Settings
	rubricLists []*adk.RubricList
}

// siblingEvalset is an evalset in the folder of a configuration.
type siblingEvalset struct {
	name string
	adk.Summary
}

// hasADKRole reports whether the file is one of ADK's files with one of these roles.
func (p *Pass) hasADKRole(roles ...adk.Role) bool {
	return p.ADK != nil && slices.Contains(roles, p.ADK.Role)
}

// evalset lowers the file to an evalset, whatever its format.
func (p *Pass) evalset() *adk.Set {
	if p.evalsetInputs.set == nil {
		set := adk.LowerSet(metric.Latest, *p.ADK)
		p.evalsetInputs.set = &set
	}
	return p.evalsetInputs.set
}

// evalsetSummary returns the inputs for metrics that the file has.
func (p *Pass) evalsetSummary() *adk.Summary {
	if p.evalsetInputs.summary == nil {
		summary := p.evalset().Summary()
		p.evalsetInputs.summary = &summary
	}
	return p.evalsetInputs.summary
}

// summarize returns the summary of an evalset; it is empty for other files.
func (p *Pass) summarize() EvalsetSummary {
	if !p.hasADKRole(adk.EvalSet) {
		return EvalsetSummary{}
	}
	s := p.evalsetSummary()
	return EvalsetSummary{
		contentsOf(s), slices.Sorted(maps.Keys(s.Tools)), slices.Sorted(maps.Keys(s.FieldNames)), s.HasDeclaredTools,
	}
}

func contentsOf(s *adk.Summary) EvalsetContents {
	return EvalsetContents{HasTurns: s.Turns > 0, HasCalls: s.HasCalls, HasRubrics: len(s.Rubrics) > 0}
}

// contents describes the cases of the whole evalset.
func (p *Pass) contents() EvalsetContents {
	if p.Contents != nil {
		return *p.Contents
	}
	return contentsOf(p.evalsetSummary())
}

// rubricLists returns the rubrics of an evalset or a configuration.
func (p *Pass) rubricLists() []*adk.RubricList {
	if p.evalsetInputs.rubricLists == nil && p.ADK != nil {
		p.evalsetInputs.rubricLists = p.ADK.RubricLists()
	}
	return p.evalsetInputs.rubricLists
}

// metricsConfig returns the metrics that ADK measures: those of a configuration, of the
// sibling configuration of an evalset, or the defaults. Source is nil for the defaults.
// Known is false if the host cannot read the folder.
func (p *Pass) metricsConfig() (config *adk.Settings, source *text.Source, known bool) {
	if p.hasADKRole(adk.Config) {
		if p.evalsetInputs.settings == nil {
			settings := adk.LowerConfig(metric.Latest, *p.ADK)
			p.evalsetInputs.settings = &settings
		}
		return p.evalsetInputs.settings, p.Source, true
	}
	if p.ADK == nil || p.FolderNames == nil || p.ReadFile == nil {
		return nil, nil, false
	}
	sibling := p.Cache.siblingConfig(p)
	return &sibling.settings, sibling.source, true
}

// siblingEvalsets returns the evalsets in a configuration's folder. Like siblingConfig, it reads
// them once.
func (p *Pass) siblingEvalsets() []siblingEvalset {
	c := p.Cache
	c.evalsetsOnce.Do(func() {
		if p.FolderNames == nil || p.ReadFile == nil {
			return
		}
		for _, name := range p.FolderNames() {
			if adk.IsResultsName(name) || strings.EqualFold(name, adk.ConfigName) {
				continue
			}
			if body, found := p.ReadFile(name); found {
				if f := adk.Open(name, body); f.Role == adk.EvalSet || f.Role == adk.Older || f.Role == adk.Turns {
					c.evalsets = append(c.evalsets, siblingEvalset{name, adk.LowerSet(metric.Latest, f).Summary()})
				}
			}
		}
	})
	return c.evalsets
}

// siblingConfig is the configuration in an evalset's folder, or ADK's defaults.
type siblingConfig struct {
	settings  adk.Settings
	source    *text.Source // nil for the defaults
	rubricIDs map[rubricID]*yaml.Node
}

// rubricID identifies a rubric of a criterion.
type rubricID struct{ metric, id string }

// siblingConfig reads the sibling configuration once: a cache belongs to one state of the
// sibling files.
func (ca *Cache) siblingConfig(p *Pass) *siblingConfig {
	ca.configOnce.Do(func() {
		ca.sibling = p.readConfig()
		ca.sibling.rubricIDs = map[rubricID]*yaml.Node{}
		for _, c := range ca.sibling.settings.Criteria {
			for _, r := range c.LocatedRubrics() {
				ca.sibling.rubricIDs[rubricID{c.Metric, r.ID}] = r.IDNode
			}
		}
	})
	return &ca.sibling
}

func (p *Pass) readConfig() (config siblingConfig) {
	for _, name := range p.FolderNames() {
		if !strings.EqualFold(name, adk.ConfigName) {
			continue
		}
		if body, found := p.ReadFile(name); found {
			f := adk.Open(p.Path[:strings.LastIndexAny(p.Path, `/\`)+1]+adk.ConfigName, body)
			config.settings, config.source = adk.LowerConfig(metric.Latest, f), f.Tree.Source
		}
	}
	if config.source == nil {
		for _, c := range adk.DefaultCriteria() {
			config.settings.Criteria = append(config.settings.Criteria, adk.Criterion{Criterion: c})
		}
	}
	return config
}
