package yaml

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// problem words the failure for what was left out because of it: what can be
// seen in the lost text itself is said first, the library's reason after that.
func (f *failure) problem(body string, lost text.Span) Problem {
	p := Problem{Kind: SyntaxProblem, Span: lost}
	if f.context >= 0 && !lost.Touches(f.context) && f.context < len(body) {
		p.Note = text.Span{Start: f.context, End: min(f.context+1, len(body))}
	}
	start := lineStart(body, lost.Start)
	words := body[lost.Start:min(lost.End, lineEnd(body, lost.Start))]
	open := unclosed(body, start)
	switch {
	case f.tooDeep:
		p.Kind = DepthProblem
		p.Message = fmt.Sprintf("nested more than %d deep", MaxDepth)
	case isConflictMarker(words):
		p.Message = "a merge conflict is not resolved here"
	case isTabbed(body, start):
		p.Message = "a tab indents this line, YAML indents with spaces"
	case open >= 0 && (body[open] == '"' || body[open] == '\''):
		p.Message = fmt.Sprintf("the quote `%c` opened here is not closed", body[open])
		p.Note = text.Span{Start: open, End: open + 1}
	case open >= 0:
		p.Message = fmt.Sprintf("the bracket `%c` opened here is not closed", body[open])
		p.Note = text.Span{Start: open, End: open + 1}
	default:
		p.Message = f.sentence(body, start, words)
	}
	return p
}

func isTabbed(body string, start int) bool {
	return start+indentation(body, start) < len(body) && body[start+indentation(body, start)] == '\t'
}

// sentence words what the library said. Its own words are about its grammar.
func (f *failure) sentence(body string, start int, words string) string {
	l := lineAt(body, start)
	value := strings.TrimSpace(words)
	if l.value > 0 {
		value = strings.TrimSpace(body[l.value:l.span.End])
	}
	said := f.within + " " + f.message
	switch {
	case strings.Contains(said, "escape"):
		return "a double-quoted text has an escape that YAML does not know, write `\\\\` for a backslash"
	case strings.Contains(said, "hexadecimal"):
		return "an escape in a double-quoted text lacks its hexadecimal digits"
	case value != "" && strings.IndexByte("@`%", value[0]) >= 0:
		return fmt.Sprintf("a value cannot start with `%c`, put it in quotes", value[0])
	case strings.Contains(said, "alias") || strings.Contains(said, "anchor"):
		return fmt.Sprintf("`%c` needs a name after it, or quotes around the text", '*')
	case strings.Contains(said, "tag"):
		return "`!` starts a tag, and this is none; put the text in quotes"
	case strings.Contains(said, "block scalar"):
		return "after `|` or `>` only `+`, `-`, one digit and a comment may stand on the line"
	case strings.Contains(said, "directive"):
		return "a line that starts with `%` is a directive, and YAML does not know this one"
	case value != "" && (value[0] == ']' || value[0] == '}'):
		return fmt.Sprintf("`%c` closes a bracket that was not opened", value[0])
	case l.value > 0 && keyEnd(value) > 0:
		return "a second `: ` stands in one line, put the value in quotes"
	case l.value > 0 && isDash(value):
		return "a list cannot start on the line of its key"
	case l.value == 0 && l.dashes == l.indent && l.span.Start+len(words) > 0 && !strings.ContainsAny(words, "[]{}"):
		return fmt.Sprintf("`%s` is neither a `key: value` nor a list item", shorten(words))
	case strings.Contains(said, "simple key"):
		return fmt.Sprintf("`%s` is not followed by `:`", shorten(words))
	case value != "" && (value[0] == '"' || value[0] == '\''):
		return "something stands after the closing quote"
	case strings.Contains(said, "expected key") || strings.Contains(said, "mapping values") || strings.Contains(said, "'-' indicator"):
		return "the indentation of this line fits no key or list item above it"
	}
	return "this cannot be read as YAML where it stands"
}

// shorten makes room for a sentence around a line.
func shorten(words string) string {
	const most = 40
	runes := []rune(strings.TrimSpace(words))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
