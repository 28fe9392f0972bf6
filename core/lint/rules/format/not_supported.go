package format

import (
	"slices"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "not-supported",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if p.HasADKRole(adk.Config) {
			settings := adk.LowerConfig(metric.Latest, *p.ADK)
			if settings.Simulator.Audio {
				config := adk.LookupPair(p.Tree.Root(), "user_simulator_config").Value
				p.Report(config.Get("type").Span, "`rubric run` leaves cases with a simulated user ungraded: it does not simulate one that speaks").Severity = diag.Info
			}
			for _, c := range settings.Criteria {
				if why := metric.UnmeasuredReason(c.Metric); why != "" && !c.Skipped { // see unknown-metric
					d := p.Report(c.Key.Span, "`rubric run` leaves `%s` ungraded: %s; choose the other metrics with `--metric`", lint.Abbreviate(c.Metric), why)
					d.Severity = diag.Info
				}
			}
		}
		if p.Role == string(agentv.Targets) || p.Role == string(agentv.Providers) {
			for _, n := range agentv.Definitions(p.Tree.Root()) {
				provider := n.Get("provider").Text()
				if why := agentv.UnsupportedProvider(provider); why != "" {
					p.Report(n.Get("provider").Span, "`rubric run` does not ask a target with the provider `%s`: %s", provider, why).Severity = diag.Warning
				}
			}
		}
		p.EachMismatch(conform.NotSupported, func(m conform.Mismatch) {
			d := p.Report(m.Span, "`%s` is not supported by `rubric run`: %s", m.Key, m.Field.Unsupported)
			if p.ADK != nil {
				d.Severity = diag.Info
			} else if m.Field.LeavesUngraded {
				d.Severity = diag.Warning
				d.Message += ", so its cases stay ungraded"
			}
		})
		p.EachDistinctGrader(func(g *rubric.Grader) {
			why := grade.Unsupported(g)
			if why == "" || hasUnknownType(p, g) {
				return
			}
			span := g.SelectionSpan
			switch {
			case g.Assert == nil:
			case g.Kind == rubric.External:
				span = g.Assert.TypeSpan
			case !g.Assert.ValueSpan.Empty():
				span = g.Assert.ValueSpan
			}
			p.Report(span, "this cannot be graded: %s", why)
		})
	},
})

// hasUnknownType reports whether unknown-value reports the type of a grader, or a mismatch explains
// why its value cannot be used.
func hasUnknownType(p *lint.Pass, g *rubric.Grader) bool {
	return g.Assert != nil && slices.ContainsFunc(p.Mismatches, func(m conform.Mismatch) bool {
		explains := m.Kind == conform.WrongType || m.Kind == conform.UnknownKey && m.Suggestion != ""
		return explains && g.Assert.ValueSpan.Contains(m.Span) || m.Kind == conform.UnlistedValue && m.Span == g.Assert.TypeSpan && !hasPlugin(p, m)
	})
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "settings-ignored",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		remove := func(n *yaml.Node) []diag.Fix { return fix.RemoveEntry(p.Source, n, "remove the setting") }
		p.ReportLosses("prompt_ignored_with_rubrics", "the runner ignores the prompt because there are `rubrics`", remove)
		p.ReportLosses("max_duration_ms_unread", "this version of the runner ignores `max_duration_ms`", remove)
		p.ReportLosses("member_settings_ignored", "inside a composite the runner ignores a judge's rubrics and prompt", nil)
	},
})
