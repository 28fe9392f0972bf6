package evalset

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "multiline-rubric",
	Summary:  "The text of a rubric has several lines",
	Severity: diag.Warning,
	Why: `
A judge repeats the rubric's text on one line, and ADK reads the reply line by line. A text of several lines is therefore
never matched. Unless the judge also repeats the id, which only later versions of ADK request, ADK drops the verdict and
leaves the rubric out of the score.
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
	Run: func(p *lint.Pass) {
		for _, list := range rubricLists(p) {
			for _, r := range list.Rubrics {
				words := strings.TrimSpace(r.Text)
				if !strings.ContainsAny(words, "\n\r\u2028\u2029\u0085\v\f") {
					continue
				}
				d := p.Report(r.TextNode.Span, "the text of `%s` has several lines; a judge's verdict cannot be matched to it", lint.Abbreviate(r.ID))
				if r.TextNode.Style == yaml.DoubleQuoted {
					d.Fixes = fix.Replace(r.TextNode, scalar.Quote(strings.Join(strings.Fields(words), " ")), "put it on one line")
				}
			}
		}
	},
})
