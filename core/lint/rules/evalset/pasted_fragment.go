package evalset

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "pasted-fragment",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if p.ADK == nil {
			return
		}
		fragment := p.ADK.Fragment()
		if fragment == nil {
			return
		}
		whole := "the configuration"
		if fragment.Role == adk.EvalSet {
			whole = "the evalset"
		}
		d := p.Report(p.Tree.Root().FirstKeySpan(), "there are only %s here, without %s around them; the runner refuses the file", fragment.Noun, whole)
		if len(fragment.Frames) == 1 {
			d.Severity = diag.Warning
			d.Message += ", and `rubric` reads it as if the fix were applied"
		}
		for _, frame := range fragment.Frames {
			d.Fixes = append(d.Fixes, diag.Fix{Title: frame.Title, Safe: len(fragment.Frames) == 1, Edits: p.ADK.Wrap(fragment, frame)})
		}
	},
})
