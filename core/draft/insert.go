package draft

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// added is what is written for criteria: an entry of the case, or a grader of
// its list.
func (s spot) added(criteria []Criterion) entry {
	items := make([][]entry, len(criteria))
	for i, c := range criteria {
		items[i] = []entry{
			{key: "id", name: c.ID}, {key: s.text, words: c.ExpectedOutcome},
			{key: "weight", value: c.Weight}, {key: "required", value: c.Required},
		}
	}
	if s.kind == "" {
		return entry{key: s.key, list: items}
	}
	return entry{key: s.key, list: [][]entry{{{key: "type", name: s.kind}, {key: s.shape.list, list: items}}}}
}

// edits are the ways to write an entry that may do, the likeliest first. Their
// spans are of the part.
func (s spot) edits(e entry, st style) []text.Edit {
	switch {
	case s.list != nil && s.list.Style == yaml.Flow:
		m := s.margin(s.list, st)
		return []text.Edit{s.within(s.list, st.braced(e.list[0], m), m)}
	case s.list != nil:
		column := s.column(s.list)
		return s.below(s.list, st.item(e.list[0], column), st)
	case s.node.Style == yaml.Flow:
		m := s.margin(s.node, st)
		return []text.Edit{s.within(s.node, st.flow(e, m), m)}
	}
	return s.below(s.node, st.block(e, s.column(s.node.Pairs[0].Key)), st)
}

// below writes lines after the last one of a node, so that a comment on that line
// stays with it, or after the blank lines that follow: a block scalar may keep
// those as its own (`|+`).
func (s spot) below(n *yaml.Node, lines []string, st style) []text.Edit {
	src := s.part.Source
	last := src.OffsetLine(max(n.Span.End-1, n.Span.Start))
	blank := last
	for blank+1 < src.Lines() {
		next := src.LineSpan(blank + 1)
		if next.Start == len(src.Body) || strings.TrimSpace(src.Slice(next)) != "" {
			break
		}
		blank++
	}
	var edits []text.Edit
	for _, line := range []int{last, blank} {
		at := src.LineSpan(line).End
		edits = append(edits, text.Edit{Span: text.Span{Start: at, End: at}, New: st.newline + strings.Join(lines, st.newline)})
	}
	return edits
}

// margin is where the last entry between the brackets of n stands, if that has a line
// of its own.
func (s spot) margin(n *yaml.Node, st style) margin {
	at := n.Span
	switch {
	case len(n.Pairs) > 0:
		at = n.Pairs[len(n.Pairs)-1].Span()
	case len(n.Items) > 0:
		at = n.Items[len(n.Items)-1].Span
	}
	own, first := s.before(at)
	outer, _ := s.before(n.Span)
	if !first || s.part.Source.OffsetLine(at.Start) == s.part.Source.OffsetLine(n.Span.Start) {
		return margin{}
	}
	unit, deeper := strings.CutPrefix(own, outer)
	if !deeper || unit == "" {
		unit = "  "
	}
	return margin{own, unit, st.newline}
}

// before is what the line begins with in which a span does, a dash being as good as a
// space, and whether the span is the first in it.
func (s spot) before(at text.Span) (blank string, first bool) {
	src := s.part.Source
	line := src.Slice(src.LineSpan(src.OffsetLine(at.Start)))
	blank = line[:len(line)-len(strings.TrimLeft(line, " \t-"))]
	return strings.ReplaceAll(blank, "-", " "), src.LineSpan(src.OffsetLine(at.Start)).Start+len(blank) == at.Start
}

// within writes before a closing bracket, after what stands there.
func (s spot) within(n *yaml.Node, words string, m margin) text.Edit {
	body := s.part.Source.Body
	at, sep := n.Span.Start+1, ""
	switch {
	case len(n.Pairs) > 0:
		at, sep = n.Pairs[len(n.Pairs)-1].Span().End, ","+m.apart()
	case len(n.Items) > 0:
		at, sep = n.Items[len(n.Items)-1].Span.End, ","+m.apart()
	}
	if rest := strings.TrimLeft(body[at:n.Span.End], " \t\r\n"); sep != "" && strings.HasPrefix(rest, ",") {
		at += strings.Index(body[at:], ",") + 1
		sep = m.apart()
	}
	return text.Edit{Span: text.Span{Start: at, End: at}, New: sep + words}
}

func (s spot) column(n *yaml.Node) int {
	return s.part.Source.OffsetPosition(n.Span.Start, text.UTF8).Character
}
