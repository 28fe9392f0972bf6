package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// Apart reports whether the file was glanced at, and its cases read one by one: each of
// them stands in the text where its span says, and means what it does whatever others
// stand beside it.
func (f File) Apart() bool { return f.shelf != nil }

// ReadRun reads again one conversation of a file of recordings with a role, from the
// text of its case. It is false where that is not the JSON of one.
func ReadRun(of Role, body string) (c RecordedCase, ok bool) {
	part := ReadPart(of, text.New("", body), true)
	items := part.Tree.Root().List()
	if part.Fault != nil || len(items) != 1 {
		return c, false
	}
	if of == Results {
		return recorded(items[0]), true
	}
	return glanced(items[0]).recorded()
}

// recorded is the case's own conversation as if it were recorded; ok says that it has
// one, of which each turn can be read.
func (c Case) recorded() (r RecordedCase, ok bool) {
	if c.torn {
		return r, false
	}
	return RecordedCase{ID: c.ID, Conversation: metric.Conversation{Actual: c.Conversation}, Span: c.Span, IDSpan: c.IDSpan}, c.Conversation != nil
}
