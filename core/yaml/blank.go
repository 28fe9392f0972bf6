package yaml

import "github.com/rubric-ls/rubric/core/text"

// blank is body with spans left out, everything else in its place. A whole line
// becomes a comment: mere spaces would be content to a block scalar before it.
func blank(body string, spans ...text.Span) string {
	if len(spans) == 0 {
		return body
	}
	out := []byte(body)
	for _, span := range spans {
		for at := span.Start; at < span.End; {
			end := min(lineEnd(body, at), span.End)
			whole := isBlankLine(body[:at], lineStart(body, at))
			for ; at < end; at++ {
				if whole && !isBlank(out[at]) {
					out[at], whole = '#', false
				} else {
					out[at] = ' '
				}
			}
			for at < span.End && isBreak(body[at]) {
				at++
			}
		}
	}
	return string(out)
}

// trim is span without white space at its ends.
func trim(body string, span text.Span) text.Span {
	for span.Start < span.End && (isBlank(body[span.Start]) || isBreak(body[span.Start])) {
		span.Start++
	}
	for span.Start < span.End && (isBlank(body[span.End-1]) || isBreak(body[span.End-1])) {
		span.End--
	}
	return span
}
