package evalset

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/metric"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "equal-rubrics",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		for _, list := range rubricLists(p) {
			first := map[string]adk.LocatedRubric{}
			if list.Case != nil {
				for _, r := range list.Case.Rubrics {
					first[rubricKey(list, r)] = r
				}
			}
			for _, r := range list.Rubrics {
				key := rubricKey(list, r)
				other, equal := first[key]
				if !equal {
					first[key] = r
					continue
				}
				if r.TextNode.IsNull() || other.ID == r.ID {
					continue // see empty-value, duplicate-rubric-id
				}
				d := p.Report(r.TextNode.Span, "`%s` has the same text as `%s`; verdicts on both may count for the later one", lint.Abbreviate(r.ID), lint.Abbreviate(other.ID))
				d.Notes = []diag.Note{{Span: other.TextNode.Span, Message: "the other one is here"}}
				d.Fixes = fix.RemoveItem(p.Source, r.Node, "remove this rubric")
			}
		}
	},
})

// rubricKey is equal for two rubrics of a metric that a judge's reply cannot distinguish.
func rubricKey(list *adk.RubricList, r adk.LocatedRubric) string {
	kind := r.Type
	if list.Metric != "" {
		kind = ""
	}
	return kind + "\n" + metric.Normalize(metric.Latest, r.Text)
}
