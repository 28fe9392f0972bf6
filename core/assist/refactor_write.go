package assist

import (
	"strings"

	scalars "github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// newPair is an entry of a mapping that is to be written.
type newPair struct {
	key      string
	value    string    // as a scalar
	children []newPair // a mapping in place of the value, if there is one
}

// formatPair is a pair in the style of the spot, between brackets or not. Lines after
// the first are indented from the pair's column on.
func (ec editContext) formatPair(p newPair, flow bool) string {
	key := p.key
	if ec.json {
		key = scalars.Quote(key)
	}
	switch {
	case p.children == nil:
		return key + ": " + p.value
	case flow:
		return key + ": " + ec.flowMapping(p.children)
	}
	key += ":"
	for _, q := range p.children {
		key += "\n" + strings.Repeat(" ", indentStep) + ec.formatPair(q, false)
	}
	return key
}

// scalarText is a scalar as it is written, or, if that goes over several lines, on one.
func (ec editContext) scalarText(n *yaml.Node) string {
	if written := ec.part.Source.Slice(fullSpan(n)); !strings.ContainsAny(written, "\r\n") {
		return written
	}
	return scalars.Quote(n.Value)
}

// formatText is a text as a scalar, wherever it stands.
func (ec editContext) formatText(value string) string {
	if ec.json {
		return scalars.Quote(value)
	}
	return scalars.Format(value, scalars.FlowValue)
}

// indentLines are lines from a column on, the first where the cursor is.
func (ec editContext) indentLines(lines []string, column int) string {
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\n", styleOf(ec.part).newline+strings.Repeat(" ", column))
}

// formatPairs are pairs, each as it is written.
func (ec editContext) formatPairs(pairs []newPair, flow bool) []string {
	all := make([]string, len(pairs))
	for i, p := range pairs {
		all[i] = ec.formatPair(p, flow)
	}
	return all
}

// flowMapping are pairs between braces.
func (ec editContext) flowMapping(pairs []newPair) string {
	space := " "
	if ec.json {
		space = ""
	}
	return "{" + space + strings.Join(ec.formatPairs(pairs, true), ", ") + space + "}"
}

// appendEntries are the edits that write more entries at the end of a criterion, which
// becomes a mapping for that if it is a text.
func (ec editContext) appendEntries(n *yaml.Node, more ...newPair) []text.Edit {
	words := newPair{key: ec.textKey(), value: ec.scalarText(n)}
	switch flow := n.Parent.Style == yaml.Flow; {
	case n.Kind == yaml.Scalar && flow:
		return []text.Edit{{Span: n.Span, New: ec.flowMapping(append([]newPair{words}, more...))}}
	case n.Kind == yaml.Scalar:
		return []text.Edit{{Span: n.Span, New: ec.formatPair(words, false)}, ec.insertBelow(n, columnOf(ec.part.Source, n), more)}
	case n.Style == yaml.Block:
		return []text.Edit{ec.insertBelow(n, columnOf(ec.part.Source, n.Pairs[0].Key), more)}
	}
	at := n.Pairs[len(n.Pairs)-1].Span().End
	return []text.Edit{{Span: text.Span{Start: at, End: at}, New: ", " + strings.Join(ec.formatPairs(more, true), ", ")}}
}

// insertBelow writes pairs on lines after the last one of a node.
func (ec editContext) insertBelow(n *yaml.Node, column int, pairs []newPair) text.Edit {
	at := ec.part.Source.LineSpan(ec.part.Source.OffsetLine(n.Span.End)).End
	return text.Edit{Span: text.Span{Start: at, End: at}, New: ec.indentLines(append([]string{""}, ec.formatPairs(pairs, false)...), column)}
}
