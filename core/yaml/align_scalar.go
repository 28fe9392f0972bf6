package yaml

import (
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
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
	if out.Style == DoubleQuoted {
		out.Value = a.sanitizer.restoreQuoted(n.Value)
	} else {
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

// alignScalarText consumes a scalar's text and gives its span.
func (a *aligner) alignScalarText(n *library.Node, out *Node, column int) text.Span {
	start := a.pos
	switch {
	case n.Style&library.DoubleQuotedStyle != 0:
		out.Style = DoubleQuoted
		a.pos = doubleQuotedEnd(a.body, start)
	case n.Style&library.SingleQuotedStyle != 0:
		out.Style = SingleQuoted
		a.pos = singleQuotedEnd(a.body, start)
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

// plainEnd follows value, in which line breaks were folded, through body.
func plainEnd(body string, pos int, value string) int {
	for value != "" && pos < len(body) {
		if c := body[pos]; !isBlank(c) && !isBreak(c) {
			if c != value[0] {
				return pos
			}
			pos, value = pos+1, value[1:]
			continue
		}
		end := pos
		for end < len(body) && (isBlank(body[end]) || isBreak(body[end])) {
			end++
		}
		if gap := body[pos:end]; strings.HasPrefix(value, gap) && !strings.ContainsAny(gap, "\r\n") {
			value = value[len(gap):]
		} else {
			value = strings.TrimLeft(value, " \n")
		}
		pos = end
	}
	return pos
}

func doubleQuotedEnd(body string, start int) int {
	for pos := start + 1; pos < len(body); pos++ {
		switch body[pos] {
		case '\\':
			pos++
		case '"':
			return pos + 1
		}
	}
	return len(body)
}

func singleQuotedEnd(body string, start int) int {
	for pos := start + 1; pos < len(body); pos++ {
		if body[pos] != '\'' {
			continue
		}
		if pos+1 < len(body) && body[pos+1] == '\'' {
			pos++
			continue
		}
		return pos + 1
	}
	return len(body)
}

// blockScalarEnd consumes a block scalar and gives the end of its last line of
// content, the line break aside. Blank lines after that count only if they are
// kept (+). column is that of the block collection around the scalar.
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
	if hash := skipBlanks(a.body, header); a.byteAt(hash) == '#' {
		a.pos = hash
		a.takeComment()
	}
	first := nextLine(a.body, lineEnd(a.body, header))
	if indent == 0 {
		a.checkLeadingBlank(first, column)
		indent = contentIndent(a.body, first, column+1)
	}
	end := header
	for line := first; line < len(a.body); {
		stop := lineEnd(a.body, line)
		spaces := min(indentation(a.body, line), indent)
		blank := line+spaces == stop
		if !blank && spaces < indent {
			break
		}
		if !blank || keep {
			end = stop
		}
		line = nextLine(a.body, stop)
	}
	a.pos = max(a.pos, end)
	return end
}

// contentIndent is the indentation that the first line with content gives a
// block scalar, or any longer blank line before it, but least at the fewest.
func contentIndent(body string, line, least int) int {
	deepest := least
	for line < len(body) {
		spaces := indentation(body, line)
		deepest = max(deepest, spaces)
		stop := lineEnd(body, line)
		if line+spaces < stop {
			break
		}
		line = nextLine(body, stop)
	}
	return deepest
}
