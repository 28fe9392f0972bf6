package lint

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/spell"
)

var _ = register(Rule{
	ID:       "unknown-metric",
	Summary:  "A criterion is for no metric that ADK can evaluate",
	Severity: diag.Error,
	Why: `
ADK takes any name here and looks for the metric in the middle of the run. If there is none it writes a line to its log,
the metric comes out as not evaluated, and the case passes if the others do. A metric of one's own has to be named under
~custom_metrics~ too. Figures that ADK tells of every run, like ~tool_call_count_v1~, have no threshold: as a criterion
they are not evaluated.
`,
	Bad: `
{
  "criteria": {
    ⟦"hallucination_v1"⟧: 0.9,
    ⟦"tool_call_count_v1"⟧: 4,
    "politeness": 0.5
  },
  "custom_metrics": {
    "politeness": { "code_config": { "name": "my_agent.metrics.politeness" } }
  }
}
`,
	Good: `
{
  "criteria": {
    "hallucinations_v1": 0.9,
    "politeness": 0.5
  },
  "custom_metrics": {
    "politeness": { "code_config": { "name": "my_agent.metrics.politeness" } }
  }
}
`,
	FileName: adk.ConfigName,
	Run: func(p *Pass) {
		if !p.hasADKRole(adk.Config) {
			return
		}
		settings, _, _ := p.metricsConfig()
		for _, c := range settings.Criteria {
			name := c.Key.Value
			switch {
			case adk.IsInformational(name):
				p.Report(c.Key.Span, "`%s` is told of every run and has no threshold; the runner does not evaluate it as a criterion", name)
			case !settings.IsKnownMetric(name):
				near := spell.Nearest(name, slices.Concat(adk.MetricNames(), settings.CustomNames()))
				d := p.Report(c.Key.Span, "unknown metric `%s`; the runner does not evaluate it", abbreviate(name))
				if near != "" {
					d.Message += "; did you mean `" + near + "`?"
					d.Fixes = p.renameKeyFix(c.Key.Parent, c.Key.Span, near, false)
				}
			}
		}
	},
})
