package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// ParseBlock reads src if it consists of block mappings and sequences with one-line values and
// literal blocks. The tree equals that of [Parse], but takes a fraction of the time. ParseBlock
// returns nil for any other text, and for text with a comment or a problem.
func ParseBlock(src *text.Source) *Tree {
	if len(src.Body) > MaxBytes || strings.ContainsAny(src.Body, "\t\r") || strings.Contains(src.Body, lines.ByteOrderMark) || !isClean(src.Body) {
		return nil
	}
	b := blockScanner{jsonScanner: jsonScanner{body: src.Body}}
	if !b.advanceLine() || b.column < 0 {
		return nil
	}
	root := b.parseContent(-1, b.column)
	if root == nil || root.Style != Block || b.column >= 0 {
		return nil
	}
	t := &Tree{Source: src, Docs: []*Document{{Root: root, Span: src.Whole()}}}
	b.reportDuplicates(t)
	return t
}

// A blockScanner reads block collections. Like jsonScanner, its methods return nil for any other
// text.
type blockScanner struct {
	jsonScanner
	column int // column of the token at pos, if the token starts its line; -1 at the end of the text
}

// advanceLine moves from the end of a value to the next line with content. It returns false if the
// value's line continues, or if a comment or document marker follows.
func (b *blockScanner) advanceLine() bool {
	start := b.pos
	for pos := b.pos; ; pos++ {
		for pos < len(b.body) && b.body[pos] == ' ' {
			pos++
		}
		if pos == len(b.body) {
			b.pos, b.column = pos, -1
			return true
		}
		if b.body[pos] != '\n' {
			if start > 0 && b.body[start-1] != '\n' {
				return false
			}
			b.pos, b.column = pos, pos-start
			return b.body[pos] != '#' && (b.column > 0 || !lines.IsDocumentMark(b.body, pos))
		}
		start = pos + 1
	}
}

// parseContent parses the node at pos, which has the given column. parentColumn is that of the
// collection around it.
func (b *blockScanner) parseContent(parentColumn, column int) *Node {
	if b.isAtDash() {
		return b.parseBlockSequence(column)
	}
	if b.keyColon() > 0 {
		return b.parseBlockMapping(column)
	}
	return b.parseInline(parentColumn)
}

func (b *blockScanner) isAtDash() bool { return b.body[b.pos] == '-' && b.isSeparatedAt(b.pos+1) }

// isSeparatedAt reports whether an indicator that ends at pos is followed by space.
func (b *blockScanner) isSeparatedAt(pos int) bool {
	return pos >= len(b.body) || b.body[pos] == ' ' || b.body[pos] == '\n'
}

// maxBlockDepth limits the nesting of block collections. Deeper text goes to the library.
const maxBlockDepth = 100

func (b *blockScanner) openCollection(kind Kind, tag string) *Node {
	if b.depth++; b.depth > maxBlockDepth {
		return nil
	}
	return &Node{Kind: kind, Style: Block, Tag: tag, Span: text.Span{Start: b.pos}}
}

func (b *blockScanner) parseBlockSequence(column int) *Node {
	out := b.openCollection(Sequence, TagSeq)
	if out == nil {
		return nil
	}
	for b.column = column; b.column == column && b.isAtDash(); {
		item := b.parseItem(column)
		if item == nil {
			return nil
		}
		out.addItem(item)
		out.Span.End = item.Span.End
	}
	b.depth--
	return out
}

func (b *blockScanner) parseItem(column int) *Node {
	dash := b.pos
	b.pos++
	for b.pos < len(b.body) && b.body[b.pos] == ' ' {
		b.pos++
	}
	if b.pos < len(b.body) && b.body[b.pos] != '\n' {
		return b.parseContent(column, column+b.pos-dash)
	}
	return b.parseBelow(column, dash+1, false)
}

func (b *blockScanner) parseBlockMapping(column int) *Node {
	out := b.openCollection(Mapping, TagMap)
	if out == nil {
		return nil
	}
	for b.column = column; b.column == column; {
		p := b.parseEntry(column)
		if p == nil {
			return nil
		}
		out.addPair(p)
		out.Span.End = p.Value.Span.End
	}
	if mayHaveDuplicates(out) {
		b.duplicateSuspects = append(b.duplicateSuspects, out)
	}
	b.depth--
	return out
}

