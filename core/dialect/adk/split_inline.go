package adk

import (
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// splitInline finds the cases by brackets, quotes and commas if the first case is on the line of
// the list's key, which is at the offset at. A case's span includes the comma after it. It
// returns nil if brackets do not match or the file has comments.
func splitInline(body string, at int, key string) *Layout {
	if at < 0 {
		return nil
	}
	layout := &Layout{Column: InlineColumn}
	from := layout.findInlineList(body, at)
	if from < 0 || !hasOnlyUnclosed(body[:from], "{[") {
		return nil
	}
	end := layout.cutInlineCases(body, from)
	if end < 0 || !hasOnlyUnclosed(body[end:], "]}") || findKey(body[end:], key) >= 0 {
		return nil
	}
	return layout
}

// hasOnlyUnclosed reports whether body leaves exactly the given brackets unclosed and has no
// comments.
func hasOnlyUnclosed(body, unclosed string) bool {
	return UnclosedBrackets(body) == unclosed && len(commentsIn(body, findExcess(body))) == 0
}

// findInlineList returns the offset after the bracket that opens the list whose key is at at. It
// returns -1 if no case begins there on the same line.
func (l *Layout) findInlineList(body string, at int) int {
	end := stringEnd(body, at)
	l.Key = body[at+1 : end-1]
	colon := skipSpace(body, end)
	if !strings.HasPrefix(body[colon:], ":") {
		return -1
	}
	bracket := skipSpace(body, colon+1)
	if !strings.HasPrefix(body[bracket:], "[") || !startsInline(body[bracket+1:]) {
		return -1
	}
	return bracket + 1
}

func startsInline(list string) bool { return strings.HasPrefix(strings.TrimLeft(list, " \t"), "{") }

// cutInlineCases appends the spans of the list's cases. From is the start of the list. It returns
// the offset of the closing bracket or of the end of the text, and -1 if the cases cannot be
// separated.
func (l *Layout) cutInlineCases(body string, from int) int {
	for {
		end := inlineCaseEnd(body, skipSpace(body, from))
		if end < 0 {
			return -1
		}
		hasComma := strings.HasPrefix(body[end:], ",")
		if hasComma {
			end++
		}
		next := skipSpace(body, end)
		last := next == len(body) || body[next] == ']'
		if last {
			end = next
		}
		l.Cases = append(l.Cases, text.Span{Start: from, End: end})
		switch {
		case last:
			return next
		case !hasComma:
			return -1
		}
		from = end
	}
}

// inlineCaseEnd returns the offset after the case that begins at at and its trailing space. It
// returns -1 if there is no case, its brackets do not match, or it contains a comment.
func inlineCaseEnd(body string, at int) int {
	if !strings.HasPrefix(body[at:], "{") {
		return -1
	}
	var open []byte
	for at < len(body) {
		switch c := body[at]; c {
		case '"':
			if at = stringEnd(body, at); body[at-1] != '"' {
				return -1
			}
			continue
		case '{', '[':
			open = append(open, c)
		case '}', ']':
			n := len(open) - 1
			if open[n] != c-2 { // in ASCII a closing bracket is two after its opening one
				return -1
			}
			if open = open[:n]; n == 0 {
				return skipSpace(body, at+1)
			}
		case '/':
			return -1
		}
		at++
	}
	return -1
}

// skipSpace returns the offset of the first character after at that is not white space.
func skipSpace(body string, at int) int {
	return len(body) - len(strings.TrimLeft(body[at:], " \t\r\n"))
}

// SplitLong divides a text of size bytes as [SplitCases] does, into chunks of some cases. A chunk
// without its final comma is a complete file between head and tail. It returns nil where
// SplitCases would, and where deciding needs too much of the text. An error comes from r.
func SplitLong(r io.ReaderAt, size int64) (*yaml.ChunkedText, error) {
	w := &windowSplitter{}
	chunks, err := yaml.ChunkFunc(r, size, w.cutWindow)
	if chunks != nil {
		chunks.Separator = ","
	}
	return chunks, err
}

// windowSplitter splits a long text through a moving window.
type windowSplitter struct {
	Layout
	listKey string // snake_case key of the list
}

// cutWindow is a [yaml.ItemFinder].
func (w *windowSplitter) cutWindow(body string, first, last bool) (cases []text.Span, end int) {
	from := 0
	w.Cases = nil
	if first {
		if from = w.findList(body, last); from < 0 {
			return nil, from
		}
	}
	switch {
	case from == len(body):
		end = from // the window ends before the list
	case w.Column != InlineColumn:
		if hasMultilineComment(completeLines(body, last)) {
			return nil, -1
		}
		end = w.Layout.cutCases(body, from)
	default:
		if end = w.cutInlineCases(body, from); end < 0 && !last {
			end = w.cutPartialCase(body, from)
		}
	}
	if last && (end < 0 || end == len(body) || findKey(body[end:], w.listKey) >= 0 || w.Column == InlineColumn && !hasOnlyUnclosed(body[end:], "]}")) {
		return nil, -1
	}
	return w.Cases, end
}

// findList returns the start of the list, or the end of the window if the list comes later. It
// returns -1 if the text cannot be split.
func (w *windowSplitter) findList(body string, last bool) int {
	at, key := listKey(body)
	if w.listKey = key; strings.HasPrefix(body, "\uFEFF") || at < 0 && last {
		return -1
	}
	if at < 0 || strings.IndexByte(body[at:], '{') < 0 {
		return len(body)
	}
	list := w.findListLine(body, at)
	if list < 0 {
		w.Column = InlineColumn
		if from := w.findInlineList(body, at); from >= 0 && hasOnlyUnclosed(body[:from], "{[") {
			return from
		}
		return -1
	}
	first := skipComments(body, list)
	if first == len(body) {
		return first
	}
	if w.Column = indentation(body[first:]); w.Column == 0 || !strings.HasPrefix(body[first+w.Column:], "{") {
		return -1
	}
	return list
}

// cutPartialCase adds the incomplete case at the end of an inline window to the complete ones. It
// returns the end of the window.
func (w *windowSplitter) cutPartialCase(body string, from int) int {
	if n := len(w.Cases); n > 0 {
		from = w.Cases[n-1].End
	}
	w.Cases = append(w.Cases, text.Span{Start: from, End: len(body)})
	return len(body)
}

// completeLines returns the lines that end inside the window.
func completeLines(body string, last bool) string {
	if last {
		return body
	}
	return body[:strings.LastIndexByte(body, '\n')+1]
}
