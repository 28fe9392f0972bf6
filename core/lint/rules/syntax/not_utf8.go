package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "not-utf8",
	Severity: diag.Error,
	// Markdown is UTF-8, so its page has no examples.
	Bad:  "evalcases:\n  - id: greeting\n    expected_outcome: Gr⟦\xfc⟧ßt\n    input: Hallo\n",
	Good: "evalcases:\n  - id: greeting\n    expected_outcome: Grüßt\n    input: Hallo\n",
	Run: func(p *lint.Pass) {
		for _, problem := range p.Tree.ProblemsOf(yaml.EncodingProblem) {
			d := p.ReportProblem(problem, "")
			d.Fixes = readAsLatin1(problem.Span, p.Source.Slice(problem.Span))
		}
	},
})

// readAsLatin1 is the unsafe fix for bytes that are letters in Latin-1, an older encoding. It
// encodes them as UTF-8.
func readAsLatin1(span text.Span, bytes string) []diag.Fix {
	const firstLetter = 0xC0
	var decoded []rune
	for i := range len(bytes) {
		if bytes[i] < firstLetter {
			return nil
		}
		decoded = append(decoded, rune(bytes[i]))
	}
	return []diag.Fix{{Title: "read it as Latin-1: `" + string(decoded) + "`", Edits: []text.Edit{{Span: span, New: string(decoded)}}}}
}
