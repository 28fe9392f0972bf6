package yaml

import (
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/text"
)

const (
	stand1    = '\x7F'   // for one byte that the library refuses
	nextLine2 = '\u0085' // NEL and its kin end lines for the library, not for editors
	lineSep3  = '\u2028'
	paraSep3  = '\u2029'
)

// disguise hands the library a text of exactly the same length in which
// nothing makes it stop or count wrongly, and takes the disguise off whatever
// comes back. A nil disguise changes nothing.
type disguise struct {
	body     string
	problems []Problem
	swap     []rune // pairs: stand-in, original
	escapes  []int  // where halves of UTF-16 escapes were moved to a private area
}

// disguiseOf is nil for a text that needs none.
func disguiseOf(body string) *disguise {
	if isOrdinary(body) {
		return nil
	}
	d := &disguise{}
	out := []byte(body)
	d.standIn(out, body, nextLine2, 0x80, 0x9F)
	d.standIn(out, body, lineSep3, 0xF000, 0xF0FF)
	d.standIn(out, body, paraSep3, 0xF100, 0xF1FF)
	d.bytes(out, body)
	directives(out, body)
	d.surrogates(out, string(out))
	d.body = string(out)
	return d
}

// isOrdinary is the fast way past the texts that need no disguise, nearly all.
func isOrdinary(body string) bool {
	ascii := true
	for i := 0; i < len(body); i++ {
		c := body[i]
		ascii = ascii && c < utf8.RuneSelf
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
		if c == '\\' && isSurrogateEscape(body[i:]) {
			return false
		}
	}
	if !utf8.ValidString(body) || hasDirective(body) {
		return false
	}
	if ascii {
		return true
	}
	for _, r := range []rune{nextLine2, lineSep3, paraSep3, '\uFFFE', '\uFFFF'} {
		if strings.ContainsRune(body, r) {
			return false
		}
	}
	return true
}

// hasDirective reports whether any line starts with a percent sign.
func hasDirective(body string) bool {
	return strings.HasPrefix(body, "%") || strings.Contains(body, "\n%") || strings.Contains(body, "\r%") || strings.Contains(body, byteOrderMark+"%")
}

// standIn replaces every r by a character of [from, to] that body does not use.
func (d *disguise) standIn(out []byte, body string, r rune, from, to rune) {
	if !strings.ContainsRune(body, r) {
		return
	}
	for from < to && (from == r || strings.ContainsRune(body, from)) {
		from++
	}
	d.swap = append(d.swap, from, r)
	for at := 0; ; {
		i := strings.IndexRune(body[at:], r)
		if i < 0 {
			return
		}
		span := text.Span{Start: at + i, End: at + i + utf8.RuneLen(r)}
		utf8.EncodeRune(out[span.Start:], from)
		d.problems = append(d.problems, Problem{Kind: LineBreakProblem, Span: span,
			Message: "this invisible character ends a line for older YAML readers, but not in an editor"})
		at = span.End
	}
}

// bytes replaces what is no character, or none that YAML allows. Neighbours
// share one problem.
func (d *disguise) bytes(out []byte, body string) {
	for at := 0; at < len(body); {
		r, size := utf8.DecodeRuneInString(body[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			d.refuse(at, size, "bytes that are not UTF-8")
		case r < ' ' && r != '\t' && r != '\n' && r != '\r':
			d.refuse(at, size, "a control character that YAML does not allow")
		case r == '\uFFFE' || r == '\uFFFF':
			d.refuse(at, size, "a character that YAML does not allow")
			copy(out[at:], string(utf8.RuneError))
			at += size
			continue
		default:
			at += size
			continue
		}
		out[at] = stand1
		at++
	}
	if len(d.problems) > 0 && !strings.ContainsRune(body, stand1) {
		d.swap = append(d.swap, stand1, utf8.RuneError)
	}
}

func (d *disguise) refuse(at, size int, message string) {
	if n := len(d.problems); n > 0 && d.problems[n-1].Span.End == at && d.problems[n-1].Message == message {
		d.problems[n-1].Span.End += size
		return
	}
	d.problems = append(d.problems, Problem{Kind: EncodingProblem,
		Span: text.Span{Start: at, End: at + size}, Message: message})
}

func (d *disguise) swapBack(value string) string {
	for i := 0; i < len(d.swap); i += 2 {
		if strings.ContainsRune(value, d.swap[i]) {
			value = strings.ReplaceAll(value, string(d.swap[i]), string(d.swap[i+1]))
		}
	}
	return value
}
