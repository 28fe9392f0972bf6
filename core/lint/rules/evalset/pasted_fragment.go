package evalset

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(lint.Rule{
	ID:       "pasted-fragment",
	Summary:  "A file is only a part of an ADK file",
	Severity: diag.Error,
	Why: `
Documentation often shows a part of a file: a list of rubrics, some metrics, one case. ADK reads whole files only. The fix
puts the rest around it. ~rubric~ reads the file as if the fix were applied, so this is a warning. Rubrics without a ~type~
may belong to several metrics, which is an error; choose the one that you mean.
`,
	Bad: `
[
  { ⟦"rubric_id"⟧: "amount", "rubric_content": { "text_property": "The answer names the amount." } }
]
`,
	Good: `
{
  "criteria": {
    "rubric_based_final_response_quality_v1": {
      "threshold": 0.8,
      "rubrics": [{ "rubric_id": "amount", "rubric_content": { "text_property": "The answer names the amount." } }]
    }
  }
}
`,
	FileName: adk.ConfigName,
	Run: func(p *lint.Pass) {
		if p.ADK == nil {
			return
		}
		fragment := p.ADK.Fragment()
		if fragment == nil {
			return
		}
		at := p.Tree.Root()
		if items := at.List(); len(items) > 0 {
			at = items[0]
		}
		whole := "the configuration"
		if fragment.Role == adk.EvalSet {
			whole = "the evalset"
		}
		d := p.Report(firstKeySpan(at), "there are only %s here, without %s around them; the runner refuses the file", fragment.Noun, whole)
		if len(fragment.Frames) == 1 {
			d.Severity = diag.Warning
			d.Message += ", and `rubric` reads it as if the fix were applied"
		}
		for _, frame := range fragment.Frames {
			d.Fixes = append(d.Fixes, diag.Fix{Title: frame.Title, Safe: len(fragment.Frames) == 1, Edits: p.ADK.Wrap(fragment, frame)})
		}
	},
})
