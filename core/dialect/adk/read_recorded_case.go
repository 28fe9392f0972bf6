package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// IsCompact reports whether the file was glanced at, and its cases read one by one: each of
// them stands in the text where its span says, and means what it does whatever others
// stand beside it.
func (f File) IsCompact() bool { return f.compact != nil }

// ReadRecordedCase reads again one conversation of a file of recordings with a role, from the
// text of its case. It is false where that is not the JSON of one.
func ReadRecordedCase(role Role, body string) (c RecordedCase, ok bool) {
	chunk := ReadChunk(role, text.New("", body), true)
	items := chunk.Tree.Root().List()
	if chunk.Fault != nil || len(items) != 1 {
		return c, false
	}
	if role == Results {
		return lowerRecordedCase(items[0]), true
	}
	return compactCase(items[0]).asRecorded()
}

// asRecorded is the case's own conversation as if it were recorded; ok says that it has
// one, of which each turn can be read.
func (c Case) asRecorded() (recorded RecordedCase, ok bool) {
	if c.hasInvalidTurn {
		return recorded, false
	}
	return RecordedCase{ID: c.ID, Conversation: metric.Conversation{Actual: c.Conversation}, Span: c.Span, IDSpan: c.IDSpan}, c.Conversation != nil
}
