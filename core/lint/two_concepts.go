package lint

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

const (
	adjectives = `accurate|concise|polite|clear|correct|complete|brief|short|friendly|helpful|professional|relevant|consistent|coherent|` +
		`safe|harmless|empathetic|actionable|specific|valid|readable|respectful|neutral|factual|precise|thorough|formal`
	verbs = `states|mentions|explains|includes|provides|asks|offers|names|lists|gives|cites|warns|apologi[sz]es|describes|suggests|recommends|` +
		`returns|uses|avoids|identifies|contains|calls|confirms|thanks|greets|summari[sz]es|handles|validates|rejects|reports`
)

var (
	twoQualities = phrase(`^(` + subjectPattern + `(?:(?:is|are|be|should be|must be|stays|remains)\s+)?(?:both\s+)?)(` + adjectives + `)\s+and\s+(` + adjectives + `)\s*[.!]?$`)
	twoActs      = phrase(`^(` + subjectPattern + `)((?:` + verbs + `)\s[^,;:]+?),?\s+and\s+((?:` + verbs + `)\s[^,;:]+)$`)
)

var _ = add(Rule{
	ID:       "two-concepts",
	Summary:  "A criterion asks for two things at once",
	Severity: diag.Hint,
	Why: `
An answer that has one and lacks the other is neither satisfied nor not, and the verdict does not say which was
missing. The fix makes two criteria of it that share its weight.
`,
	Bad:  writingBefore + "      - ⟦States the refund window and offers a return label⟧\n      - { id: tone, weight: 3, expected_outcome: ⟦Is accurate and polite⟧ }\n",
	Good: writingBefore + "      - States the refund window\n      - Offers a return label\n",
	Run: func(p *Pass) {
		p.english(func(c *rubric.Criterion) {
			first, second, ok := concepts(c.Text)
			if !ok {
				return
			}
			d := p.Report(c.TextSpan, "this asks for two things, `%s` and `%s`", shortened(first), shortened(second))
			if item := p.treeAt(c.Span.Start).At(c.Span.Start); item != nil {
				d.Fixes = p.split(item, c, first, second)
			}
		})
	},
})

// concepts are the two things that a criterion asks for.
func concepts(words string) (first, second string, ok bool) {
	if !strings.Contains(words, " and ") {
		return "", "", false
	}
	if m := twoQualities.FindStringSubmatch(words); m != nil {
		lead := regexp.MustCompile(`(?i)\bboth\s+$`).ReplaceAllString(m[1], "")
		return capital(lead + m[2]), capital(lead + m[3]), true
	}
	if m := twoActs.FindStringSubmatch(words); m != nil {
		return capital(m[1] + m[2]), capital(m[1] + strings.TrimSuffix(m[3], ".")), true
	}
	return "", "", false
}

func capital(words string) string {
	if words == "" {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// split is the fix that writes two items for one. It is left out where the item
// holds more than it can carry over: a comment, another key.
func (p *Pass) split(n *yaml.Node, c *rubric.Criterion, first, second string) []diag.Fix {
	for n != nil && n.Span != c.Span {
		n = n.Parent
	}
	if n == nil || n.Parent == nil || n.Parent.Kind != yaml.Sequence || n.Parent.Style != yaml.Block || strings.Contains(p.Source.Slice(n.Span), "#") {
		return nil
	}
	for _, pair := range n.Pairs {
		switch pair.Key.Value {
		case "id", "expected_outcome", "description", "weight", "required":
		default:
			return nil
		}
	}
	line := p.Source.LineSpan(p.Source.OffsetLine(n.Span.Start))
	lead := p.Source.Slice(text.Span{Start: line.Start, End: n.Span.Start})
	if strings.TrimLeft(lead, " ") != "- " {
		return nil
	}
	with := half(c, first, "") + "\n" + lead + half(c, second, "-2")
	return []diag.Fix{{Title: "make it two criteria that share the weight", Edits: []text.Edit{{Span: n.Span, New: with}}}}
}

// half is an item with one of the two things and half of the weight.
func half(c *rubric.Criterion, words, suffix string) string {
	var b strings.Builder
	b.WriteString("{ ")
	if !c.AutoID {
		fmt.Fprintf(&b, "id: %s, ", strconv.Quote(c.ID+suffix))
	}
	fmt.Fprintf(&b, "expected_outcome: %s, weight: %s", strconv.Quote(words), number(c.Weight/2))
	if c.Required != nil {
		fmt.Fprintf(&b, ", required: %v", *c.Required)
	}
	b.WriteString(" }")
	return b.String()
}
