package evalset

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/spell"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-metric",
	Severity: diag.Error,
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
