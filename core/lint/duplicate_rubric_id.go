package lint

import (
	"strconv"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = register(Rule{
	ID:       "duplicate-rubric-id",
	Summary:  "Two rubrics that a turn is judged by have the same id",
	Severity: diag.Error,
	Why: `
A turn is judged by the rubrics of the criterion, of its case and its own, and no two of them may have the same id. Twice
in a criterion, ADK does not evaluate the metric; in a case and one of its turns, even for different metrics, it breaks off
the evaluation. Rubrics of a case are held against the criteria of the configuration beside the evalset too.
`,
	Bad: `
{
  "criteria": {
    "rubric_based_tool_use_quality_v1": {
      "threshold": 0.8,
      "rubrics": [
        { "rubric_id": "balance", "rubric_content": { "text_property": "Looks up the balance first." } },
        { "rubric_id": ⟦"balance"⟧, "rubric_content": { "text_property": "Looks up the balance once." } }
      ]
    }
  }
}
`,
	Good: `
{
  "criteria": {
    "rubric_based_tool_use_quality_v1": {
      "threshold": 0.8,
      "rubrics": [
        { "rubric_id": "balance_first", "rubric_content": { "text_property": "Looks up the balance first." } },
        { "rubric_id": "balance_once", "rubric_content": { "text_property": "Looks up the balance once." } }
      ]
    }
  }
}
`,
	FileName: adk.ConfigName,
	Run: func(p *Pass) {
		for _, list := range p.rubricLists() {
			seen := map[string]*yaml.Node{}
			if list.Case != nil {
				p.collectRubricIDs(list.Case.Rubrics, seen, nil)
			}
			p.collectRubricIDs(list.Rubrics, seen, func(id string, at, first *yaml.Node) {
				what := "the runner breaks off the evaluation"
				if list.Metric != "" {
					what = "the runner does not evaluate the metric"
				}
				d := p.Report(at.Span, "two rubrics have the id `%s`; %s", abbreviate(id), what)
				d.Notes = []diag.Note{{Span: first.Span, Message: "the first one is here"}}
				d.Fixes = renameRubricFix(at, uniqueRubricID(id, list))
			})
			p.checkAgainstConfig(list)
			p.checkAgainstEvalsets(list)
		}
	},
})

// collectRubricIDs notes which ids come first where, and reports those that do not.
func (p *Pass) collectRubricIDs(list []adk.LocatedRubric, seen map[string]*yaml.Node, again func(id string, at, first *yaml.Node)) {
	for _, r := range list {
		switch first := seen[r.ID]; {
		case r.IDNode == nil || r.ID == "":
		case first == nil:
			seen[r.ID] = r.IDNode
		case again != nil:
			again(r.ID, r.IDNode, first)
		}
	}
}

// checkAgainstConfig holds a case's or turn's rubrics against those of the criteria that
// take them.
func (p *Pass) checkAgainstConfig(list *adk.RubricList) {
	if !p.hasADKRole(adk.EvalSet) {
		return
	}
	_, source, known := p.metricsConfig()
	if !known || source == nil {
		return
	}
	ids := p.cache().siblingConfig(p).rubricIDs
	for _, r := range list.Rubrics {
		name := adk.MetricForRubricType(r.Type)
		if at := ids[rubricID{name, r.ID}]; at != nil && r.IDNode != nil && r.ID != "" {
			d := p.Report(r.IDNode.Span, "a rubric of `%s` in `%s` has the id `%s` too; the runner does not evaluate the metric", name, adk.ConfigName, abbreviate(r.ID))
			d.Notes = []diag.Note{{Span: at.Span, Message: "the other one is here", Source: source}}
			d.Fixes = renameRubricFix(r.IDNode, uniqueRubricID(r.ID, list))
		}
	}
}

// checkAgainstEvalsets holds a criterion's rubrics against those that come from evalsets.
func (p *Pass) checkAgainstEvalsets(list *adk.RubricList) {
	kind := adk.RubricTypeForMetric(list.Metric)
	if kind == "" || !p.hasADKRole(adk.Config) {
		return
	}
	for _, r := range list.Rubrics {
		for _, e := range p.siblingEvalsets() {
			if r.IDNode != nil && e.Rubrics[kind][r.ID] {
				p.Report(r.IDNode.Span, "a rubric in `%s` has the id `%s` too; the runner does not evaluate the metric there", e.name, abbreviate(r.ID))
			}
		}
	}
}

// renameRubricFix gives a rubric another id.
func renameRubricFix(at *yaml.Node, id string) []diag.Fix {
	return []diag.Fix{{Title: "change to `" + abbreviate(id) + "`", Edits: []text.Edit{{Span: at.Span, New: scalar.FormatLike(at, id)}}}}
}

// uniqueRubricID is an id that no rubric of a list has, nor of its case.
func uniqueRubricID(id string, list *adk.RubricList) string {
	taken := map[string]bool{}
	for _, r := range list.Rubrics {
		taken[r.ID] = true
	}
	if list.Case != nil {
		for _, r := range list.Case.Rubrics {
			taken[r.ID] = true
		}
	}
	for n := 2; ; n++ {
		if other := id + "_" + strconv.Itoa(n); !taken[other] {
			return other
		}
	}
}
