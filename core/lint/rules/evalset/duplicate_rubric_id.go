package evalset

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "duplicate-rubric-id",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		for _, list := range rubricLists(p) {
			seen, taken := map[string]*yaml.Node{}, takenRubricIDs(list)
			if list.Case != nil {
				collectRubricIDs(p, list.Case.Rubrics, seen, nil)
			}
			collectRubricIDs(p, list.Rubrics, seen, func(id string, at, first *yaml.Node) {
				what := "the runner stops the evaluation"
				if list.Metric != "" {
					what = "the runner does not evaluate the metric"
				}
				d := p.Report(at.Span, "two rubrics have the id `%s`; %s", lint.Abbreviate(id), what)
				d.Notes = []diag.Note{{Span: first.Span, Message: "the first one is here"}}
				d.Fixes = renameRubricFix(at, fix.FreeID(id, "_", taken))
			})
			checkAgainstConfig(p, list)
			checkAgainstEvalsets(p, list)
		}
	},
})

// collectRubricIDs records the first use of each id in seen and passes repeated ids to again.
func collectRubricIDs(p *lint.Pass, list []adk.LocatedRubric, seen map[string]*yaml.Node, again func(id string, at, first *yaml.Node)) {
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

// checkAgainstConfig compares the rubrics of a case or turn with those of the configuration.
func checkAgainstConfig(p *lint.Pass, list *adk.RubricList) {
	if !p.HasADKRole(adk.EvalSet) {
		return
	}
	_, source, known := metricsConfig(p)
	if !known || source == nil {
		return
	}
	ids, taken := readSiblingConfig(p).rubricIDs, takenRubricIDs(list)
	for _, r := range list.Rubrics {
		name := adk.MetricForRubricType(r.Type)
		if at := ids[rubricID{name, r.ID}]; at != nil && r.IDNode != nil && r.ID != "" {
			d := p.Report(r.IDNode.Span, "a rubric of `%s` in `%s` has the id `%s` too; the runner does not evaluate the metric", name, adk.ConfigName, lint.Abbreviate(r.ID))
			d.Notes = []diag.Note{{Span: at.Span, Message: "the other one is here", Source: source}}
			d.Fixes = renameRubricFix(r.IDNode, fix.FreeID(r.ID, "_", taken))
		}
	}
}

// checkAgainstEvalsets compares the rubrics of a criterion with those of the sibling evalsets.
func checkAgainstEvalsets(p *lint.Pass, list *adk.RubricList) {
	kind := adk.RubricTypeForMetric(list.Metric)
	if kind == "" || !p.HasADKRole(adk.Config) {
		return
	}
	for _, r := range list.Rubrics {
		for _, e := range siblingEvalsets(p) {
			if r.IDNode != nil && e.Rubrics[kind][r.ID] {
				p.Report(r.IDNode.Span, "a rubric in `%s` has the id `%s` too; the runner does not evaluate the metric there", e.name, lint.Abbreviate(r.ID))
			}
		}
	}
}

// renameRubricFix is the fix that gives a rubric the id id.
func renameRubricFix(at *yaml.Node, id string) []diag.Fix {
	return []diag.Fix{{Title: "change to `" + lint.Abbreviate(id) + "`", Edits: []text.Edit{{Span: at.Span, New: scalar.FormatLike(at, id)}}}}
}

// takenRubricIDs returns the ids of a list's rubrics and of those of its case.
func takenRubricIDs(list *adk.RubricList) map[string]bool {
	taken := map[string]bool{}
	for _, r := range list.Rubrics {
		taken[r.ID] = true
	}
	if list.Case != nil {
		for _, r := range list.Case.Rubrics {
			taken[r.ID] = true
		}
	}
	return taken
}
