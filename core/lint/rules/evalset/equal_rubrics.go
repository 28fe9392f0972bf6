package evalset

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/metric"
)

var _ = lint.Register(lint.Rule{
	ID:       "equal-rubrics",
	Summary:  "Two rubrics of one turn have the same text",
	Severity: diag.Warning,
	Why: `
ADK matches a verdict without a rubric id by the rubric's text. If two rubrics have the same text, both verdicts count for
the later one. Letter case, white space and surrounding marks make no difference. Remove one of the two.
`,
	Bad: `
{
  "criteria": {
    "rubric_based_final_response_quality_v1": {
      "threshold": 0.8,
      "rubrics": [
        { "rubric_id": "amount", "rubric_content": { "text_property": "Confirms the amount." } },
        { "rubric_id": "sum", "rubric_content": { "text_property": ⟦"confirms  the amount."⟧ } },
        { "rubric_id": "total", "rubric_content": { "text_property": ⟦"**confirms the amount.**"⟧ } }
      ]
    }
  }
}
`,
	Good: `
{
  "criteria": {
    "rubric_based_final_response_quality_v1": {
      "threshold": 0.8,
      "rubrics": [
        { "rubric_id": "amount", "rubric_content": { "text_property": "Confirms the amount." } },
        { "rubric_id": "payee", "rubric_content": { "text_property": "Confirms the payee." } }
      ]
    }
  }
}
`,
	FileName: adk.ConfigName,
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
