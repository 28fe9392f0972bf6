package yaml

import "github.com/rubric-ls/rubric/core/text"

// blankOut is body with spans left out, everything else in its place. A whole line
// becomes a comment: mere spaces would be content to a block scalar before it.
func blankOut(body string, spans ...text.Span) string {
	if len(spans) == 0 {
		return body
	}
	out := []byte(body)
	for _, span := range spans {
		for pos := span.Start; pos < span.End; {
			end := min(lineEnd(body, pos), span.End)
			whole := isBlankLine(body[:pos], lineStart(body, pos))
			for ; pos < end; pos++ {
				if whole && !isBlank(out[pos]) {
					out[pos], whole = '#', false
				} else {
					out[pos] = ' '
				}
			}
			for pos < span.End && isBreak(body[pos]) {
				pos++
			}
		}
	}
	return string(out)
}

// trimSpan is span without white space at its ends.
func trimSpan(body string, span text.Span) text.Span {
	for span.Start < span.End && (isBlank(body[span.Start]) || isBreak(body[span.Start])) {
		span.Start++
	}
	for span.Start < span.End && (isBlank(body[span.End-1]) || isBreak(body[span.End-1])) {
		span.End--
	}
	return span
}
