package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/schema"
)

var _ = register(Rule{
	ID:         "unknown-key",
	Summary:    "A mapping has a key that the format does not know",
	Severity:   diag.Warning,
	CanBeError: true,
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
		p.eachMismatch(conform.UnknownKey, func(m conform.Mismatch) {
			if isScoreMap(m.Owner) || p.isTextWithColon(m) {
				return // see range-outside, colon-in-text
			}
			d := p.Report(m.Span, "unknown key `%s`", abbreviate(m.Key))
			missing := p.missingKeyLoss(m)
			if missing != "" || p.ADK != nil && m.Suggestion != "" || strings.HasPrefix(m.Owner.OnUnknownKey, "refuses") || strings.HasPrefix(m.Owner.OnUnknownKey, "does not") {
				d.Severity = diag.Error
			}
			if m.Suggestion == "" {
				d.Message += " in this " + typeNoun(m.Owner) + unknownKeyLoss(m.Owner)
				return
			}
			if missing == "" && p.ADK != nil {
				missing = runnerLoss(cmp.Or(m.Owner.OnUnknownKey, "goes on without it"))
			}
			d.Message += missing + "; did you mean `" + m.Suggestion + "`?"
			d.Fixes = p.renameKeyFix(m.Node, m.Span, m.Suggestion, sameLetters(m.Key, m.Suggestion))
		})
	},
})

// missingKeyLoss is what is lost because a key that has to be there is misspelt.
func (p *Pass) missingKeyLoss(m conform.Mismatch) string {
	for _, missing := range p.keyFaultsOf(m.Node).missing {
		if slices.Contains(missing.Field.Names(), m.Suggestion) {
			return fieldLoss(missing.Field)
		}
	}
	return ""
}

// unknownKeyLoss is what the runner does for a key that a mapping of a type does not
// have.
func unknownKeyLoss(t *schema.Type) string { return runnerLoss(cmp.Or(t.OnUnknownKey, "ignores it")) }

// sameLetters reports whether two keys differ in case and separators only.
func sameLetters(a, b string) bool {
	strip := strings.NewReplacer("_", "", "-", "", " ", "")
	return strings.EqualFold(strip.Replace(a), strip.Replace(b))
}
