package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// beside is the configuration beside an evalset, or what ADK measures without one.
type beside struct {
	settings *adk.Settings
	source   *text.Source // nil without one
	ids      map[rubricID]*yaml.Node
}

// rubricID is a rubric of a criterion.
type rubricID struct{ metric, id string }

// configBeside is what there is beside the file of a pass. It is read once: for as
// long as something is remembered, the files beside are the same.
func (m *Memory) configBeside(p *Pass) *beside {
	m.reading.Do(func() {
		b := beside{ids: map[rubricID]*yaml.Node{}}
		b.settings, b.source = p.readConfig()
		for _, c := range b.settings.Criteria {
			for _, r := range c.Placed() {
				b.ids[rubricID{c.Metric, r.ID}] = r.IDNode
			}
		}
		m.config = b
	})
	return &m.config
}

// readConfig reads the configuration beside an evalset; a nil source stands for
// none.
func (p *Pass) readConfig() (*adk.Settings, *text.Source) {
	body, found := "", false
	for _, name := range p.Folder() {
		if strings.EqualFold(name, adk.ConfigName) {
			body, found = p.Files(name)
		}
	}
	if found {
		f := adk.Open(p.Path[:strings.LastIndexAny(p.Path, `/\`)+1]+adk.ConfigName, body)
		settings := adk.LowerConfig(metric.Latest, f)
		return &settings, f.Tree.Source
	}
	settings := adk.Settings{}
	for _, c := range adk.Defaults() {
		settings.Criteria = append(settings.Criteria, adk.Criterion{Criterion: c})
	}
	return &settings, nil
}
