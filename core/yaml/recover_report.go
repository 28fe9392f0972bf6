package yaml

import (
	"fmt"
	"sort"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/text"
)

// problem returns the problem for the lost text. A message from the lost text itself comes first,
// the library's reason second.
func (f *loadFailure) problem(body string, lost text.Span) Problem {
	start := lineStart(body, lost.Start)
	d := lineDiagnosis{failure: f, body: body, line: layoutOfLine(body, start), span: lost}
	d.text = body[lost.Start:min(lost.End, d.line.span.End)]
	d.value = strings.TrimSpace(d.text)
	if d.line.valueStart > 0 {
		d.value = strings.TrimSpace(body[d.line.valueStart:d.line.span.End])
	}
	kind := SyntaxProblem
	if f.tooDeep {
		kind = DepthProblem
	}
	message, note := d.messageFromText()
	if message == "" {
		message, note = d.messageFromLibrary()
	}
	if note.Start == lost.Start {
		note = text.Span{}
	}
	return Problem{Kind: kind, Span: lost, Message: message, Note: note}
}

// A lineDiagnosis holds what a message about a lost line can refer to.
type lineDiagnosis struct {
	failure *loadFailure
	body    string
	line    lineLayout
	span    text.Span // the lost text
	text    string    // its first line
	value   string    // the text after the line's key, or all of it
}

// messageFromText returns the fault that the lost text itself shows, "" if none.
func (d *lineDiagnosis) messageFromText() (message string, note text.Span) {
	tab := d.line.span.Start + indentation(d.body, d.line.span.Start)
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
		if len(d.value) == 1 || isBlank(d.value[1]) {
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
	case l.valueStart > 0 && keyLength(d.value) > 0:
		return "this line has a second `: `, put the value in quotes", note
	case l.valueStart > 0 && isDash(d.value):
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
func (f *loadFailure) contextSpan(body string) text.Span {
	if f.contextStart < 0 || f.contextStart >= len(body) {
		return text.Span{}
	}
	return byteSpan(f.contextStart)
}

func byteSpan(pos int) text.Span { return text.Span{Start: pos, End: pos + 1} }

// markRecovered sets Recovered on the nodes that the lost spans, in order, would have belonged to.
func markRecovered(body string, docs []*Document, lost []text.Span) {
	for _, doc := range docs {
		from := sort.Search(len(lost), func(i int) bool { return lost[i].Start >= doc.Span.Start })
		to := sort.Search(len(lost), func(i int) bool { return lost[i].Start >= doc.Span.End })
		if from < to {
			markNodes(body, doc.Root, lost[from:to])
		}
	}
}

func markNodes(body string, root *Node, lost []text.Span) {
	var nodes []*Node // in order of position
	Walk(root, func(n *Node) bool { nodes = append(nodes, n); return true })
	for _, span := range lost {
		next := sort.Search(len(nodes), func(i int) bool { return nodes[i].Span.Start > span.Start })
		before := nodes[max(next-1, 0)]
		owner := before
		if !isAbsentValueAt(body, before, span.Start) {
			if owner = itemAfterDash(body, nodes[next:], span); owner == nil {
				owner = enclosingNode(body, before, span)
			}
		}
		owner.Recovered = true
	}
}

// isAbsentValueAt reports whether n is an absent value for which text at pos could be the value.
func isAbsentValueAt(body string, n *Node, pos int) bool {
	return n.Kind == Scalar && n.Span.Empty() && skipBlanks(body, n.Span.Start) == pos
}

// itemAfterDash returns the first node after lost if lost was the beginning of that item, behind a
// dash; else nil.
func itemAfterDash(body string, after []*Node, lost text.Span) *Node {
	dash := dashBefore(body, lost.Start)
	if dash < 0 || len(after) == 0 {
		return nil
	}
	list := after[0].Parent
	if list == nil || list.Kind != Sequence || list.Style != Block || columnOf(body, list.Span.Start) != columnOf(body, dash) {
		return nil
	}
	return after[0]
}

// dashBefore returns the offset of the dash before the item at pos, -1 without one.
func dashBefore(body string, pos int) int {
	l := layoutOfLine(body, lineStart(body, pos))
	if l.dashesEnd != pos || l.dashesEnd == l.indentEnd {
		return -1
	}
	return strings.LastIndexByte(body[:pos], '-')
}

// enclosingNode returns the innermost node around before that contained lost, by position or by
// indentation.
func enclosingNode(body string, before *Node, lost text.Span) *Node {
	column := columnOf(body, lost.Start)
	if dashBefore(body, lost.Start) >= 0 {
		column = indentation(body, lineStart(body, lost.Start))
	}
	n := before
	for n.Parent != nil && !n.Span.Contains(lost) && !(ownsLinesBelow(n) && columnOf(body, n.Span.Start) <= column) {
		n = n.Parent
	}
	return n
}

// ownsLinesBelow reports whether lines below n can belong to it by indentation. This holds for
// block collections, and for scalar items that may have been collections before the recovery.
func ownsLinesBelow(n *Node) bool {
	return n.Style == Block || n.Kind == Scalar && n.Parent.Kind == Sequence && n.Parent.Style == Block
}

func columnOf(body string, pos int) int { return pos - lineStart(body, pos) }
