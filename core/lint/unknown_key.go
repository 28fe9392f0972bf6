package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
)

var _ = add(Rule{
	ID:       "unknown-key",
	Summary:  "A mapping has a key that the format does not know",
	Severity: diag.Warning,
	Why: `
The runner reads past keys that it does not know, without a word. A misspelt key therefore grades nothing: what
was meant by it is not in the run.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: warm
        expected_outcome: Greets the user by name
        ⟦wieght⟧: 3
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: warm
        expected_outcome: Greets the user by name
        weight: 3
`,
	Run: func(p *Pass) {
		p.mismatches(conform.UnknownKey, func(m conform.Mismatch) {
			if isScoreMap(m.Owner) {
				return // see range-outside
			}
			if m.Near == "" {
				p.Report(m.Span, "unknown key `%s` in this %s; the runner ignores it", shortened(m.Key), noun(m.Owner))
				return
			}
			d := p.Report(m.Span, "unknown key `%s`; did you mean `%s`?", shortened(m.Key), m.Near)
			d.Fixes = rename(m.Node, m.Span, m.Near, sameLetters(m.Key, m.Near))
		})
	},
})

// sameLetters reports whether two keys differ in case and separators only.
func sameLetters(a, b string) bool {
	strip := strings.NewReplacer("_", "", "-", "", " ", "")
	return strings.EqualFold(strip.Replace(a), strip.Replace(b))
}
