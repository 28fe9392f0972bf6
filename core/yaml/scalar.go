package yaml

import (
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

const quotedOrBlock = library.DoubleQuotedStyle | library.SingleQuotedStyle | library.LiteralStyle | library.FoldedStyle

func (a *aligner) scalar(n *library.Node, out *Node, column int) {
	out.Kind = Scalar
	plain := n.Style&quotedOrBlock == 0
	if plain && n.Value == "" {
		out.Span = text.Span{Start: a.pos, End: a.pos}
	} else {
		a.skip()
		out.Span = a.written(n, out, column)
	}
	if out.Style == DoubleQuoted {
		out.Value = a.disguise.lift(n.Value)
	} else {
		out.Value = a.disguise.literal(n.Value, a.source, out.Span)
	}
	switch {
	case n.Tag != "!" && out.Tagged:
		out.Tag = n.Tag
	case plain && !out.Tagged:
		out.Tag = typeOf(out.Value)
	default:
		out.Tag = TagStr
	}
}

// written consumes a scalar's text and gives its span.
func (a *aligner) written(n *library.Node, out *Node, column int) text.Span {
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
		return text.Span{Start: start, End: a.blockScalar(column)}
	case n.Style&library.FoldedStyle != 0:
		out.Style = Folded
		return text.Span{Start: start, End: a.blockScalar(column)}
	default:
		a.pos = plainEnd(a.body, start, n.Value)
		return text.Span{Start: start, End: a.pos}
	}
	span := text.Span{Start: start, End: a.pos}
	if a.flow == 0 {
		a.continuation(span, column)
	}
	return span
}

// plainEnd follows value, in which line breaks were folded, through body.
func plainEnd(body string, at int, value string) int {
	for value != "" && at < len(body) {
		if c := body[at]; !isBlank(c) && !isBreak(c) {
			if c != value[0] {
				return at
			}
			at, value = at+1, value[1:]
			continue
		}
		end := at
		for end < len(body) && (isBlank(body[end]) || isBreak(body[end])) {
			end++
		}
		if gap := body[at:end]; strings.HasPrefix(value, gap) && !strings.ContainsAny(gap, "\r\n") {
			value = value[len(gap):]
		} else {
			value = strings.TrimLeft(value, " \n")
		}
		at = end
	}
	return at
}

func doubleQuotedEnd(body string, start int) int {
	for at := start + 1; at < len(body); at++ {
		switch body[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(body)
}

func singleQuotedEnd(body string, start int) int {
	for at := start + 1; at < len(body); at++ {
		if body[at] != '\'' {
			continue
		}
		if at+1 < len(body) && body[at+1] == '\'' {
			at++
			continue
		}
		return at + 1
	}
	return len(body)
}

// blockScalar consumes a block scalar and gives the end of its last line of
// content, the line break aside. Blank lines after that count only if they are
// kept (+). column is that of the block collection around the scalar.
func (a *aligner) blockScalar(column int) int {
	header := a.pos + 1
	indent, keep := 0, false
	for ; strings.IndexByte("+-123456789", a.at(header)) >= 0 && a.at(header) != 0; header++ {
		switch c := a.body[header]; c {
		case '+':
			keep = true
		case '-':
		default:
			indent = max(column, 0) + int(c-'0')
		}
	}
	a.pos = header
	if hash := skipBlanks(a.body, header); a.at(hash) == '#' {
		a.pos = hash
		a.comment()
	}
	first := nextLine(a.body, lineEnd(a.body, header))
	if indent == 0 {
		a.blankBefore(first, column)
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
