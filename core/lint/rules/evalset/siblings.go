// Package evalset has the rules about ADK's evalsets and the configuration in their folder, which
// siblings.go reads.
package evalset

import (
	"embed"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// rubricLists returns the rubrics of an evalset or a configuration.
var rubricLists = lint.PerPass(func(p *lint.Pass) []*adk.RubricList {
	if p.ADK == nil {
		return nil
	}
	return p.ADK.RubricLists()
})

// metricsConfig returns the metrics that ADK measures: those of a configuration, of the
// sibling configuration of an evalset, or the defaults. Source is nil for the defaults.
// Known is false if the host cannot read the folder.
func metricsConfig(p *lint.Pass) (config *adk.Settings, source *text.Source, known bool) {
	if p.HasADKRole(adk.Config) {
		return p.Settings(), p.Source, true
	}
	if p.ADK == nil || p.FolderNames == nil || p.ReadFile == nil {
		return nil, nil, false
	}
	sibling := readSiblingConfig(p)
	return &sibling.settings, sibling.source, true
}

// siblingConfig is the configuration in an evalset's folder, or ADK's defaults.
type siblingConfig struct {
	settings  adk.Settings
	source    *text.Source // nil for the defaults
	rubricIDs map[rubricID]*yaml.Node
}

// rubricID identifies a rubric of a criterion.
type rubricID struct{ metric, id string }

// readSiblingConfig reads the configuration in the folder of an evalset.
var readSiblingConfig = lint.PerCache(func(p *lint.Pass) *siblingConfig {
	config := &siblingConfig{rubricIDs: map[rubricID]*yaml.Node{}}
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
	for _, c := range config.settings.Criteria {
		for _, r := range c.LocatedRubrics() {
			config.rubricIDs[rubricID{c.Metric, r.ID}] = r.IDNode
		}
	}
	return config
})

// siblingEvalset is an evalset in the folder of a configuration.
type siblingEvalset struct {
	name string
	adk.Summary
}

// siblingEvalsets returns the evalsets in a configuration's folder.
var siblingEvalsets = lint.PerCache(func(p *lint.Pass) (all []siblingEvalset) {
	if p.FolderNames == nil || p.ReadFile == nil {
		return nil
	}
	for _, name := range p.FolderNames() {
		if adk.IsResultsName(name) || strings.EqualFold(name, adk.ConfigName) {
			continue
		}
		if body, found := p.ReadFile(name); found {
			if f := adk.Open(name, body); f.Role.HasCases() {
				all = append(all, siblingEvalset{name, adk.LowerSet(metric.Latest, f).Summary()})
			}
		}
	}
	return all
})

//go:embed *.md
var pages embed.FS
