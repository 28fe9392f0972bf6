package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = register(Rule{
	ID:       "multiline-rubric",
	Summary:  "A rubric's text has several lines",
	Severity: diag.Warning,
	Why: `
A judge repeats the text on one line of its reply, and the reply is read line by line. A text of several lines is never
found again: unless the judge repeats the id as well, which only later versions of ADK ask for, its verdict is thrown
away, and the score leaves the rubric out.
`,
	Bad: `
{
  "criteria": {
    "rubric_based_final_response_quality_v1": {
      "threshold": 0.8,
      "rubrics": [
        { "rubric_id": "amount", "rubric_content": { "text_property": ⟦"Confirms the amount\nand the payee."⟧ } }
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
        { "rubric_id": "amount", "rubric_content": { "text_property": "Confirms the amount and the payee." } }
      ]
    }
  }
}
`,
	FileName: adk.ConfigName,
	Run: func(p *Pass) {
		for _, list := range p.rubricLists() {
			for _, r := range list.Rubrics {
				words := strings.TrimSpace(r.Text)
				if !strings.ContainsAny(words, "\n\r\u2028\u2029\u0085\v\f") {
					continue
				}
				d := p.Report(r.TextNode.Span, "the text of `%s` has several lines; a judge's verdict on it cannot be told by its text", abbreviate(r.ID))
				if r.TextNode.Style == yaml.DoubleQuoted {
					d.Fixes = replaceFix(r.TextNode, scalar.Quote(strings.Join(strings.Fields(words), " ")), "put it on one line")
				}
			}
		}
	},
})
