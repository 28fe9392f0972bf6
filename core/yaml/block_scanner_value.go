package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// parseInline is the value that stands here, inside of a collection at a column. What stands
// deeper on the next line would go on with it.
func (b *blockScanner) parseInline(column int) *Node {
	n := b.parseLineValue(column)
	if n == nil || !b.advanceLine() || b.column > column {
		return nil
	}
	return n
}

func (b *blockScanner) parseLineValue(column int) *Node {
	switch b.body[b.pos] {
	case '"':
		return b.parseDoubleQuoted()
	case '\'':
		return b.parseSingleQuoted()
	case '|':
		return b.parseLiteral(column)
	case '[', '{':
		return b.parseBracketed()
	}
	end := b.lineEnd(b.pos)
	if !isPlainScalar(b.body[b.pos:end]) {
		return nil
	}
	return b.plainScalar(strings.TrimRight(b.body[b.pos:end], " "))
}

func (b *blockScanner) lineEnd(pos int) int {
	if end := strings.IndexByte(b.body[pos:], '\n'); end >= 0 {
		return pos + end
	}
	return len(b.body)
}

// plainScalar is the scalar that is written as words here.
func (b *blockScanner) plainScalar(content string) *Node {
	n := b.newNode(len(b.body) - b.pos)
	n.Tag, n.Value = scalarTag(content), content
	n.Span.Start, n.Span.End = b.pos, b.pos+len(content)
	b.pos = n.Span.End
	return n
}

// maxKeyLength is how long a key may be; a little less than for the library.
const maxKeyLength = 1000

// keyColon is where the key that stands here ends, 0 if none does.
func (b *blockScanner) keyColon() int {
	line := b.body[b.pos:b.lineEnd(b.pos)]
	for pos := 0; pos <= maxKeyLength; pos++ {
		colon := strings.IndexByte(line[pos:], ':')
		if colon < 0 {
			return 0
		}
		if pos += colon; pos > 0 && pos <= maxKeyLength && b.isSeparatedAt(b.pos+pos+1) && isPlainScalar(line[:pos]) {
			return b.pos + pos
		}
	}
	return 0
}

// isPlainScalar reports whether words, which are not empty and have no line break, are a plain
// scalar and nothing else.
func isPlainScalar(content string) bool {
	if c := content[0]; strings.IndexByte("?:,[]{}#&*!|>'\"%@`", c) >= 0 || c == '-' && (len(content) == 1 || content[1] == ' ') {
		return false
	}
	return !strings.Contains(content, " #") && !strings.Contains(content, ": ") && content[len(content)-1] != ':'
}

// parseBracketed is a collection in brackets that is JSON, on one line.
func (b *blockScanner) parseBracketed() *Node {
	start, end := b.pos, b.lineEnd(b.pos)
	outer := b.body
	b.body = outer[:end]
	n := b.parseCollection()
	b.body = outer
	if n == nil || len(b.commas) > 0 || b.pos <= start {
		return nil
	}
	return n
}

func (b *blockScanner) parseSingleQuoted() *Node {
	start, line := b.pos, b.body[:b.lineEnd(b.pos)]
	end := singleQuotedEnd(line, start)
	inside := line[start+1 : max(end-1, start+1)]
	if end == start+1 || line[end-1] != '\'' || strings.Count(inside, "'")%2 == 1 {
		return nil // the line ends before the quote does
	}
	n := b.newNode(len(b.body) - b.pos)
	n.Style, n.Tag, n.Value = SingleQuoted, TagStr, strings.ReplaceAll(inside, "''", "'")
	n.Span.Start, n.Span.End = start, end
	b.pos = end
	return n
}

// parseLiteral is a literal block, but for one that begins with a blank line, says how deep
// it is, or ends with the text in the middle of a line.
func (b *blockScanner) parseLiteral(column int) *Node {
	start, header := b.pos, b.lineEnd(b.pos)
	strip := b.body[start:header] == "|-"
	if !strip && b.body[start:header] != "|" || header == len(b.body) {
		return nil
	}
	first := header + 1
	indent := indentation(b.body, first)
	if indent <= column || first+indent == len(b.body) || b.body[first+indent] == '\n' {
		return nil
	}
	var lines []text.Span // of content, and blank ones between
	content := 0          // how many of them it takes to the last with content
	for line := first; line < len(b.body); {
		end := b.lineEnd(line)
		spaces := indentation(b.body[:min(end, line+indent)], line)
		if spaces < indent && line+spaces < end {
			break
		}
		if end == len(b.body) {
			return nil
		}
		lines = append(lines, text.Span{Start: line + spaces, End: end})
		if line+spaces < end {
			content = len(lines)
		}
		line = end + 1
	}
	n := b.newNode(len(b.body) - start)
	n.Style, n.Tag, n.Value = Literal, TagStr, joinLines(b.body, lines[:content])
	if !strip {
		n.Value += "\n"
	}
	n.Span = text.Span{Start: start, End: lines[content-1].End}
	b.pos = n.Span.End
	return n
}

// joinLines is lines of body, one at least, with breaks between.
func joinLines(body string, lines []text.Span) string {
	var out strings.Builder
	out.Grow(lines[len(lines)-1].End - lines[0].Start)
	for i, l := range lines {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(body[l.Start:l.End])
	}
	return out.String()
}
