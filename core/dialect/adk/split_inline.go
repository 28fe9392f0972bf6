package adk

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// splitInline finds the cases of the list whose key stands at at, by their brackets, quotes
// and commas, if the first one stands on the line of the key. A case's span goes to
// the comma after it. It is nil where these do not match, and beside comments.
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

// hasOnlyUnclosed reports whether what stands around a list leaves some brackets unclosed, and
// holds no comments.
func hasOnlyUnclosed(body, unclosed string) bool {
	return UnclosedBrackets(body) == unclosed && len(commentsIn(body, findExcess(body))) == 0
}

// findInlineList is the place after the bracket that opens the list whose key stands at at,
// -1 if no case begins there, on its line.
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

// resplitInline is [Resplit] of such a list.
func resplitInline(body string, begins, more bool) []text.Span {
	layout := &Layout{}
	switch {
	case len(body) > yaml.MaxBytes, begins && !startsInline(body), layout.cutInlineCases(body, 0) != len(body):
		return nil
	case more && !strings.HasSuffix(body, ","):
		return nil
	}
	return layout.Cases
}

// cutInlineCases cuts the list that begins at from and gives where what closes it stands,
// or the text ends; -1 if its cases cannot be told apart.
func (l *Layout) cutInlineCases(body string, from int) int {
	for {
		end := inlineCaseEnd(body, skipSpace(body, from))
		if end < 0 {
			return -1
		}
		parted := strings.HasPrefix(body[end:], ",")
		if parted {
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
		case !parted:
			return -1
		}
		from = end
	}
}

// inlineCaseEnd is where the blanks after the case end that begins at at; -1 if none does, or
// its brackets do not match, or it has a comment.
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
			if open[n] != c-2 { // as ASCII has them
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

// skipSpace is where the white space at a place ends.
func skipSpace(body string, at int) int {
	return len(body) - len(strings.TrimLeft(body[at:], " \t\r\n"))
}
