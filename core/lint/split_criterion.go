package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// AsksForTwo reports whether a criterion, judged yes or no, asks for two things.
func AsksForTwo(c *rubric.Criterion) bool {
	_, _, ok := SplitConcepts(c.Text)
	return ok && isEnglishCriterion(c)
}

// SplitCriterion is the edit that writes two criteria for one that asks for two things;
// they share its weight. Key is what the text of a criterion is under, where it
// is a text alone. It is false where the criterion asks for one thing, or holds
// more than can be carried over: a comment, another key, an anchor, or stands
// among graders.
func SplitCriterion(source *text.Source, tree *yaml.Tree, c *rubric.Criterion, key string) (edit text.Edit, ok bool) {
	first, second, ok := SplitConcepts(c.Text)
	n := tree.NodeAt(c.Span.Start)
	for n != nil && n.Span != c.Span {
		n = n.Parent
	}
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
	newline := "\n"
	if source.Slice(text.Span{Start: line.End, End: line.End + len("\r\n")}) == "\r\n" {
		newline = "\r\n"
	}
	return text.Edit{Span: n.Span, New: halfItem(c, key, first, "") + newline + lead + halfItem(c, key, second, "-2")}, true
}

// isCriteriaItem reports whether the list that a text is in is one of criteria;
// among graders, where newer versions take texts too, no mapping stands for one.
func isCriteriaItem(n *yaml.Node) bool {
	return n.Parent.Key != nil && slices.Contains([]string{"rubrics", "criteria", "value"}, n.Parent.Key.Key.Value)
}

// SplitConcepts are the two things that a criterion's text asks for, in English, each in
// words of its own; ok is false where it asks for one.
func SplitConcepts(words string) (first, second string, ok bool) {
	if !strings.Contains(words, " and ") {
		return "", "", false
	}
	if m := twoQualities().FindStringSubmatch(words); m != nil {
		lead := bothPattern().ReplaceAllString(m[1], "")
		return capitalize(lead + m[2]), capitalize(lead + m[3]), true
	}
	if m := twoActs().FindStringSubmatch(words); m != nil {
		return capitalize(m[1] + m[2]), capitalize(m[1] + strings.TrimSuffix(m[3], ".")), true
	}
	return "", "", false
}

var bothPattern = pattern.New(`(?i)\bboth\s+$`)

func capitalize(words string) string {
	if words == "" {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// halfItem is an item with one of the two things and half of the weight.
func halfItem(c *rubric.Criterion, key, words, suffix string) string {
	var b strings.Builder
	b.WriteString("{ ")
	if !c.AutoID {
		fmt.Fprintf(&b, "id: %s, ", scalar.Format(c.ID+suffix, scalar.FlowValue))
	}
	fmt.Fprintf(&b, "%s: %s, weight: %s", key, scalar.Format(words, scalar.FlowValue), formatNumber(c.Weight/2))
	if c.Required != nil {
		fmt.Fprintf(&b, ", required: %v", *c.Required)
	}
	b.WriteString(" }")
	return b.String()
}
