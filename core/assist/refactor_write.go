package assist

import (
	"strings"

	scalars "github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// pair is an entry of a mapping that is to be written.
type pair struct {
	key    string
	value  string // as a scalar
	inside []pair // a mapping in place of the value, if there is one
}

// write is a pair in the style of the spot, between brackets or not. Lines after
// the first are indented from the pair's column on.
func (s spot) write(p pair, flow bool) string {
	key := p.key
	if s.json {
		key = scalars.Quoted(key)
	}
	switch {
	case p.inside == nil:
		return key + ": " + p.value
	case flow:
		return key + ": " + s.braced(p.inside)
	}
	key += ":"
	for _, q := range p.inside {
		key += "\n" + strings.Repeat(" ", step) + s.write(q, false)
	}
	return key
}

// raw is a scalar as it is written, or, if that goes over several lines, on one.
func (s spot) raw(n *yaml.Node) string {
	if written := s.part.Source.Slice(fullSpan(n)); !strings.ContainsAny(written, "\r\n") {
		return written
	}
	return scalars.Quoted(n.Value)
}

// word is a text as a scalar, wherever it stands.
func (s spot) word(value string) string {
	if s.json {
		return scalars.Quoted(value)
	}
	return scalars.Word(value, scalars.FlowValue)
}

// indented are lines from a column on, the first where the cursor is.
func (s spot) indented(lines []string, column int) string {
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\n", styleOf(s.part).newline+strings.Repeat(" ", column))
}

// written are pairs, each as it is written.
func (s spot) written(pairs []pair, flow bool) []string {
	all := make([]string, len(pairs))
	for i, p := range pairs {
		all[i] = s.write(p, flow)
	}
	return all
}

// braced are pairs between braces.
func (s spot) braced(pairs []pair) string {
	space := " "
	if s.json {
		space = ""
	}
	return "{" + space + strings.Join(s.written(pairs, true), ", ") + space + "}"
}

// added are the edits that write more entries at the end of a criterion, which
// becomes a mapping for that if it is a text.
func (s spot) added(n *yaml.Node, more ...pair) []text.Edit {
	words := pair{key: s.textKey(), value: s.raw(n)}
	switch flow := n.Parent.Style == yaml.Flow; {
	case n.Kind == yaml.Scalar && flow:
		return []text.Edit{{Span: n.Span, New: s.braced(append([]pair{words}, more...))}}
	case n.Kind == yaml.Scalar:
		return []text.Edit{{Span: n.Span, New: s.write(words, false)}, s.below(n, columnOf(s.part.Source, n), more)}
	case n.Style == yaml.Block:
		return []text.Edit{s.below(n, columnOf(s.part.Source, n.Pairs[0].Key), more)}
	}
	at := n.Pairs[len(n.Pairs)-1].Span().End
	return []text.Edit{{Span: text.Span{Start: at, End: at}, New: ", " + strings.Join(s.written(more, true), ", ")}}
}

// below writes pairs on lines after the last one of a node.
func (s spot) below(n *yaml.Node, column int, pairs []pair) text.Edit {
	at := s.part.Source.LineSpan(s.part.Source.OffsetLine(n.Span.End)).End
	return text.Edit{Span: text.Span{Start: at, End: at}, New: s.indented(append([]string{""}, s.written(pairs, false)...), column)}
}
