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
func SplitLong(r io.ReaderAt, size int64) (*yaml.Long, error) {
	s := &sight{}
	long, err := yaml.DivideLong(r, size, s.cut)
	if long != nil {
		long.Joint = ","
	}
	return long, err
}

// sight is what has been seen of a long text through a window that moves over it.
type sight struct {
	Outline
	key string // of its list, as ADK calls it
}

// cut is a [yaml.Cut].
func (s *sight) cut(body string, first, last bool) (cases []text.Span, end int) {
	from := 0
	s.Cases = nil
	if first {
		if from = s.begin(body, last); from < 0 {
			return nil, from
		}
	}
	switch {
	case from == len(body):
		end = from // nothing of the list is seen yet
	case s.Column != Inline:
		if opensComment(seen(body, last)) {
			return nil, -1
		}
		end = s.Outline.cut(body, from)
	default:
		if end = s.cutInline(body, from); end < 0 && !last {
			end = s.goesOn(body, from)
		}
	}
	if last && (end < 0 || end == len(body) || names(body[end:], s.key) >= 0 || s.Column == Inline && !around(body[end:], "]}")) {
		return nil, -1
	}
	return s.Cases, end
}

// begin finds where the list begins, at the end of a window that does not show it; -1 if
// that cannot be told.
func (s *sight) begin(body string, last bool) int {
	at, key := listKey(body)
	if s.key = key; strings.HasPrefix(body, "\uFEFF") || at < 0 && last {
		return -1
	}
	if at < 0 || strings.IndexByte(body[at:], '{') < 0 {
		return len(body)
	}
	list := s.listLine(body, at)
	if list < 0 {
		s.Column = Inline
		if from := s.listStart(body, at); from >= 0 && around(body[:from], "{[") {
			return from
		}
		return -1
	}
	first := held(body, list)
	if first == len(body) {
		return first
	}
	if s.Column = indentation(body[first:]); s.Column == 0 || !strings.HasPrefix(body[first+s.Column:], "{") {
		return -1
	}
	return list
}

// goesOn are the cases of an inline list that a window shows in full, and as one more
// what it shows of the next; that is where the window ends.
func (s *sight) goesOn(body string, from int) int {
	if n := len(s.Cases); n > 0 {
		from = s.Cases[n-1].End
	}
	s.Cases = append(s.Cases, text.Span{Start: from, End: len(body)})
	return len(body)
}

// seen are the lines of a window that it shows in full.
func seen(body string, last bool) string {
	if last {
		return body
	}
	return body[:strings.LastIndexByte(body, '\n')+1]
}
