package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// readBrackets reads from an opening bracket up to the cursor. False where nothing
// can be: in a comment, or behind the bracket that closes the first one.
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
	return c, c.word.Start >= c.line.Start // else it is a text that goes on
}

// separatorAfter is what has to stand between brackets behind a word that is inserted
// before another one. A plain word on a line below is not taken for one: where
// nothing closes the brackets, it is what stands behind them.
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

// readBracketWord is the cursor with the word that may begin at from.
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
