package completion

import (
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// cursor describes the text around the cursor, as far as the line and the enclosing brackets tell.
// It needs no tree, so the text may be half typed.
type cursor struct {
	body        string
	offset      int
	line        text.Span
	word        text.Span // the key or value at the cursor, with quotes; may be empty
	isValue     bool      // the word is a value, or an item in square brackets
	hasColon    bool      // a colon follows the word
	needsSpace  bool      // a colon or dash ends right before the word
	brackets    []byte    // open brackets, innermost last; nil in block style
	column      int       // block style: column of the line's key or item after its dashes
	aloneOnLine bool      // block style: the line has nothing but the word
}

// readCursor returns the cursor at an offset of a chunk. ok is false inside free text.
func readCursor(p *analysis.Chunk, offset int) (c cursor, ok bool) {
	c = cursor{body: yamlBody(p), offset: offset, line: p.Source.LineSpan(p.Source.OffsetLine(offset))}
	n := p.Tree.NodeAt(offset)
	if n.Kind == yaml.Scalar && n.Span.Start < c.line.Start {
		return c, false // the scalar started on an earlier line
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

// yamlBody returns the text of a chunk as YAML. JSON comments are blanked.
func yamlBody(p *analysis.Chunk) string {
	if p.ADK != nil {
		return p.ADK.WithoutComments()
	}
	return p.Source.Body
}

// readBlockLine reads the cursor's line in block style.
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
		return c, false // before the dash, or in the indentation
	}
	c.column, c.aloneOnLine = i, indent == i
	if key := lines.KeyLength(line[i:]) - 1; key > 0 && c.offset > at+key {
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

// contentEnd returns where the content from start ends on its line, without trailing comment and
// blanks.
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

// readBrackets reads from an opening bracket to the cursor. It returns false in a comment and after
// the closing bracket.
func (c cursor) readBrackets(start int) (cursor, bool) {
	c.brackets, c.isValue, c.aloneOnLine, c.needsSpace = nil, false, false, false
	word, quote := start, byte(0)
	for i := start; i < c.offset; i++ {
		b := c.body[i]
		if quote != 0 {
			if b == '\\' && quote == '"' {
				i++
			} else if b == quote {
				quote = 0
			}
			continue
		}
		switch b {
		case '"', '\'':
			if strings.TrimSpace(c.body[word:i]) == "" {
				quote = b
			}
		case '{', '[':
			c.brackets, word, c.isValue = append(c.brackets, b), i+1, b == '['
		case '}', ']':
			if len(c.brackets) > 0 {
				c.brackets = c.brackets[:len(c.brackets)-1]
			}
			word, c.isValue = i+1, true
		case ',':
			word, c.isValue = i+1, len(c.brackets) > 0 && c.brackets[len(c.brackets)-1] == '['
		case ':':
			if i+1 == len(c.body) || strings.IndexByte(" \t\r\n\"'{[,", c.body[i+1]) >= 0 || i > 0 && c.body[i-1] == '"' {
				word, c.isValue = i+1, true
			}
		case '#':
			if i > start && c.body[i-1] == ' ' && !strings.Contains(c.body[i:c.offset], "\n") {
				return c, false
			}
		}
	}
	if len(c.brackets) == 0 {
		return c, false
	}
	c = c.readBracketWord(word, quote)
	return c, c.word.Start >= c.line.Start // otherwise inside a multi-line scalar
}

// separatorAfter returns the comma to write after a word inserted before another one. A plain word
// on a later line does not count: without a closing bracket it belongs to the text after the
// brackets.
func (c cursor) separatorAfter() string {
	rest := c.body[c.word.End:]
	next := strings.TrimLeft(rest, " \t\r\n")
	switch {
	case c.brackets == nil || c.hasColon || next == "" || strings.IndexByte(",]}#", next[0]) >= 0:
		return ""
	case strings.Contains(rest[:len(rest)-len(next)], "\n") && strings.IndexByte("\"'{[", next[0]) < 0:
		return ""
	}
	return ","
}

// readBracketWord returns the cursor with the word that may start at from.
func (c cursor) readBracketWord(from int, quote byte) cursor {
	start := from + len(c.body[from:c.offset]) - len(strings.TrimLeft(c.body[from:c.offset], " \t\r\n"))
	end := c.offset
	if quote != 0 {
		if rest := strings.IndexAny(c.body[end:c.line.End], string(quote)); rest >= 0 {
			end += rest + 1
		} else {
			end = max(end, start+len(strings.TrimRight(c.body[start:c.line.End], " \t,]}")))
		}
	} else {
		for end < c.line.End && strings.IndexByte(",]}#", c.body[end]) < 0 && !strings.HasPrefix(c.body[end:], ": ") {
			end++
		}
		end = max(c.offset, start+len(strings.TrimRight(c.body[start:end], " \t")))
		if end > start && c.body[end-1] == ':' && end > c.offset {
			end--
		}
	}
	c.word = text.Span{Start: start, End: end}
	c.hasColon = strings.HasPrefix(strings.TrimLeft(c.body[end:], " \t"), ":")
	c.needsSpace = start > 0 && start == c.offset && c.body[start-1] == ':'
	return c
}
