package wording

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

const (
	adjectives = `accurate|concise|polite|clear|correct|complete|brief|short|friendly|helpful|professional|relevant|consistent|coherent|` +
		`safe|harmless|empathetic|actionable|specific|valid|readable|respectful|neutral|factual|precise|thorough|formal`
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
		eachEnglishCriterion(p, func(c *rubric.Criterion) {
			first, second, ok := SplitConcepts(c.Text)
			if !ok {
				return
			}
			d := p.Report(c.TextSpan, "this asks for two things, `%s` and `%s`", lint.Abbreviate(first), lint.Abbreviate(second))
			if p.ADK != nil {
				d.Fixes = splitRubric(p, c, first, second)
				return
			}
			key := "expected_outcome"
			if p.Suite.Version != "" {
				key = "outcome"
			}
			if edit, ok := SplitCriterion(p.Source, p.TreeFor(c.Span.Start), c, key); ok {
				d.Fixes = []diag.Fix{{Title: "split it into two criteria that share the weight", Edits: []text.Edit{edit}}}
			}
		})
	},
})

// splitRubric is the fix that splits a rubric of ADK into two, the second a copy of the first with
// another id and text. There is none for a rubric with comments.
func splitRubric(p *lint.Pass, c *rubric.Criterion, first, second string) []diag.Fix {
	tree := p.TreeFor(c.Span.Start)
	id, words := tree.NodeAt(c.IDSpan.Start), tree.NodeAt(c.TextSpan.Start)
	item := words
	for item.Parent != nil && item.Span != c.Span {
		item = item.Parent
	}
	written := p.Source.Slice(c.Span)
	if c.AutoID || id.Span != c.IDSpan || words.Span != c.TextSpan || item.Parent == nil || strings.ContainsAny(written, "#&") {
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
		copied = "\n" + lead + copied
	case strings.TrimSpace(lead) == "":
		copied = ",\n" + lead + copied
	default:
		copied = ", " + copied
	}
	return []diag.Fix{{Title: "split it into two rubrics", Edits: []text.Edit{
		{Span: c.TextSpan, New: scalar.FormatLike(words, first)}, {Span: text.Span{Start: c.Span.End, End: c.Span.End}, New: copied},
	}}}
}
