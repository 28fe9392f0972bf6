package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

var _ = register(Rule{
	ID:       "equal-rubrics",
	Summary:  "Two rubrics that a turn is judged by ask for the same",
	Severity: diag.Warning,
	Why: `
A verdict that does not repeat the rubric's id is given to the rubric with the same text, and of two with the same text
both verdicts go to the later one. Case, white space and the marks around the text make no difference. Where the ids
differ but the texts do not, drop one.
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
	Run: func(p *Pass) {
		for _, list := range p.rubricLists() {
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
				d := p.Report(r.TextNode.Span, "`%s` asks for the same as `%s`; verdicts on both may count for the later one", abbreviate(r.ID), abbreviate(other.ID))
				d.Notes = []diag.Note{{Span: other.TextNode.Span, Message: "the other one is here"}}
				d.Fixes = removeItemFix(r.Node, "remove this rubric")
			}
		}
	},
})

// rubricKey is the same for rubrics of a metric that a judge's reply does not
// tell apart.
func rubricKey(list *adk.RubricList, r adk.LocatedRubric) string {
	kind := r.Type
	if list.Metric != "" {
		kind = ""
	}
	return kind + "\n" + metric.Normalize(metric.Latest, r.Text)
}
