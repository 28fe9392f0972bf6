package yaml

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

const (
	placeholderByte = '\x7F'   // replaces one byte that the library rejects
	nextLineRune    = '\u0085' // NEL, LS and PS end lines for the library, not for editors
	lineSepRune     = '\u2028'
	paraSepRune     = '\u2029'
)

// A sanitizer replaces text that makes the library stop or miscount, keeping its length, and
// restores the original in the values that come back.
type sanitizer struct {
	problems         []Problem
	replacements     []rune // pairs of replacement and original
	surrogateEscapes []int  // offsets of UTF-16 escapes that were moved to the private use area
}

// sanitize returns the text for the library, and a sanitizer if it differs.
func sanitize(body string) (string, *sanitizer) {
	isUnsafe := hasUnsafeRunes(body) || strings.HasPrefix(body, "%") || strings.Contains(body, "\n%") || strings.Contains(body, "\r%") || strings.Contains(body, lines.ByteOrderMark+"%")
	for i := 0; i < len(body) && !isUnsafe; i++ {
		c := body[i]
		isUnsafe = c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == '\\' && isSurrogateEscape(body[i:])
	}
	if !isUnsafe {
		return body, nil
	}
	s := &sanitizer{}
	out := []byte(body)
	s.replaceRune(out, body, nextLineRune, 0x80, 0x9F)
	s.replaceRune(out, body, lineSepRune, 0xF000, 0xF0FF)
	s.replaceRune(out, body, paraSepRune, 0xF100, 0xF1FF)
	s.replaceInvalid(out, body)
	hideDirectives(out, body)
	s.hideSurrogates(out, string(out))
	return string(out), s
}

// hasUnsafeRunes reports whether body has invalid UTF-8 or a character above ASCII that needs the
// sanitizer.
func hasUnsafeRunes(body string) bool {
	return !utf8.ValidString(body) || slices.ContainsFunc([]rune{nextLineRune, lineSepRune, paraSepRune, '\uFFFE', '\uFFFF'}, func(r rune) bool {
		return strings.ContainsRune(body, r)
	})
}

// replaceRune replaces every r in out by a character of [from, to] that body does not use.
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

// replaceInvalid replaces invalid UTF-8 and characters that YAML forbids. Adjacent ones share one
// problem.
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

// hideSurrogates moves JSON's escapes for astral characters, such as `\ud83d\ude00`, which YAML
// lacks, to the private use area. restoreQuoted finds and pairs them there. Outside double quotes
// they are plain text: see restoreLiteral.
func (s *sanitizer) hideSurrogates(out []byte, body string) {
	if privateUse().MatchString(body) {
		return
	}
	for pos := 0; pos < len(body); pos++ {
		if body[pos] != '\\' {
			continue
		}
		if isSurrogateEscape(body[pos:]) {
			out[pos+2] = 'e' // d800–dfff becomes e000–e7ff
			out[pos+3] = '0' + byte(strings.IndexByte(surrogateDigits, body[pos+3])%8)
			s.surrogateEscapes = append(s.surrogateEscapes, pos)
		}
		pos++ // skip the escaped character, also a backslash
	}
}

// privateUse matches a text that uses the private area itself.
var privateUse = pattern.New(`[\x{E000}-\x{E7FF}]|\\u[eE][0-7]`)

var hiddenSurrogate = pattern.New(`\\ue[0-7]..`)

// restoreLiteral restores a value that is not double-quoted and was read from span of source, where
// `\ud83d` is six characters.
func (s *sanitizer) restoreLiteral(value, source string, span text.Span) string {
	value = s.restoreRunes(value)
	next := sort.SearchInts(s.surrogateEscapes, span.Start)
	if next == len(s.surrogateEscapes) || s.surrogateEscapes[next] >= span.End {
		return value
	}
	return hiddenSurrogate().ReplaceAllStringFunc(value, func(string) string {
		pos := s.surrogateEscapes[min(next, len(s.surrogateEscapes)-1)]
		next++
		return source[pos : pos+len(`\ud83d`)]
	})
}

const surrogateDigits = "89abcdef" + "89ABCDEF"

func isSurrogateEscape(s string) bool {
	return len(s) >= 6 && s[1] == 'u' && (s[2] == 'd' || s[2] == 'D') && strings.IndexByte(surrogateDigits, s[3]) >= 0
}

func (s *sanitizer) restoreQuoted(value string) string {
	value = s.restoreRunes(value)
	if len(s.surrogateEscapes) == 0 {
		return value
	}
	var out strings.Builder
	high := rune(-1) // a high surrogate that needs its low one
	for _, r := range value {
		switch {
		case high >= 0 && r >= 0xE400 && r < 0xE800:
			out.WriteRune(0x10000 + high<<10 + (r - 0xE400))
			high = -1
			continue
		case high >= 0:
			out.WriteRune(utf8.RuneError)
			high = -1
		}
		switch {
		case r >= 0xE000 && r < 0xE400:
			high = r - 0xE000
		case r >= 0xE400 && r < 0xE800:
			out.WriteRune(utf8.RuneError)
		default:
			out.WriteRune(r)
		}
	}
	if high >= 0 {
		out.WriteRune(utf8.RuneError)
	}
	return out.String()
}

var versionDirective = pattern.New(`^%YAML[ \t]+[0-9]+\.[0-9]+[ \t]*($|[ \t]#)`)

// hideDirectives blanks directives that the library rejects without need: versions other than 1.1
// and reserved directives. Directives are only valid before the `---` of a document; elsewhere `%`
// is text.
func hideDirectives(out []byte, body string) {
	before := true
	var pending []text.Span
	for pos := 0; pos < len(body); pos = lines.Next(body, lines.End(body, pos)) {
		span := text.Span{Start: pos, End: lines.End(body, pos)}
		if strings.HasPrefix(body[pos:], lines.ByteOrderMark) {
			span.Start += len(lines.ByteOrderMark)
		}
		line := body[span.Start:span.End]
		content := strings.TrimLeft(line, " \t")
		switch {
		case lines.IsDocumentMark(body, span.Start):
			before = line[0] == '.'
			if before {
				pending = nil
			}
			for _, directive := range pending {
				hideDirective(out[directive.Start:directive.End], body[directive.Start:directive.End])
			}
			pending = nil
		case before && strings.HasPrefix(line, "%"):
			pending = append(pending, span)
		case content != "" && content[0] != '#':
			before, pending = false, nil
		}
	}
}

func hideDirective(out []byte, line string) {
	switch {
	case versionDirective().MatchString(line):
		dot := strings.IndexByte(line, '.')
		for i := len("%YAML"); i < len(line) && line[i] != '#'; i++ {
			if line[i] >= '0' && line[i] <= '9' {
				out[i] = ' '
			}
		}
		out[dot], out[dot-1], out[dot+1] = '.', '1', '1'
	case !strings.HasPrefix(line, "%YAML ") && !strings.HasPrefix(line, "%TAG "):
		for i := 0; i < len(line) && !(line[i] == '#' && lines.IsBlank(line[i-1])); i++ {
			out[i] = ' '
		}
	}
}
