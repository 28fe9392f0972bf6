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

var _ = lint.Register(pages, lint.Rule{
	ID:       "colon-in-text",
	Severity: diag.Error,
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
