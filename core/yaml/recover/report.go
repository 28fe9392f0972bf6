package recover

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// Problem is a part of a text that was left out, and why.
type Problem struct {
	Span      text.Span
	Message   string    // one sentence, lower case, no final period
	Note      text.Span // a second place, empty if none
	IsTooDeep bool      // it is nested beyond MaxDepth
}

func (p Problem) shift(delta int) Problem {
	p.Span = p.Span.Shift(delta)
	if !p.Note.Empty() {
		p.Note = p.Note.Shift(delta)
	}
	return p
}

// Problem returns the problem for the lost text. A message from the lost text itself comes first,
// the library's reason second.
func (f *Failure) Problem(body string, lost text.Span) Problem {
	start := lines.Start(body, lost.Start)
	d := lineDiagnosis{failure: f, body: body, line: layoutOfLine(body, start), span: lost}
	d.text = body[lost.Start:min(lost.End, d.line.span.End)]
	d.value = strings.TrimSpace(d.text)
	if d.line.valueStart > 0 {
		d.value = strings.TrimSpace(body[d.line.valueStart:d.line.span.End])
	}
	message, note := d.messageFromText()
	if message == "" {
		message, note = d.messageFromLibrary()
	}
	if note.Start == lost.Start {
		note = text.Span{}
	}
	return Problem{Span: lost, Message: message, Note: note, IsTooDeep: f.tooDeep}
}

// A lineDiagnosis holds what a message about a lost line can refer to.
type lineDiagnosis struct {
	failure *Failure
	body    string
	line    lineLayout
	span    text.Span // the lost text
	text    string    // its first line
	value   string    // the text after the line's key, or all of it
}

// messageFromText returns the fault that the lost text itself shows, "" if none.
func (d *lineDiagnosis) messageFromText() (message string, note text.Span) {
	tab := d.line.span.Start + lines.Indentation(d.body, d.line.span.Start)
	open := unclosedAt(d.body, d.line.span.Start)
	switch {
	case d.failure.tooDeep:
		return fmt.Sprintf("nested more than %d deep", MaxDepth), note
	case isConflictMarker(d.text):
		return "a merge conflict is not resolved here", note
	case tab < len(d.body) && d.body[tab] == '\t':
		return "a tab indents this line, YAML indents with spaces", byteSpan(tab)
	case open >= 0 && (d.body[open] == '"' || d.body[open] == '\''):
		return fmt.Sprintf("the quote `%c` opened here is not closed", d.body[open]), byteSpan(open)
	case open >= 0:
		return fmt.Sprintf("the bracket `%c` opened here is not closed", d.body[open]), byteSpan(open)
	case strings.HasPrefix(d.value, "{{") || strings.HasPrefix(d.value, "{%"):
		return "a template's braces are brackets to YAML, put the value in quotes", note
	case d.value == "":
		return "", note
	}
	switch c := d.value[0]; c {
	case '%':
		if d.span.Start == d.line.span.Start {
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
		if len(d.value) == 1 || lines.IsBlank(d.value[1]) {
			return fmt.Sprintf("`%c` needs a name right after it; as text it needs quotes", c), note
		}
	}
	return "", note
}

// messageFromLibrary translates the library's reason, which refers to its grammar, into terms of
// the lost line.
func (d *lineDiagnosis) messageFromLibrary() (message string, note text.Span) {
	f, l := d.failure, d.line
	reason := f.contextMessage + " " + f.message
	mentions := func(part string) bool { return strings.Contains(reason, part) }
	opener := strings.TrimLeft(d.value, "- ")
	switch {
	case mentions("escape"):
		return "a double-quoted text has an escape that YAML does not know, write `\\\\` for a backslash", note
	case mentions("hexadecimal"):
		return "an escape in a double-quoted text lacks its hexadecimal digits", note
	case mentions("scanning a tag") || mentions("tag handle"):
		return "`!` starts a tag, but this is not a tag; put text in quotes", note
	case mentions("block scalar"):
		return "only `+`, `-`, one digit and a comment may follow `|` or `>`", note
	case l.valueStart > 0 && lines.KeyLength(d.value) > 0:
		return "this line has a second `: `, put the value in quotes", note
	case l.valueStart > 0 && lines.IsDash(d.value):
		return "a list cannot start on the line of its key", note
	case opener != "" && (opener[0] == '"' || opener[0] == '\'') && (l.valueStart > 0 || l.dashesEnd > l.indentEnd):
		return "there is text after the closing quote", note
	case opener != "" && (opener[0] == '[' || opener[0] == '{'):
		return "the brackets do not match, or there is text after the last one", note
	case l.dashesEnd > l.indentEnd:
		return "this list item belongs to no list: its indentation matches no list above it", f.contextSpan(d.body)
	case l.valueStart > 0:
		return "the indentation of this line matches no key or list item above it", f.contextSpan(d.body)
	}
	return fmt.Sprintf("`%s` is neither a `key: value` nor a list item", excerpt.Shorten(d.text, 40)), note
}

// contextSpan returns the start of the construct that the library was parsing.
func (f *Failure) contextSpan(body string) text.Span {
	if f.contextStart < 0 || f.contextStart >= len(body) {
		return text.Span{}
	}
	return byteSpan(f.contextStart)
}

func byteSpan(pos int) text.Span { return text.Span{Start: pos, End: pos + 1} }
