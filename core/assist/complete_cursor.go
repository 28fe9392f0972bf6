package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// cursor is what is written around the cursor, as far as the line and the
// brackets around it tell. It needs no tree: the text may be half typed.
type cursor struct {
	body        string
	offset      int
	line        text.Span
	word        text.Span // the key or the value that the cursor is in, quotes included; empty if there is none
	isValue     bool      // the word is a value, or an item in square brackets
	hasColon    bool      // a colon follows the word
	needsSpace  bool      // a colon or a dash ends right before the word, where a space has to be
	brackets    []byte    // the brackets that are open around it, the innermost last; none in block style
	column      int       // block style: where the line's key or item begins, dashes aside
	aloneOnLine bool      // block style: nothing is on the line but the word
}

// readCursor is the cursor of a place in a part; false where nothing but text can be.
func readCursor(p *analysis.Chunk, offset int) (c cursor, ok bool) {
	c = cursor{body: yamlBody(p), offset: offset, line: p.Source.LineSpan(p.Source.OffsetLine(offset))}
	n := p.Tree.NodeAt(offset)
	if continuesScalar(p.Source, n, offset) {
		return c, false
	}
	for up := n; up != nil; up = up.Parent {
		if up.Style == yaml.Flow && up.Span.Start < offset && up.Kind != yaml.Alias {
			n, ok = up, true
		}
	}
	if ok && n.Style == yaml.Flow {
		return c.readBrackets(n.Span.Start)
	}
	return c.readBlockLine()
}

// yamlBody is a part's text as a reader of YAML can take it: without the comments
// of JSON.
func yamlBody(p *analysis.Chunk) string {
	if p.ADK != nil {
		return p.ADK.WithoutComments()
	}
	return p.Source.Body
}

// continuesScalar reports whether an offset is in a text that began on a line before.
func continuesScalar(src *text.Source, n *yaml.Node, offset int) bool {
	return n.Kind == yaml.Scalar && n.Span.Start < offset && src.OffsetLine(n.Span.Start) < src.OffsetLine(offset)
}

// readBlockLine reads the line.
func (c cursor) readBlockLine() (cursor, bool) {
	line := c.body[c.line.Start:c.line.End]
	i := len(line) - len(strings.TrimLeft(line, " "))
	indent := i
	for i < len(line) && line[i] == '-' && (i+1 == len(line) || line[i+1] == ' ') {
		after := i + 1
		i = after + len(line[after:]) - len(strings.TrimLeft(line[after:], " "))
		c.needsSpace = i == after
	}
	at := c.line.Start + i
	if c.offset < at && i < len(line) {
		return c, false // before the dash, or in the indentation of what the line holds
	}
	c.column, c.aloneOnLine = i, indent == i
	if key := keyLength(line[i:]); key > 0 && c.offset > at+key {
		return c.readAfterColon(at + key + 1)
	} else if key > 0 {
		c.word, c.hasColon, c.aloneOnLine = text.Span{Start: at, End: at + key}, true, false
		return c, true
	}
	if at < c.line.End && strings.IndexByte("{[", c.body[at]) >= 0 {
		return c.readBrackets(at)
	}
	c.word = text.Span{Start: min(at, c.offset), End: max(contentEnd(c.body, at, c.line.End), c.offset)}
	if c.word.Empty() && c.aloneOnLine {
		c.column = c.offset - c.line.Start
	}
	return c, true
}

// readAfterColon reads the value that a line's key has, from behind its colon.
func (c cursor) readAfterColon(at int) (cursor, bool) {
	c.needsSpace = c.offset == at
	start := at + len(c.body[at:c.line.End]) - len(strings.TrimLeft(c.body[at:c.line.End], " \t"))
	start = min(start, c.offset)
	if start < c.line.End {
		switch c.body[start] {
		case '{', '[':
			return c.readBrackets(start)
		case '|', '>', '&', '!':
			return c, false
		}
	}
	c.isValue, c.aloneOnLine = true, false
	c.word = text.Span{Start: start, End: max(contentEnd(c.body, start, c.line.End), c.offset)}
	return c, true
}

// contentEnd is where what begins at start ends on its line: before a comment
// and the spaces there.
func contentEnd(body string, start, end int) int {
	quote := byte(0)
	for i := start; i < end; i++ {
		switch b := body[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case (b == '"' || b == '\'') && i == start:
			quote = b
		case b == '#' && (i == start || body[i-1] == ' '):
			end = i
		}
	}
	return start + len(strings.TrimRight(body[start:end], " \t"))
}

// keyLength is the length of a key at the start of words, without its colon; 0
// if words do not start with one.
func keyLength(words string) int {
	if words == "" || strings.IndexByte("#[]{},&*!|>%@`", words[0]) >= 0 {
		return 0
	}
	quote := byte(0)
	for i := 0; i < len(words); i++ {
		switch b := words[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case (b == '"' || b == '\'') && i == 0:
			quote = b
		case b == ':' && (i+1 == len(words) || words[i+1] == ' ' || words[i+1] == '\t'):
			return i
		case b == '#' && i > 0 && words[i-1] == ' ':
			return 0
		}
	}
	return 0
}
