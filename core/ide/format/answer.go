package format

import (
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
)

// InRange returns the edits that format the lines of a span. They change no comment and no meaning.
func InRange(f *ide.File, within text.Span) []ide.TextEdit {
	return f.TextEdits(FormatRange(f.Analysis, within))
}

// NewLine is the character after which an editor calls [AfterNewLine].
const NewLine = "\n"

// AfterNewLine returns the edits after a line break was typed.
func AfterNewLine(f *ide.File, offset int) []ide.TextEdit {
	return f.TextEdits(FormatOnEnter(f.Analysis, offset))
}
