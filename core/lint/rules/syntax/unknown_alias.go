package syntax

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-alias",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		for _, problem := range p.Tree.ProblemsOf(yaml.UnknownAlias) {
			d := p.ReportProblem(problem, "")
			written := p.Source.Slice(problem.Span)
			known := slices.Collect(maps.Keys(p.Tree.AnchorsBefore(problem.Span.Start)))
			if p.Header != nil {
				known = slices.AppendSeq(known, maps.Keys(p.Header.AnchorsBefore(text.HeaderBase+len(p.Header.Source.Body))))
			}
			slices.Sort(known)
			if name := spell.Nearest(strings.TrimPrefix(written, "*"), known); name != "" {
				d.Fixes = []diag.Fix{{Title: "change to `*" + name + "`", Edits: []text.Edit{{Span: problem.Span, New: "*" + name}}}}
			}
		}
	},
})
