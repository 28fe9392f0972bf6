package references

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "outside-file",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if p.OutsideReason == nil {
			return
		}
		eachMessageFile(p, func(value *yaml.Node, path string) {
			if why := p.OutsideReason(path); why != "" {
				p.Report(value.Span, "`%s` is not read: %s", lint.Abbreviate(path), why)
			}
		})
		eachPrompt(p, func(prompt *rubric.Prompt) {
			if why := p.OutsideReason(prompt.Path); why != "" {
				p.Report(prompt.Span, "the prompt `%s` is not read: %s", lint.Abbreviate(prompt.Path), why)
			}
		})
	},
})
