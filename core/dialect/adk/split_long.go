package adk

import (
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// SplitLong divides a text of so many bytes as [Split] does, into pieces of some cases:
// each of them, without the comma at its end, stands between head and tail as a file.
// It gives nil where Split would, and where too much of the text has to be seen to
// tell. An error is r's.
func SplitLong(r io.ReaderAt, size int64) (*yaml.ChunkedText, error) {
	w := &windowSplitter{}
	chunks, err := yaml.ChunkFunc(r, size, w.cutWindow)
	if chunks != nil {
		chunks.Separator = ","
	}
	return chunks, err
}

// windowSplitter is what has been seen of a long text through a window that moves over it.
type windowSplitter struct {
	Layout
	listKey string // of its list, as ADK calls it
}

// cutWindow is a [yaml.Cut].
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
		end = from // nothing of the list is seen yet
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

// findList finds where the list begins, at the end of a window that does not show it; -1 if
// that cannot be told.
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

// cutPartialCase are the cases of an inline list that a window shows in full, and as one more
// what it shows of the next; that is where the window ends.
func (w *windowSplitter) cutPartialCase(body string, from int) int {
	if n := len(w.Cases); n > 0 {
		from = w.Cases[n-1].End
	}
	w.Cases = append(w.Cases, text.Span{Start: from, End: len(body)})
	return len(body)
}

// completeLines are the lines of a window that it shows in full.
func completeLines(body string, last bool) string {
	if last {
		return body
	}
	return body[:strings.LastIndexByte(body, '\n')+1]
}
