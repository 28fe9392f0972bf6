package evalset

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/spell"
)

var _ = lint.Register(lint.Rule{
	ID:       "unknown-metric",
	Summary:  "A criterion names a metric that ADK cannot evaluate",
	Severity: diag.Error,
	Why: `
ADK accepts any name here and looks for the metric during the run. If there is none, it logs a line and does not evaluate
the metric, and the case passes if the others do. Name your own metrics under ~custom_metrics~ too. Statistics that ADK
and ~rubric run~ report for every run, such as ~tool_call_count_v1~, have no threshold and are not evaluated as criteria.
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
    "hallucinations_v1": 0.9
  }
}
`,
	FileName: adk.ConfigName,
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.Config) {
			return
		}
		settings, _, _ := metricsConfig(p)
		for _, c := range settings.Criteria {
			name := c.Key.Value
			switch {
			case adk.IsInformational(name):
				p.Report(c.Key.Span, "`%s` is a statistic without a threshold; the runner does not evaluate it as a criterion", name)
			case !settings.IsKnownMetric(name):
				near := spell.Nearest(name, slices.Concat(adk.MetricNames(), settings.CustomNames()))
				d := p.Report(c.Key.Span, "unknown metric `%s`; the runner does not evaluate it%s", lint.Abbreviate(name), spell.Suggestion(near))
				d.Fixes = fix.RenameKey(c.Key.Parent, c.Key.Span, near, false)
			}
		}
	},
})
