package draft

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// newEntry is what is written for criteria: an entry of the case, or a grader of
// its list.
func (ip insertionPoint) newEntry(criteria []Criterion) entry {
	items := make([][]entry, len(criteria))
	for i, c := range criteria {
		items[i] = []entry{
			{key: "id", name: c.ID}, {key: ip.textKey, text: c.ExpectedOutcome},
			{key: "weight", value: c.Weight}, {key: "required", value: c.Required},
		}
	}
	if ip.graderType == "" {
		return entry{key: ip.key, list: items}
	}
	return entry{key: ip.key, list: [][]entry{{{key: "type", name: ip.graderType}, {key: ip.rubricSyntax.listKey, list: items}}}}
}

// candidateEdits are the ways to write an entry that may do, the likeliest first. Their
// spans are of the part.
func (ip insertionPoint) candidateEdits(e entry, st style) []text.Edit {
	switch {
	case ip.graderList != nil && ip.graderList.Style == yaml.Flow:
		m := ip.marginOf(ip.graderList, st)
		return []text.Edit{ip.insertInBrackets(ip.graderList, st.flowMapping(e.list[0], m), m)}
	case ip.graderList != nil:
		column := ip.columnOf(ip.graderList)
		return ip.insertBelow(ip.graderList, st.itemLines(e.list[0], column), st)
	case ip.caseNode.Style == yaml.Flow:
		m := ip.marginOf(ip.caseNode, st)
		return []text.Edit{ip.insertInBrackets(ip.caseNode, st.flowEntry(e, m), m)}
	}
	return ip.insertBelow(ip.caseNode, st.blockLines(e, ip.columnOf(ip.caseNode.Pairs[0].Key)), st)
}

// insertBelow writes lines after the last one of a node, so that a comment on that line
// stays with it, or after the blank lines that follow: a block scalar may keep
// those as its own (`|+`).
func (ip insertionPoint) insertBelow(n *yaml.Node, lines []string, st style) []text.Edit {
	src := ip.part.Source
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

// marginOf is where the last entry between the brackets of n stands, if that has a line
// of its own.
func (ip insertionPoint) marginOf(n *yaml.Node, st style) margin {
	at := n.Span
	switch {
	case len(n.Pairs) > 0:
		at = n.Pairs[len(n.Pairs)-1].Span()
	case len(n.Items) > 0:
		at = n.Items[len(n.Items)-1].Span
	}
	own, first := ip.linePrefix(at)
	outer, _ := ip.linePrefix(n.Span)
	if !first || ip.part.Source.OffsetLine(at.Start) == ip.part.Source.OffsetLine(n.Span.Start) {
		return margin{}
	}
	unit, deeper := strings.CutPrefix(own, outer)
	if !deeper || unit == "" {
		unit = "  "
	}
	return margin{own, unit, st.newline}
}

// linePrefix is what the line begins with in which a span does, a dash being as good as a
// space, and whether the span is the first in it.
func (ip insertionPoint) linePrefix(at text.Span) (blank string, first bool) {
	src := ip.part.Source
	line := src.Slice(src.LineSpan(src.OffsetLine(at.Start)))
	blank = line[:len(line)-len(strings.TrimLeft(line, " \t-"))]
	return strings.ReplaceAll(blank, "-", " "), src.LineSpan(src.OffsetLine(at.Start)).Start+len(blank) == at.Start
}

// insertInBrackets writes before a closing bracket, after what stands there.
func (ip insertionPoint) insertInBrackets(n *yaml.Node, words string, m margin) text.Edit {
	body := ip.part.Source.Body
	at, sep := n.Span.Start+1, ""
	switch {
	case len(n.Pairs) > 0:
		at, sep = n.Pairs[len(n.Pairs)-1].Span().End, ","+m.separator()
	case len(n.Items) > 0:
		at, sep = n.Items[len(n.Items)-1].Span.End, ","+m.separator()
	}
	if rest := strings.TrimLeft(body[at:n.Span.End], " \t\r\n"); sep != "" && strings.HasPrefix(rest, ",") {
		at += strings.Index(body[at:], ",") + 1
		sep = m.separator()
	}
	return text.Edit{Span: text.Span{Start: at, End: at}, New: sep + words}
}

func (ip insertionPoint) columnOf(n *yaml.Node) int {
	return ip.part.Source.OffsetPosition(n.Span.Start, text.UTF8).Character
}
