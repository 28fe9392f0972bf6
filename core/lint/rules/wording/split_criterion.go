package wording

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
