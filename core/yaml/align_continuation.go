package yaml

import (
	"github.com/rubric-ls/rubric/core/text"
)

// checkContinuation reports the lines of a quoted scalar or bracketed collection
// that stand no deeper than the block around it: the library reads them, the
// specification and other readers do not. A closing bracket under its key is a
// habit that all readers know.
func (a *aligner) checkContinuation(span text.Span, column int) {
	for line := nextLine(a.body, lineEnd(a.body, span.Start)); line < span.End; line = nextLine(a.body, lineEnd(a.body, line)) {
		content := skipBlanks(a.body, line)
		if content >= span.End || isBreak(a.body[content]) {
			continue
		}
		spaces := indentation(a.body, line)
		if spaces > column || spaces == column && (a.body[content] == ']' || a.body[content] == '}') {
			continue
		}
		a.problems = append(a.problems, Problem{Kind: IndentProblem, Note: text.Span{Start: span.Start, End: span.Start + 1},
			Span:    text.Span{Start: content, End: min(lineEnd(a.body, line), span.End)},
			Message: "a line that continues a value has to be indented deeper, with spaces, than the key or dash before it"})
		return
	}
}

// checkLeadingBlank reports a blank line at the start of a block scalar that is
// deeper than the text it introduces.
func (a *aligner) checkLeadingBlank(line, column int) {
	deepest := text.Span{}
	for line < len(a.body) {
		stop := lineEnd(a.body, line)
		spaces := indentation(a.body, line)
		switch {
		case line+spaces < stop:
			if spaces > column && deepest.Len() > spaces {
				a.problems = append(a.problems, Problem{Kind: IndentProblem, Span: deepest,
					Message: "this blank line is indented deeper than the text it introduces"})
			}
			return
		case spaces > deepest.Len():
			deepest = text.Span{Start: line, End: stop}
		}
		line = nextLine(a.body, stop)
	}
}
