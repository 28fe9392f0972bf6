package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/schema"
)

var _ = add(Rule{
	ID:       "unknown-key",
	Summary:  "A mapping has a key that the format does not know",
	Severity: diag.Warning,
	Rises:    true,
	Why: `
Most versions of the runner read past keys that they do not know, without a word. A misspelt key therefore grades
nothing: what was meant by it is not in the run. The newest version's ~agentv validate~ refuses a file for such a key in
most places. ADK keeps keys of a criterion that it does not know and goes on with the default of what was meant, without a
word: there a misspelt key is an error.
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
			d := p.Report(m.Span, "unknown key `%s`", shortened(m.Key))
			missing := p.missingFor(m)
			if missing != "" || p.ADK != nil && m.Near != "" || strings.HasPrefix(m.Owner.Stray, "refuses") || strings.HasPrefix(m.Owner.Stray, "does not") {
				d.Severity = diag.Error
			}
			if m.Near == "" {
				d.Message += " in this " + noun(m.Owner) + lostKey(m.Owner)
				return
			}
			if missing == "" && p.ADK != nil {
				missing = lost(cmp.Or(m.Owner.Stray, "goes on without it"))
			}
			d.Message += missing + "; did you mean `" + m.Near + "`?"
			d.Fixes = p.rename(m.Node, m.Span, m.Near, sameLetters(m.Key, m.Near))
		})
	},
})

// missingFor is what is lost because a key that has to be there is misspelt.
func (p *Pass) missingFor(m conform.Mismatch) string {
	for _, missing := range p.keysOf(m.Node).missing {
		if slices.Contains(missing.Field.Names(), m.Near) {
			return lostField(missing.Field)
		}
	}
	return ""
}

// lostKey is what the runner does for a key that a mapping of a type does not
// have.
func lostKey(t *schema.Type) string { return lost(cmp.Or(t.Stray, "ignores it")) }

// sameLetters reports whether two keys differ in case and separators only.
func sameLetters(a, b string) bool {
	strip := strings.NewReplacer("_", "", "-", "", " ", "")
	return strings.EqualFold(strip.Replace(a), strip.Replace(b))
}
