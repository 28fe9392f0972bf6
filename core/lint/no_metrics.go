package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
)

var _ = register(Rule{
	ID:       "no-metrics",
	Summary:  "A configuration names no metrics",
	Severity: diag.Warning,
	Why: `
The metrics under ~criteria~ replace ADK's two default metrics. If there are none, ADK runs the agent, measures
nothing, and no case can fail.
`,
	Bad: `
{
  "criteria": ⟦{}⟧
}
`,
	Good: `
{
  "criteria": {
    "tool_trajectory_avg_score": 1.0
  }
}
`,
	FileName: adk.ConfigName,
	Run: func(p *Pass) {
		if !p.hasADKRole(adk.Config) {
			return
		}
		// A file with other keys may have misspelt this one; unknown-key reports that.
		at := p.Tree.Root()
		if len(at.Entries()) > 0 {
			at = at.Get("criteria")
		}
		if at.IsMap() && len(at.Entries()) == 0 && !at.Follow().Recovered {
			p.Report(at.Span, "there are no metrics; the runner measures nothing")
		}
	},
})
