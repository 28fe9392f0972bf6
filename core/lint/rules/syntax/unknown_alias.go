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

var _ = lint.Register(lint.Rule{
	ID:       "unknown-alias",
	Summary:  "An alias names an anchor that does not exist",
	Severity: diag.Error,
	Why: `
An alias such as ~*shared~ repeats the value of the anchor ~&shared~ earlier in the same document. Without the anchor the
runner refuses the whole file.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: &question Hello
    expected_output: ⟦*qestion⟧
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: &question Hello
  - id: greeting-again
    expected_outcome: Greets the user
    input: *question
`,
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
