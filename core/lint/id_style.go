package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

var (
	tidyID = pattern.Of(`^[\p{Ll}\p{Lo}\p{N}]+(?:[-_./:]+[\p{Ll}\p{Lo}\p{N}]+)*$`)
	humps  = pattern.Of(`([\p{Ll}\p{N}])(\p{Lu})`)
	gaps   = pattern.Of(`[^\p{L}\p{N}]+`)
)

var _ = add(Rule{
	ID:       "id-style",
	Summary:  "An id is not in kebab-case or snake_case",
	Severity: diag.Hint,
	Why: `
Judges repeat ids, people type them after ~--case~, and results are matched by them, letter for letter. Small letters
with ~-~ or ~_~ between are the least likely to go wrong.
`,
	Bad:  writingBefore + "      - { id: ⟦Refund Window⟧, expected_outcome: States that the refund window is 30 days }\n",
	Good: writingBefore + "      - { id: refund-window, expected_outcome: States that the refund window is 30 days }\n",
	Run: func(p *Pass) {
		for _, c := range p.cases() {
			p.untidy(c.ID, c.IDSpan)
		}
		p.criteria(func(c *rubric.Criterion) {
			if !c.AutoID {
				p.untidy(c.ID, c.IDSpan)
			}
		})
	},
})

func (p *Pass) untidy(id string, at text.Span) {
	if id == "" || tidyID().MatchString(id) {
		return
	}
	tidy := kebab(id)
	d := p.Report(at, "the id `%s` is neither kebab-case nor snake_case", shortened(id))
	if tidyID().MatchString(tidy) {
		d.Fixes = []diag.Fix{{Title: "change to `" + tidy + "`", Edits: []text.Edit{{Span: at, New: tidy}}}}
	}
}

// kebab is an id in kebab-case.
func kebab(id string) string {
	id = humps().ReplaceAllString(id, "$1-$2")
	return strings.Trim(strings.ToLower(gaps().ReplaceAllString(id, "-")), "-")
}
