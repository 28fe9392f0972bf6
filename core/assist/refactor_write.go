package assist

import (
	"strings"

	scalars "github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// pair is a key and its value as they are to be written; the value may be of
// several lines, which are indented from the key's column on.
type pair struct{ key, value string }

// write is a pair in the style of the part.
func (s spot) write(p pair) string {
	if s.json {
		return scalars.Quoted(p.key) + ": " + p.value
	}
	if strings.HasPrefix(p.value, "\n") {
		return p.key + ":" + p.value
	}
	return p.key + ": " + p.value
}

// raw is a scalar as it is written, on one line, where it can stand in the same
// way somewhere else between brackets, or outside of them, as now.
func (s spot) raw(n *yaml.Node) string {
	if written := s.part.Source.Slice(fullSpan(n)); !strings.ContainsAny(written, "\r\n") {
		return written
	}
	return scalars.Quoted(n.Value)
}

// word is a text as a scalar of the part: as a value, between brackets or not.
func (s spot) word(value string, flow bool) string {
	switch {
	case s.json:
		return scalars.Quoted(value)
	case flow:
		return scalars.Word(value, scalars.FlowValue)
	}
	return scalars.Word(value, scalars.Value)
}

// lines are pairs one below another, from a column on, the first where the cursor
// is.
func (s spot) lines(pairs []pair, column int) string {
	style := styleOf(s.part)
	margin := style.newline + strings.Repeat(" ", column)
	written := make([]string, len(pairs))
	for i, p := range pairs {
		written[i] = strings.ReplaceAll(s.write(p), "\n", margin)
	}
	return strings.Join(written, margin)
}

// braced are pairs between braces.
func (s spot) braced(pairs []pair) string {
	written := make([]string, len(pairs))
	for i, p := range pairs {
		written[i] = s.write(p)
	}
	if s.json {
		return "{" + strings.Join(written, ", ") + "}"
	}
	return "{ " + strings.Join(written, ", ") + " }"
}

// added are the edits that write more entries at the end of a criterion, which
// becomes a mapping for that if it is a text.
func (s spot) added(n *yaml.Node, block, flow []pair) []text.Edit {
	source := s.part.Source
	flowing := n.Style == yaml.Flow || n.Kind == yaml.Scalar && n.Parent.Style == yaml.Flow
	if n.Kind == yaml.Scalar {
		pairs := append([]pair{{s.textKey(), s.raw(n)}}, flow...)
		if flowing {
			return []text.Edit{{Span: n.Span, New: s.braced(pairs)}}
		}
		edits := []text.Edit{{Span: n.Span, New: s.write(pairs[0])}}
		return append(edits, s.below(n, columnOf(source, n), block))
	}
	if !flowing {
		return []text.Edit{s.below(n, columnOf(source, n.Pairs[0].Key), block)}
	}
	at := n.Pairs[len(n.Pairs)-1].Span().End
	written := ""
	for _, p := range flow {
		written += ", " + s.write(p)
	}
	return []text.Edit{{Span: text.Span{Start: at, End: at}, New: written}}
}

// below writes pairs on lines after the last one of a node.
func (s spot) below(n *yaml.Node, column int, pairs []pair) text.Edit {
	at := s.part.Source.LineSpan(s.part.Source.OffsetLine(n.Span.End)).End
	margin := styleOf(s.part).newline + strings.Repeat(" ", column)
	return text.Edit{Span: text.Span{Start: at, End: at}, New: margin + s.lines(pairs, column)}
}