func (b *blockScanner) parseEntry(column int) *Pair {
	colon := b.keyColon()
	if colon == 0 {
		return nil
	}
	key := b.plainScalar(strings.TrimRight(b.body[b.pos:colon], " "))
	if key.Value == "<<" {
		return nil
	}
	p := &Pair{Key: key}
	for b.pos = colon + 1; b.pos < len(b.body) && b.body[b.pos] == ' '; {
		b.pos++
	}
	if b.pos < len(b.body) && b.body[b.pos] != '\n' {
		p.Value = b.parseInline(column)
	} else {
		p.Value = b.parseBelow(column, colon+1, true)
	}
	if p.Value == nil {
		return nil
	}
	return p
}

// parseBelow parses the value below the line that ends at pos. The value must be indented deeper
// than column, or be a sequence at the same column below a key. Without such a value it returns an
// absent one, at caret.
func (b *blockScanner) parseBelow(column, caret int, ofKey bool) *Node {
	if !b.advanceLine() {
		return nil
	}
	if b.column > column || ofKey && b.column == column && b.isAtDash() {
		return b.parseContent(column, b.column)
	}
	return &Node{Tag: TagNull, Span: text.Span{Start: caret, End: caret}}
}

// parseInline parses the value on this line, inside a collection at column. A deeper next line
// would continue the value, so parseInline then returns nil.
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

func (b *blockScanner) plainScalar(content string) *Node {
	n := &Node{Tag: scalarTag(content), Value: content, Span: text.Span{Start: b.pos, End: b.pos + len(content)}}
	b.pos = n.Span.End
	return n
}

// maxKeyLength is the longest key in bytes, a little below the library's limit.
const maxKeyLength = 1000

// keyColon returns the offset of the colon after the key at pos, 0 if there is no key.
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

// isPlainScalar reports whether content is a plain scalar and nothing else. content is not empty
// and has no line break.
func isPlainScalar(content string) bool {
	if c := content[0]; strings.IndexByte("?:,[]{}#&*!|>'\"%@`", c) >= 0 || c == '-' && (len(content) == 1 || content[1] == ' ') {
		return false
	}
	return !strings.Contains(content, " #") && !strings.Contains(content, ": ") && content[len(content)-1] != ':'
}

// parseBracketed parses a collection in brackets that is JSON and fits on one line.
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
	end := lines.SingleQuotedEnd(line, start)
	inside := line[start+1 : max(end-1, start+1)]
	if end == start+1 || line[end-1] != '\'' || strings.Count(inside, "'")%2 == 1 {
		return nil // the quote is not closed on this line
	}
	b.pos = end
	return &Node{Style: SingleQuoted, Tag: TagStr, Value: strings.ReplaceAll(inside, "''", "'"), Span: text.Span{Start: start, End: end}}
}

// parseLiteral parses a literal block. It returns nil for a block that begins with a blank line,
// has an indentation indicator, or ends in the middle of the text's last line.
func (b *blockScanner) parseLiteral(column int) *Node {
	start, header := b.pos, b.lineEnd(b.pos)
	strip := b.body[start:header] == "|-"
	if !strip && b.body[start:header] != "|" || header == len(b.body) {
		return nil
	}
	first := header + 1
	indent := lines.Indentation(b.body, first)
	if indent <= column || first+indent == len(b.body) || b.body[first+indent] == '\n' {
		return nil
	}
	var shown []text.Span // content and blank lines
	content := 0          // number of lines up to the last one with content
	for line := first; line < len(b.body); {
		end := b.lineEnd(line)
		spaces := lines.Indentation(b.body[:min(end, line+indent)], line)
		if spaces < indent && line+spaces < end {
			break
		}
		if end == len(b.body) {
			return nil
		}
		shown = append(shown, text.Span{Start: line + spaces, End: end})
		if line+spaces < end {
			content = len(shown)
		}
		line = end + 1
	}
	value := joinLines(b.body, shown[:content])
	if !strip {
		value += "\n"
	}
	b.pos = shown[content-1].End
	return &Node{Style: Literal, Tag: TagStr, Value: value, Span: text.Span{Start: start, End: b.pos}}
}

func joinLines(body string, shown []text.Span) string {
	var out strings.Builder
	out.Grow(shown[len(shown)-1].End - shown[0].Start)
	for i, l := range shown {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(body[l.Start:l.End])
	}
	return out.String()
}
