package format

import (
	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
)

var _ = lint.Register(lint.Rule{
	ID:       "other-version",
	Summary:  "A key has the name that another version of AgentV uses",
	Severity: diag.Error,
	Why: `
AgentV has renamed most of its keys and graders, some of them three times. A runner reads only the names of its own
version and loses values under other names. ~rubric~ derives the version of a file from the name of its list of cases,
~evalcases~ or ~tests~, and from where the question is, in a test's ~input~ or in the file's ~prompts~.
`,
	Bad: `
evalcases:
  - id: refund
    ⟦criteria⟧: Explains the refund policy
    input: Can I send the lamp back?
    rubrics:
      - { id: window, ⟦outcome⟧: States that the refund window is 30 days }
`,
	Good: `
evalcases:
  - id: refund
    expected_outcome: Explains the refund policy
    input: Can I send the lamp back?
    rubrics:
      - { id: window, expected_outcome: States that the refund window is 30 days }
`,
	Run: func(p *lint.Pass) {
		p.EachMismatch(conform.OtherVersion, func(m conform.Mismatch) {
			known := "an older version"
			if len(m.KnownVersions) > 0 {
				known = diag.JoinList(m.KnownVersions, "and")
			}
			d := p.Report(m.Span, "`%s` is the name in %s of AgentV; in this file's version it is `%s`%s", lint.Abbreviate(m.Key), known, m.Suggestion, movedPlaces[m.NewParent])
			if !m.IsMoved {
				d.Fixes = fix.RenameKey(m.Node, m.Span, m.Suggestion, true)
			}
		})
	},
})

// movedPlaces describe the new place of a moved key, by the name of its mapping.
var movedPlaces = map[string]string{
	"": "", "file": " at the top of the file", "execution": " under `execution`", "case": " in each case", "vars": " under `vars`",
}
