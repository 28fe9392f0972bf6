package wording

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

const (
	adjectives = `accurate|concise|polite|clear|correct|complete|brief|short|friendly|helpful|professional|relevant|consistent|coherent|` +
		`good|kind|safe|harmless|empathetic|actionable|specific|valid|readable|respectful|neutral|factual|precise|thorough|formal`
	verbs = `states|mentions|explains|includes|provides|asks|offers|names|lists|gives|cites|warns|apologi[sz]es|describes|suggests|recommends|` +
		`returns|uses|identifies|contains|calls|confirms|thanks|greets|summari[sz]es|handles|validates|rejects|reports`
)

var (
	twoQualities = ignoreCase(`^(` + subjectPattern + `(?:(?:is|are|be|should be|must be|stays|remains)\s+)?(?:both\s+)?)(` + adjectives + `)\s+and\s+(` + adjectives + `)\s*[.!]?$`)
	// "Uses formal language and avoids slang" is one concept, so the second verb is never "avoids".
	twoActs = ignoreCase(`^(` + subjectPattern + `)((?:avoids|` + verbs + `)\s[^,;:]+?),?\s+and\s+((?:` + verbs + `)\s[^,;:]+)$`)
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "two-concepts",
	Severity: diag.Hint,
	Run: func(p *lint.Pass) {
		for _, c := range englishCriteria(p) {
			first, second, ok := SplitConcepts(c.Text)
			if !ok {
				continue
			}
			d := p.Report(c.TextSpan, "this asks for two things, `%s` and `%s`", lint.Abbreviate(first), lint.Abbreviate(second))
			if p.ADK != nil {
				d.Fixes = splitRubric(p, c, first, second)
				continue
			}
			key := "expected_outcome"
			if p.Suite.Version != "" {
				key = "outcome"
			}
			if edit, ok := SplitCriterion(p.Source, p.TreeFor(c.Span.Start), c, key); ok {
				d.Fixes = []diag.Fix{{Title: "split it into two criteria that share the weight", Edits: []text.Edit{edit}}}
			}
		}
	},
})

// splitRubric is the fix that splits a rubric of ADK into two, the second a copy of the first with
// another id and text. There is none for a rubric with comments.
func splitRubric(p *lint.Pass, c *rubric.Criterion, first, second string) []diag.Fix {
	tree := p.TreeFor(c.Span.Start)
	id, words := tree.NodeAt(c.IDSpan.Start), tree.NodeAt(c.TextSpan.Start)
	item := tree.NodeWithSpan(c.Span)
	written := p.Source.Slice(c.Span)
	if c.AutoID || id.Span != c.IDSpan || words.Span != c.TextSpan || item == nil || item.Parent == nil || strings.ContainsAny(written, "#&") {
		return nil
	}
	edits := []text.Edit{{Span: c.IDSpan.Shift(-c.Span.Start), New: scalar.FormatLike(id, c.ID+"_2")}, {Span: c.TextSpan.Shift(-c.Span.Start), New: scalar.FormatLike(words, second)}}
	copied, err := text.Apply(written, edits)
	if err != nil {
		return nil
	}
	line := p.Source.LineSpan(p.Source.OffsetLine(c.Span.Start))
	lead := p.Source.Slice(text.Span{Start: line.Start, End: c.Span.Start})
	switch {
	case item.Parent.Style == yaml.Block:
		copied = p.Source.Newline() + lead + copied
	case strings.TrimSpace(lead) == "":
		copied = "," + p.Source.Newline() + lead + copied
	default:
		copied = ", " + copied
	}
	return []diag.Fix{{Title: "split it into two rubrics", Edits: []text.Edit{
		{Span: c.TextSpan, New: scalar.FormatLike(words, first)}, {Span: text.Span{Start: c.Span.End, End: c.Span.End}, New: copied},
	}}}
}

// AsksForTwo reports whether a yes-or-no criterion asks for two things.
func AsksForTwo(c *rubric.Criterion) bool {
	_, _, ok := SplitConcepts(c.Text)
	return ok && isEnglishCriterion(c)
}

// SplitCriterion returns the edit that splits a criterion that asks for two things into two
// that share its weight. Key is the key for the texts if the criterion is only a text. Ok is
// false if the criterion asks for one thing, is in a list of graders, or has something that
// the two cannot take over: a comment, an anchor or another key.
func SplitCriterion(source *text.Source, tree *yaml.Tree, c *rubric.Criterion, key string) (edit text.Edit, ok bool) {
	first, second, ok := SplitConcepts(c.Text)
	n := tree.NodeWithSpan(c.Span)
	if !ok || n == nil || n.Parent == nil || n.Parent.Kind != yaml.Sequence || n.Parent.Style != yaml.Block || strings.Contains(source.Slice(n.Span), "#") {
		return edit, false
	}
	if n.Kind == yaml.Scalar && !isCriteriaItem(n) {
		return edit, false
	}
	for _, pair := range n.Pairs {
		switch {
		case pair.Value.Span == c.TextSpan:
			key = pair.Key.Value
		case !slices.Contains([]string{"id", "weight", "required"}, pair.Key.Value):
			return edit, false
		}
	}
	line := source.LineSpan(source.OffsetLine(n.Span.Start))
	lead := source.Slice(text.Span{Start: line.Start, End: n.Span.Start})
	if strings.TrimLeft(lead, " ") != "- " {
		return edit, false
	}
	return text.Edit{Span: n.Span, New: halfItem(c, key, first, "") + source.Newline() + lead + halfItem(c, key, second, "-2")}, true
}

// isCriteriaItem reports whether a text is in a list of criteria. Later versions also allow
// texts in lists of graders, where a mapping would mean something else.
func isCriteriaItem(n *yaml.Node) bool {
	return n.Parent.Key != nil && slices.Contains([]string{"rubrics", "criteria", "value"}, n.Parent.Key.Key.Value)
}

// SplitConcepts splits an English criterion that asks for two things into a text for each.
// Ok is false if it asks for one thing.
func SplitConcepts(words string) (first, second string, ok bool) {
	if !strings.Contains(words, " and ") {
		return "", "", false
	}
	if m := twoQualities().FindStringSubmatch(words); m != nil {
		lead := bothPattern().ReplaceAllString(m[1], "")
		return Capitalize(lead + m[2]), Capitalize(lead + m[3]), true
	}
	if m := twoActs().FindStringSubmatch(words); m != nil {
		return Capitalize(m[1] + m[2]), Capitalize(m[1] + strings.TrimSuffix(m[3], ".")), true
	}
	return "", "", false
}

var bothPattern = pattern.New(`(?i)\bboth\s+$`)

// Capitalize starts a text, which is not empty, with an upper-case letter.
func Capitalize(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}

// halfItem is the list item for one of the two, with half of the weight.
func halfItem(c *rubric.Criterion, key, words, suffix string) string {
	var b strings.Builder
	b.WriteString("{ ")
	if !c.AutoID {
		fmt.Fprintf(&b, "id: %s, ", scalar.Format(c.ID+suffix, scalar.FlowValue))
	}
	fmt.Fprintf(&b, "%s: %s, weight: %.6g", key, scalar.Format(words, scalar.FlowValue), c.Weight/2)
	if c.Required != nil {
		fmt.Fprintf(&b, ", required: %v", *c.Required)
	}
	b.WriteString(" }")
	return b.String()
}
