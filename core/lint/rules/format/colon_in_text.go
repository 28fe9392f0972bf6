package format

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "colon-in-text",
	Summary:  "A text with a colon is read as a mapping",
	Severity: diag.Error,
	Why: `
In YAML, text before a colon and a space is a key. ~- Be polite: thank the user~ is therefore a mapping, not a text, and
the runner drops it from the rubric. Quote the text.
`,
	Bad: `
evalcases:
  - id: refund
    expected_outcome: Explains the refund policy
    input: Can I send the lamp back?
    rubrics:
      - ⟦Is polite to the end: thanks the user⟧
`,
	Good: `
evalcases:
  - id: refund
    expected_outcome: Explains the refund policy
    input: Can I send the lamp back?
    rubrics:
      - "Is polite to the end: thanks the user"
`,
	Run: func(p *lint.Pass) {
		report := func(m conform.Mismatch) {
			if !isTextWithColon(p, m) {
				return
			}
			n := m.Node.Follow()
			p.Report(n.Span, "the colon makes this text a mapping; quote it").Fixes = fix.Quote(p.Source, n.Span)
		}
		p.EachMismatch(conform.UnknownKey, report)
		p.EachMismatch(conform.MissingKey, report)
	},
})

// isTextWithColon reports whether the mapping of m was meant as a text: it is an item
// of a list of texts, has one unknown key, and takes one line.
func isTextWithColon(p *lint.Pass, m conform.Mismatch) bool {
	n := m.Node.Follow()
	untyped := m.Kind == conform.MissingKey && m.Owner.Tag != "" && m.Key == m.Owner.Tag
	if m.Suggestion != "" || m.Kind != conform.UnknownKey && !untyped || !n.IsMap() || len(n.Pairs) != 1 || n.Style == yaml.Flow {
		return false
	}
	list := n.Parent
	if list == nil || list.Kind != yaml.Sequence || list.Key == nil || !slices.Contains(textLists, list.Key.Key.Value) {
		return false
	}
	return !strings.ContainsAny(p.Source.Slice(n.Span), "\n#")
}

// textLists are the keys of lists that may hold texts as well as mappings.
var textLists = []string{"rubrics", "assert", "assertions", "criteria", "value"}
