package evalset

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(pages, lint.Rule{
	ID:          "no-config",
	Severity:    diag.Info,
	Highest:     diag.Warning,
	AlsoReports: []string{"no-config"},
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.EvalSet, adk.Older, adk.Turns) || p.ADK.IsChunk {
			return
		}
		_, source, known := metricsConfig(p)
		if !known || source != nil {
			return
		}
		d := p.Report(p.Tree.Root().FirstKeySpan(), "there is no `%s` in this folder; the runner measures `tool_trajectory_avg_score` with threshold 1 and `response_match_score` with threshold 0.8", adk.ConfigName)
		if p.AllContents().HasRubrics {
			d.Severity = diag.Warning
			d.Message += " and ignores the rubrics"
		}
	},
})
