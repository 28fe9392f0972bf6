package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// siblingConfig is the configuration beside an evalset, or what ADK measures without one.
type siblingConfig struct {
	settings  *adk.Settings
	source    *text.Source // nil without one
	rubricIDs map[rubricID]*yaml.Node
}

// rubricID is a rubric of a criterion.
type rubricID struct{ metric, id string }

// siblingConfig is what there is beside the file of a pass. It is read once: for as
// long as something is remembered, the files beside are the same.
func (ca *Cache) siblingConfig(p *Pass) *siblingConfig {
	ca.configOnce.Do(func() {
		b := siblingConfig{rubricIDs: map[rubricID]*yaml.Node{}}
		b.settings, b.source = p.readConfig()
		for _, c := range b.settings.Criteria {
			for _, r := range c.LocatedRubrics() {
				b.rubricIDs[rubricID{c.Metric, r.ID}] = r.IDNode
			}
		}
		ca.sibling = b
	})
	return &ca.sibling
}

// readConfig reads the configuration beside an evalset; a nil source stands for
// none.
func (p *Pass) readConfig() (*adk.Settings, *text.Source) {
	body, found := "", false
	for _, name := range p.FolderNames() {
		if strings.EqualFold(name, adk.ConfigName) {
			body, found = p.ReadFile(name)
		}
	}
	if found {
		f := adk.Open(p.Path[:strings.LastIndexAny(p.Path, `/\`)+1]+adk.ConfigName, body)
		settings := adk.LowerConfig(metric.Latest, f)
		return &settings, f.Tree.Source
	}
	settings := adk.Settings{}
	for _, c := range adk.DefaultCriteria() {
		settings.Criteria = append(settings.Criteria, adk.Criterion{Criterion: c})
	}
	return &settings, nil
}
