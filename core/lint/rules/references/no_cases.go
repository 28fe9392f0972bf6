package references

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "no-cases",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		keys := []string{"evalcases"}
		switch {
		case p.Role == "eval":
		case p.HasADKRole(adk.EvalSet):
			keys = []string{"eval_cases", "evalCases"}
		case p.Role == "eval-v4":
			keys = []string{"tests", "cases", "eval_cases"}
		default:
			return
		}
		for _, key := range keys {
			list := p.Tree.Root().Get(key)
			if list.IsSeq() && len(list.List()) == 0 && !list.Follow().Recovered {
				p.Report(list.Span, "there are no cases in this file")
				return
			}
		}
	},
})
