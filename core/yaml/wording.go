package yaml

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/text"
)

// problem words the failure for what was left out because of it: what can be
// seen in the lost text itself is said first, the library's reason after that.
func (f *failure) problem(body string, lost text.Span) Problem {
	start := lineStart(body, lost.Start)
	w := wording{failure: f, body: body, line: lineAt(body, start), span: lost}
	w.words = body[lost.Start:min(lost.End, w.line.span.End)]
	w.value = strings.TrimSpace(w.words)
	if w.line.value > 0 {
		w.value = strings.TrimSpace(body[w.line.value:w.line.span.End])
	}
	kind := SyntaxProblem
	if f.tooDeep {
		kind = DepthProblem
	}
	message, note := w.seen()
	if message == "" {
		message, note = w.said()
	}
	if note.Start == lost.Start {
		note = text.Span{}
	}
	return Problem{Kind: kind, Span: lost, Message: message, Note: note}
}

// wording is what a sentence about a lost line can draw on.
type wording struct {
	failure *failure
	body    string
	line    line
	span    text.Span // what was lost
	words   string    // its first line
	value   string    // what stands behind the line's key, or all of the words
}

// seen says what the lost text itself shows.
func (w *wording) seen() (message string, note text.Span) {
	tab := w.line.span.Start + indentation(w.body, w.line.span.Start)
	open := unclosed(w.body, w.line.span.Start)
	switch {
	case w.failure.tooDeep:
		return fmt.Sprintf("nested more than %d deep", MaxDepth), note
	case isConflictMarker(w.words):
		return "a merge conflict is not resolved here", note
	case tab < len(w.body) && w.body[tab] == '\t':
		return "a tab indents this line, YAML indents with spaces", char(tab)
	case open >= 0 && (w.body[open] == '"' || w.body[open] == '\''):
		return fmt.Sprintf("the quote `%c` opened here is not closed", w.body[open]), char(open)
	case open >= 0:
		return fmt.Sprintf("the bracket `%c` opened here is not closed", w.body[open]), char(open)
	case strings.HasPrefix(w.value, "{{") || strings.HasPrefix(w.value, "{%"):
		return "a template's braces are brackets to YAML, put the value in quotes", note
	case w.value == "":
		return "", note
	}
	switch c := w.value[0]; c {
	case '%':
		if w.span.Start == w.line.span.Start {
			return "YAML does not know this directive", note
		}
		return "a value cannot start with `%`, put it in quotes", note
	case '@', ',':
		return fmt.Sprintf("a value cannot start with `%c`, put it in quotes", c), note
	case '`':
		return "a value cannot start with a backtick, put it in quotes", note
	case ']', '}':
		return fmt.Sprintf("`%c` closes a bracket that was not opened", c), note
	case '*', '&':
		if len(w.value) == 1 || isBlank(w.value[1]) {
			return fmt.Sprintf("`%c` needs a name right after it; as text it needs quotes", c), note
		}
	}
	return "", note
}

// said puts the library's reason, which is about its grammar, in terms of the
// lost line.
func (w *wording) said() (message string, note text.Span) {
	f, l := w.failure, w.line
	reason := f.within + " " + f.message
	about := func(part string) bool { return strings.Contains(reason, part) }
	opener := strings.TrimLeft(w.value, "- ")
	switch {
	case about("escape"):
		return "a double-quoted text has an escape that YAML does not know, write `\\\\` for a backslash", note
	case about("hexadecimal"):
		return "an escape in a double-quoted text lacks its hexadecimal digits", note
	case about("scanning a tag") || about("tag handle"):
		return "`!` starts a tag, and this is none; as text it needs quotes", note
	case about("block scalar"):
		return "after `|` or `>` only `+`, `-`, one digit and a comment may stand on the line", note
	case l.value > 0 && keyEnd(w.value) > 0:
		return "a second `: ` stands in one line, put the value in quotes", note
	case l.value > 0 && isDash(w.value):
		return "a list cannot start on the line of its key", note
	case opener != "" && (opener[0] == '"' || opener[0] == '\'') && (l.value > 0 || l.dashes > l.indent):
		return "something stands after the closing quote", note
	case opener != "" && (opener[0] == '[' || opener[0] == '{'):
		return "the brackets do not match, or something stands after the last one", note
	case l.dashes > l.indent:
		return "this list item stands where none can be: its indentation is not that of a list above it", f.place(w.body)
	case l.value > 0:
		return "the indentation of this line fits no key or list item above it", f.place(w.body)
	}
	return fmt.Sprintf("`%s` is neither a `key: value` nor a list item", excerpt.Shorten(w.words, 40)), note
}

// place is where what the library was reading began.
func (f *failure) place(body string) text.Span {
	if f.context < 0 || f.context >= len(body) {
		return text.Span{}
	}
	return char(f.context)
}

func char(at int) text.Span { return text.Span{Start: at, End: at + 1} }
