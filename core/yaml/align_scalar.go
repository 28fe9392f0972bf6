package yaml

import (
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

const quotedOrBlock = library.DoubleQuotedStyle | library.SingleQuotedStyle | library.LiteralStyle | library.FoldedStyle

func (a *aligner) alignScalar(n *library.Node, out *Node, column int) {
	out.Kind = Scalar
	plain := n.Style&quotedOrBlock == 0
	if plain && n.Value == "" {
		out.Span = text.Span{Start: a.pos, End: a.pos}
	} else {
		a.skipTrivia()
		out.Span = a.alignScalarText(n, out, column)
	}
	switch out.Value = n.Value; {
	case a.sanitizer == nil: // nothing was replaced
	case out.Style == DoubleQuoted:
		out.Value = a.sanitizer.restoreQuoted(n.Value)
	default:
		out.Value = a.sanitizer.restoreLiteral(n.Value, a.source, out.Span)
	}
	switch {
	case n.Tag != "!" && out.Tagged:
		out.Tag = n.Tag
	case plain && !out.Tagged:
		out.Tag = scalarTag(out.Value)
	default:
		out.Tag = TagStr
	}
}

func (a *aligner) alignScalarText(n *library.Node, out *Node, column int) text.Span {
	start := a.pos
	switch {
	case n.Style&library.DoubleQuotedStyle != 0:
		out.Style = DoubleQuoted
		a.pos = lines.DoubleQuotedEnd(a.body, start)
	case n.Style&library.SingleQuotedStyle != 0:
		out.Style = SingleQuoted
		a.pos = lines.SingleQuotedEnd(a.body, start)
	case n.Style&library.LiteralStyle != 0:
		out.Style = Literal
		return text.Span{Start: start, End: a.blockScalarEnd(column)}
	case n.Style&library.FoldedStyle != 0:
		out.Style = Folded
		return text.Span{Start: start, End: a.blockScalarEnd(column)}
	default:
		a.pos = plainEnd(a.body, start, n.Value)
		return text.Span{Start: start, End: a.pos}
	}
	span := text.Span{Start: start, End: a.pos}
	if a.flowDepth == 0 {
		a.checkContinuation(span, column)
	}
	return span
}

// plainEnd follows value, whose line breaks are folded, through body.
func plainEnd(body string, pos int, value string) int {
	for value != "" && pos < len(body) {
		if c := body[pos]; !lines.IsBlank(c) && !lines.IsBreak(c) {
			if c != value[0] {
				return pos
			}
			pos, value = pos+1, value[1:]
			continue
		}
		end := lines.SkipSpace(body, pos)
		if gap := body[pos:end]; strings.HasPrefix(value, gap) && !strings.ContainsAny(gap, "\r\n") {
			value = value[len(gap):]
		} else {
			value = strings.TrimLeft(value, " \n")
		}
		pos = end
	}
	return pos
}

// blockScalarEnd consumes a block scalar and returns the end of its last content line, without the
// line break. Trailing blank lines count only under the indicator `+`. column is that of the block
// collection around the scalar.
func (a *aligner) blockScalarEnd(column int) int {
	header := a.pos + 1
	indent, keep := 0, false
	for ; strings.IndexByte("+-123456789", a.byteAt(header)) >= 0 && a.byteAt(header) != 0; header++ {
		switch c := a.body[header]; c {
		case '+':
			keep = true
		case '-':
		default:
			indent = max(column, 0) + int(c-'0')
		}
	}
	a.pos = header
	if hash := lines.SkipBlanks(a.body, header); a.byteAt(hash) == '#' {
		a.pos = hash
		a.takeComment()
	}
	first := lines.Next(a.body, lines.End(a.body, header))
	if indent == 0 {
		a.checkLeadingBlank(first, column)
		indent = contentIndent(a.body, first, column+1)
	}
	end := header
	for line := first; line < len(a.body); {
		stop := lines.End(a.body, line)
		spaces := min(lines.Indentation(a.body, line), indent)
		blank := line+spaces == stop
		if !blank && spaces < indent {
			break
		}
		if !blank || keep {
			end = stop
		}
		line = lines.Next(a.body, stop)
	}
	a.pos = max(a.pos, end)
	return end
}

// contentIndent returns the indentation of a block scalar: that of its first content line or of a
// longer blank line before it, but at least the least.
func contentIndent(body string, line, least int) int {
	deepest := least
	for line < len(body) {
		spaces := lines.Indentation(body, line)
		deepest = max(deepest, spaces)
		stop := lines.End(body, line)
		if line+spaces < stop {
			break
		}
		line = lines.Next(body, stop)
	}
	return deepest
}

// isSeparated reports whether an indicator that ends at pos is followed by space.
func (a *aligner) isSeparated(pos int) bool {
	c := a.byteAt(pos)
	return c == 0 || lines.IsBlank(c) || lines.IsBreak(c)
}

// skipTrivia moves over white space and comments, and records the comments.
func (a *aligner) skipTrivia() {
	for {
		from := a.pos
		a.pos = lines.SkipSpace(a.body, a.pos)
		a.checkTabs(from)
		if a.byteAt(a.pos) != '#' {
			return
		}
		a.takeComment()
	}
}

// checkTabs reports blank lines since from that contain a tab. They are legal, but text typed
// behind the tab is not.
func (a *aligner) checkTabs(from int) {
	for gap := a.body[from:a.pos]; a.flowDepth == 0 && strings.Contains(gap, "\t"); {
		tab := a.pos - len(gap) + strings.IndexByte(gap, '\t')
		end := lines.End(a.body, tab)
		if start := lines.Start(a.body, tab); end <= a.pos && start >= from && lines.IsBlankLine(a.body, start) {
			a.problems = append(a.problems, Problem{Kind: TabProblem, Span: text.Span{Start: start, End: end},
				Message: "a tab indents this line, YAML indents with spaces"})
		}
		gap = a.body[min(end, a.pos):a.pos]
	}
}

func (a *aligner) skipCommas() {
	a.skipTrivia()
	for a.byteAt(a.pos) == ',' {
		a.advance(len(","))
		a.skipTrivia()
	}
}

// tokenStart returns the offset at which skipTrivia would stop.
func (a *aligner) tokenStart() int {
	pos := a.pos
	for {
		pos = lines.SkipSpace(a.body, pos)
		if a.byteAt(pos) != '#' {
			return pos
		}
		pos = lines.End(a.body, pos)
	}
}

func (a *aligner) takeComment() {
	span := text.Span{Start: a.pos, End: lines.End(a.body, a.pos)}
	a.pos = span.End
	if a.source[span.Start] != '#' {
		return // a blanked line
	}
	content := a.source[span.Start+1 : span.End]
	a.comments = append(a.comments, Comment{Text: strings.TrimPrefix(content, " "), Span: span})
}

func (a *aligner) advance(length int) text.Span {
	start := a.pos
	a.pos = min(a.pos+length, len(a.body))
	return text.Span{Start: start, End: a.pos}
}

// byteAt returns the byte at offset, 0 outside the text.
func (a *aligner) byteAt(offset int) byte {
	if offset < 0 || offset >= len(a.body) {
		return 0
	}
	return a.body[offset]
}

// checkContinuation reports lines of a quoted scalar or flow collection that are not indented
// deeper than the block around it. The library accepts them; the specification and other parsers do
// not. A closing bracket under its key is accepted everywhere.
func (a *aligner) checkContinuation(span text.Span, column int) {
	for line := lines.Next(a.body, lines.End(a.body, span.Start)); line < span.End; line = lines.Next(a.body, lines.End(a.body, line)) {
		content := lines.SkipBlanks(a.body, line)
		if content >= span.End || lines.IsBreak(a.body[content]) {
			continue
		}
		spaces := lines.Indentation(a.body, line)
		if spaces > column || spaces == column && (a.body[content] == ']' || a.body[content] == '}') {
			continue
		}
		a.problems = append(a.problems, Problem{Kind: IndentProblem, Note: text.Span{Start: span.Start, End: span.Start + 1},
			Span:    text.Span{Start: content, End: min(lines.End(a.body, line), span.End)},
			Message: "a line that continues a value has to be indented deeper, with spaces, than the key or dash before it"})
		return
	}
}

// checkLeadingBlank reports a blank line at the start of a block scalar that is deeper than the
// text below it.
func (a *aligner) checkLeadingBlank(line, column int) {
	deepest := text.Span{}
	for line < len(a.body) {
		stop := lines.End(a.body, line)
		spaces := lines.Indentation(a.body, line)
		switch {
		case line+spaces < stop:
			if spaces > column && deepest.Len() > spaces {
				a.problems = append(a.problems, Problem{Kind: IndentProblem, Span: deepest,
					Message: "this blank line is indented deeper than the text below it"})
			}
			return
		case spaces > deepest.Len():
			deepest = text.Span{Start: line, End: stop}
		}
		line = lines.Next(a.body, stop)
	}
}
