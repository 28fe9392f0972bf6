package adk

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// inline finds the cases of the list whose key stands at at, by their brackets, quotes
// and commas, if the first one stands on the line of the key. A case's span goes to
// the comma after it. It is nil where these do not match, and beside comments.
func inline(body string, at int, key string) *Outline {
	if at < 0 {
		return nil
	}
	o := &Outline{Column: Inline}
	from := o.listStart(body, at)
	if from < 0 || !around(body[:from], "{[") {
		return nil
	}
	end := o.cutInline(body, from)
	if end < 0 || !around(body[end:], "]}") || names(body[end:], key) >= 0 {
		return nil
	}
	return o
}

// around reports whether what stands around a list leaves some brackets unclosed, and
// holds no comments.
func around(body, unclosed string) bool {
	return Unclosed(body) == unclosed && len(commentsAmong(body, excess(body))) == 0
}

// listStart is the place after the bracket that opens the list whose key stands at at,
// -1 if no case begins there, on its line.
func (o *Outline) listStart(body string, at int) int {
	end := stringEnd(body, at)
	o.Key = body[at+1 : end-1]
	colon := space(body, end)
	if !strings.HasPrefix(body[colon:], ":") {
		return -1
	}
	bracket := space(body, colon+1)
	if !strings.HasPrefix(body[bracket:], "[") || !beginsInline(body[bracket+1:]) {
		return -1
	}
	return bracket + 1
}

func beginsInline(list string) bool { return strings.HasPrefix(strings.TrimLeft(list, " \t"), "{") }

// resplitInline is [Resplit] of such a list.
func resplitInline(body string, begins, more bool) []text.Span {
	o := &Outline{}
	switch {
	case len(body) > yaml.MaxBytes, begins && !beginsInline(body), o.cutInline(body, 0) != len(body):
		return nil
	case more && !strings.HasSuffix(body, ","):
		return nil
	}
	return o.Cases
}

// cutInline cuts the list that begins at from and gives where what closes it stands,
// or the text ends; -1 if its cases cannot be told apart.
func (o *Outline) cutInline(body string, from int) int {
	for {
		end := caseEnd(body, space(body, from))
		if end < 0 {
			return -1
		}
		parted := strings.HasPrefix(body[end:], ",")
		if parted {
			end++
		}
		next := space(body, end)
		last := next == len(body) || body[next] == ']'
		if last {
			end = next
		}
		o.Cases = append(o.Cases, text.Span{Start: from, End: end})
		switch {
		case last:
			return next
		case !parted:
			return -1
		}
		from = end
	}
}

// caseEnd is where the blanks after the case end that begins at at; -1 if none does, or
// its brackets do not match, or it has a comment.
func caseEnd(body string, at int) int {
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
				return space(body, at+1)
			}
		case '/':
			return -1
		}
		at++
	}
	return -1
}

// space is where the white space at a place ends.
func space(body string, at int) int {
	return len(body) - len(strings.TrimLeft(body[at:], " \t\r\n"))
}
