package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// SplitJSONL divides JSONL into its lines, to each of which the blank ones after
// it belong. It gives nil where there is nothing to divide.
func SplitJSONL(body string) []text.Span {
	first := 0
	for first < len(body) && isBlankLine(body, first) {
		first = nextLine(body, lineEnd(body, first))
	}
	if isUnsplittable(body) || first == len(body) {
		return nil
	}
	var spans []text.Span
	span := text.Span{}
	for line := nextLine(body, lineEnd(body, first)); line < len(body); line = nextLine(body, lineEnd(body, line)) {
		if !isBlankLine(body, line) {
			span.End = line
			spans = append(spans, span)
			span.Start = line
		}
	}
	span.End = len(body)
	return append(spans, span)
}

// ResplitJSONL divides a stretch of JSONL that begins and ends where lines do;
// more says that something follows it. It gives nil if that is no longer so.
func ResplitJSONL(body string, more bool) []text.Span {
	if more && !strings.HasSuffix(body, "\n") {
		return nil
	}
	return SplitJSONL(body)
}
