package format

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// runnerLoss is the end of a message that says what the runner does: "; the runner skips
// the case", or "" for nothing.
func runnerLoss(action string) string {
	if action == "" {
		return ""
	}
	return "; the runner " + action
}

// keyLoss is the runnerLoss of a key that is surely wrong, without what may make it right.
func keyLoss(t *schema.Type) string {
	certain, _, _ := strings.Cut(t.OnUnknownKey, " unless")
	return runnerLoss(certain)
}

// mismatchLoss is the runnerLoss of a mismatch.
func mismatchLoss(m conform.Mismatch) string {
	if m.Field == nil && m.IsRefused {
		return runnerLoss("refuses the file")
	}
	return fieldLoss(m.Field)
}

// fieldLoss is the runnerLoss of a field without a valid value.
func fieldLoss(f *schema.Field) string {
	if f == nil {
		return ""
	}
	return runnerLoss(f.OnInvalid)
}

// typeNoun returns the name of a mapping type.
func typeNoun(t *schema.Type) string {
	if t == nil || t.Name == "" {
		return "mapping"
	}
	return t.Title()
}

// mismatchSubject names the value that a mismatch is about.
func mismatchSubject(m conform.Mismatch) string {
	switch {
	case m.Key != "":
		return "`" + m.Key + "`"
	case m.Field != nil:
		return "an item of `" + m.Field.Key + "`"
	}
	return "the " + typeNoun(m.Type)
}

// Field tables have score ranges in two forms: a mapping from scores, and a list with the
// key score_range.
func isScoreMap(t *schema.Type) bool    { return t != nil && t.Name == "score-map" }
func isScoreRange(f *schema.Field) bool { return f != nil && f.Key == "score_range" }

var _ = lint.Register(pages, lint.Rule{
	ID:       "range-outside",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		report := func(m conform.Mismatch) {
			if isScoreRange(m.Field) && m.Kind != conform.UnknownKey {
				d := p.Report(m.Span, "`score_range` has %s; scores are whole numbers from 0 to 10", lint.Abbreviate(m.Node.Follow().Value))
				d.Fixes = changeToAllowed(m)
			}
		}
		p.EachMismatch(conform.OutOfBounds, report)
		p.EachMismatch(conform.NotWhole, report)
		p.EachMismatch(conform.UnknownKey, func(m conform.Mismatch) {
			if isScoreMap(m.Owner) {
				p.Report(m.Span, "a range cannot start at `%s`; expected a whole number from 0 to 10", lint.Abbreviate(m.Key))
			}
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "colon-in-text",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		report := func(m conform.Mismatch) {
			if !isTextWithColon(p, m) {
				return
			}
			n := m.Node.Follow()
			switch key := n.Pairs[0].Key.Value; {
			case m.Owner.VariantByTag(key) != nil:
				p.Report(n.Span, "`%[1]s` is a type: write `{ type: %[1]s, value: … }`", key)
			case slices.Contains(assertionTypes, key): // quoted, a judge would grade it
				p.Report(n.Span, "the colon makes this text a mapping, and there is no type `%s` here; write what is to be judged", key)
			default:
				p.Report(n.Span, "the colon makes this text a mapping; quote it").Fixes = fix.Quote(p.Source, n.Span)
			}
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

// assertionTypes are the types of assertions that compare texts.
var assertionTypes = []string{
	rubric.Contains, rubric.ContainsAny, rubric.ContainsAll, rubric.IContains, rubric.IContainsAny, rubric.IContainsAll,
	rubric.StartsWith, rubric.EndsWith, rubric.Regex, rubric.IsJSON, rubric.Equals,
}

// textLists are the keys of lists that may hold texts as well as mappings.
var textLists = []string{"rubrics", "assert", "assertions", "criteria", "value"}
