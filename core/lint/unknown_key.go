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
	Summary:    "A mapping has a key that the format does not define",
	Severity:   diag.Warning,
	CanBeError: true,
	Why: `
Most versions of the runner silently ignore unknown keys, so a misspelt key has no effect. The latest version's ~agentv
validate~ refuses most files with unknown keys. ADK silently accepts an unknown key of a criterion and uses the default of
the intended key, so a misspelt key is an error there.
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

// missingKeyLoss describes what the runner does because a required key is misspelt.
func (p *Pass) missingKeyLoss(m conform.Mismatch) string {
	for _, missing := range p.keyFaultsOf(m.Node).missing {
		if slices.Contains(missing.Field.Names(), m.Suggestion) {
			return fieldLoss(missing.Field)
		}
	}
	return ""
}

// unknownKeyLoss describes what the runner does with an unknown key of a mapping.
func unknownKeyLoss(t *schema.Type) string { return runnerLoss(cmp.Or(t.OnUnknownKey, "ignores it")) }

// sameLetters reports whether two keys differ in case and separators only.
func sameLetters(a, b string) bool {
	strip := strings.NewReplacer("_", "", "-", "", " ", "")
	return strings.EqualFold(strip.Replace(a), strip.Replace(b))
}
