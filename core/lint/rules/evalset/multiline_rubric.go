package evalset

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "multiline-rubric",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		for _, list := range rubricLists(p) {
			for _, r := range list.Rubrics {
				words := strings.TrimSpace(r.Text)
				if !strings.ContainsAny(words, "\n\r\u2028\u2029\u0085\v\f") {
					continue
				}
				d := p.Report(r.TextNode.Span, "the text of `%s` has several lines; a judge's verdict cannot be matched to it", lint.Abbreviate(r.ID))
				if r.TextNode.Style == yaml.DoubleQuoted {
					d.Fixes = fix.Replace(r.TextNode, scalar.Quote(strings.Join(strings.Fields(words), " ")), "put it on one line")
				}
			}
		}
	},
})
