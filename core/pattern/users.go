package pattern

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words returns a regular expression that matches a text as whole words: not inside a word, a
// number or a range of numbers. At an edge that is another character anything may follow.
func Words(text string) *regexp.Regexp {
	text = strings.ToValidUTF8(text, "\uFFFD")
	before, after := "", ""
	if first, _ := utf8.DecodeRuneInString(text); isPartOfWord(first) {
		before = `(?:^|[^\pL\pN.,–-])`
	}
	if last, _ := utf8.DecodeLastRuneInString(text); isPartOfWord(last) {
		after = `(?:$|[^\pL\pN.,/²³-]|[.,](?:\PN|$))`
	}
	return regexp.MustCompile(before + regexp.QuoteMeta(text) + after)
}

// isPartOfWord reports whether r is a letter, a digit or, as in $5, the sign of a currency.
func isPartOfWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Sc, r)
}

// CompileJS compiles a pattern with flags in JavaScript's notation.
func CompileJS(expression, flags string) (*regexp.Regexp, error) {
	var goFlags string
	for _, f := range flags {
		switch f {
		case 'i', 'm', 's':
			goFlags += string(f)
		case 'g', 'u', 'd': // no effect here: one match suffices, text is Unicode, positions are unused
		default:
			return nil, fmt.Errorf("its flag `%c` is not supported here", f)
		}
	}
	source := convertCodePoints(expression)
	if goFlags != "" {
		source = "(?" + goFlags + ")" + source
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, fmt.Errorf("its pattern is not supported: %w", err)
	}
	return re, nil
}

// convertCodePoints converts JavaScript's \uXXXX and \u{X} to RE2's notation.
func convertCodePoints(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case strings.HasPrefix(rest, `\u{`):
			b.WriteString(`\x{`)
			i += 2
		case strings.HasPrefix(rest, `\u`) && len(rest) >= 6:
			b.WriteString(`\x{` + rest[2:6] + `}`)
			i += 5
		case pattern[i] == '\\' && len(rest) > 1:
			b.WriteString(rest[:2])
			i++
		default:
			b.WriteByte(pattern[i])
		}
	}
	return b.String()
}
