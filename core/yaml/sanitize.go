package yaml

import (
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/text"
)

const (
	placeholderByte = '\x7F'   // for one byte that the library refuses
	nextLineRune    = '\u0085' // NEL and its kin end lines for the library, not for editors
	lineSepRune     = '\u2028'
	paraSepRune     = '\u2029'
)

// sanitizer hands the library a text of exactly the same length in which
// nothing makes it stop or count wrongly, and takes the disguise off whatever
// comes back. A nil disguise changes nothing.
type sanitizer struct {
	body             string
	problems         []Problem
	replacements     []rune // pairs: stand-in, original
	surrogateEscapes []int  // where halves of UTF-16 escapes were moved to a private area
}

// sanitize is nil for a text that needs none.
func sanitize(body string) *sanitizer {
	if isClean(body) {
		return nil
	}
	s := &sanitizer{}
	out := []byte(body)
	s.replaceRune(out, body, nextLineRune, 0x80, 0x9F)
	s.replaceRune(out, body, lineSepRune, 0xF000, 0xF0FF)
	s.replaceRune(out, body, paraSepRune, 0xF100, 0xF1FF)
	s.replaceInvalid(out, body)
	hideDirectives(out, body)
	s.hideSurrogates(out, string(out))
	s.body = string(out)
	return s
}

// isClean is the fast way past the texts that need no disguise, nearly all.
func isClean(body string) bool {
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
	for _, r := range []rune{nextLineRune, lineSepRune, paraSepRune, '\uFFFE', '\uFFFF'} {
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

// replaceRune replaces every r by a character of [from, to] that body does not use.
func (s *sanitizer) replaceRune(out []byte, body string, r rune, from, to rune) {
	if !strings.ContainsRune(body, r) {
		return
	}
	for from < to && (from == r || strings.ContainsRune(body, from)) {
		from++
	}
	s.replacements = append(s.replacements, from, r)
	for pos := 0; ; {
		i := strings.IndexRune(body[pos:], r)
		if i < 0 {
			return
		}
		span := text.Span{Start: pos + i, End: pos + i + utf8.RuneLen(r)}
		utf8.EncodeRune(out[span.Start:], from)
		s.problems = append(s.problems, Problem{Kind: LineBreakProblem, Span: span,
			Message: "this invisible character ends a line for older YAML readers, but not in an editor"})
		pos = span.End
	}
}

// replaceInvalid replaces what is no character, or none that YAML allows. Neighbours
// share one problem.
func (s *sanitizer) replaceInvalid(out []byte, body string) {
	for pos := 0; pos < len(body); {
		r, size := utf8.DecodeRuneInString(body[pos:])
		switch {
		case r == utf8.RuneError && size == 1:
			s.report(pos, size, "bytes that are not UTF-8")
		case r < ' ' && r != '\t' && r != '\n' && r != '\r':
			s.report(pos, size, "a control character that YAML does not allow")
		case r == '\uFFFE' || r == '\uFFFF':
			s.report(pos, size, "a character that YAML does not allow")
			copy(out[pos:], string(utf8.RuneError))
			pos += size
			continue
		default:
			pos += size
			continue
		}
		out[pos] = placeholderByte
		pos++
	}
	if len(s.problems) > 0 && !strings.ContainsRune(body, placeholderByte) {
		s.replacements = append(s.replacements, placeholderByte, utf8.RuneError)
	}
}

func (s *sanitizer) report(pos, size int, message string) {
	if n := len(s.problems); n > 0 && s.problems[n-1].Span.End == pos && s.problems[n-1].Message == message {
		s.problems[n-1].Span.End += size
		return
	}
	s.problems = append(s.problems, Problem{Kind: EncodingProblem,
		Span: text.Span{Start: pos, End: pos + size}, Message: message})
}

func (s *sanitizer) restoreRunes(value string) string {
	for i := 0; i < len(s.replacements); i += 2 {
		if strings.ContainsRune(value, s.replacements[i]) {
			value = strings.ReplaceAll(value, string(s.replacements[i]), string(s.replacements[i+1]))
		}
	}
	return value
}
