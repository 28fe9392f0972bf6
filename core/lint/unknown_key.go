package lint

import (
	"slices"
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
			if isScoreMap(m.Owner) || p.wasText(m) {
				return // see range-outside, colon-in-text
			}
			if m.Near == "" {
				p.Report(m.Span, "unknown key `%s` in this %s; the runner ignores it", shortened(m.Key), noun(m.Owner))
				return
			}
			lost := p.missingFor(m)
			d := p.Report(m.Span, "unknown key `%s`%s; did you mean `%s`?", shortened(m.Key), lost, m.Near)
			if lost != "" {
				d.Severity = diag.Error
			}
			d.Fixes = rename(m.Node, m.Span, m.Near, sameLetters(m.Key, m.Near))
		})
	},
})

// missingFor is what is lost because a key that has to be there is misspelt.
func (p *Pass) missingFor(m conform.Mismatch) string {
	for _, missing := range p.keysOf(m.Node) {
		if missing.Kind == conform.MissingKey && slices.Contains(missing.Field.Names(), m.Near) {
			return lostField(missing.Field)
		}
	}
	return ""
}

// sameLetters reports whether two keys differ in case and separators only.
func sameLetters(a, b string) bool {
	strip := strings.NewReplacer("_", "", "-", "", " ", "")
	return strings.EqualFold(strip.Replace(a), strip.Replace(b))
}
