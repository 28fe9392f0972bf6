package format

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

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
