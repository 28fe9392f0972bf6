package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// inline is the value that stands here, inside of a collection at a column. What stands
// deeper on the next line would go on with it.
func (b *block) inline(column int) *Node {
	n := b.written(column)
	if n == nil || !b.next() || b.column > column {
		return nil
	}
	return n
}

func (b *block) written(column int) *Node {
	switch b.body[b.at] {
	case '"':
		return b.quoted()
	case '\'':
		return b.singleQuoted()
	case '|':
		return b.literal(column)
	case '[', '{':
		return b.bracketed()
	}
	end := b.lineEnd(b.at)
	if !isPlain(b.body[b.at:end]) {
		return nil
	}
	return b.bare(strings.TrimRight(b.body[b.at:end], " "))
}

func (b *block) lineEnd(at int) int {
	if end := strings.IndexByte(b.body[at:], '\n'); end >= 0 {
		return at + end
	}
	return len(b.body)
}

// bare is the scalar that is written as words here.
func (b *block) bare(words string) *Node {
	n := b.node(len(b.body) - b.at)
	n.Tag, n.Value = typeOf(words), words
	n.Span.Start, n.Span.End = b.at, b.at+len(words)
	b.at = n.Span.End
	return n
}

// longestKey is how long a key may be; a little less than for the library.
const longestKey = 1000

// colon is where the key that stands here ends, 0 if none does.
func (b *block) colon() int {
	line := b.body[b.at:b.lineEnd(b.at)]
	for at := 0; at <= longestKey; at++ {
		colon := strings.IndexByte(line[at:], ':')
		if colon < 0 {
			return 0
		}
		if at += colon; at > 0 && at <= longestKey && b.isEnd(b.at+at+1) && isPlain(line[:at]) {
			return b.at + at
		}
	}
	return 0
}

// isPlain reports whether words, which are not empty and have no line break, are a plain
// scalar and nothing else.
func isPlain(words string) bool {
	if c := words[0]; strings.IndexByte("?:,[]{}#&*!|>'\"%@`", c) >= 0 || c == '-' && (len(words) == 1 || words[1] == ' ') {
		return false
	}
	return !strings.Contains(words, " #") && !strings.Contains(words, ": ") && words[len(words)-1] != ':'
}

// bracketed is a collection in brackets that is JSON, on one line.
func (b *block) bracketed() *Node {
	start, end := b.at, b.lineEnd(b.at)
	outer := b.body
	b.body = outer[:end]
	n := b.collection()
	b.body = outer
	if n == nil || len(b.commas) > 0 || b.at <= start {
		return nil
	}
	return n
}

func (b *block) singleQuoted() *Node {
	start, line := b.at, b.body[:b.lineEnd(b.at)]
	end := singleQuotedEnd(line, start)
	inside := line[start+1 : max(end-1, start+1)]
	if end == start+1 || line[end-1] != '\'' || strings.Count(inside, "'")%2 == 1 {
		return nil // the line ends before the quote does
	}
	n := b.node(len(b.body) - b.at)
	n.Style, n.Tag, n.Value = SingleQuoted, TagStr, strings.ReplaceAll(inside, "''", "'")
	n.Span.Start, n.Span.End = start, end
	b.at = end
	return n
}

// literal is a literal block, but for one that begins with a blank line, says how deep
// it is, or ends with the text in the middle of a line.
func (b *block) literal(column int) *Node {
	start, header := b.at, b.lineEnd(b.at)
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
	n := b.node(len(b.body) - start)
	n.Style, n.Tag, n.Value = Literal, TagStr, joined(b.body, lines[:content])
	if !strip {
		n.Value += "\n"
	}
	n.Span = text.Span{Start: start, End: lines[content-1].End}
	b.at = n.Span.End
	return n
}

// joined is lines of body, one at least, with breaks between.
func joined(body string, lines []text.Span) string {
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
