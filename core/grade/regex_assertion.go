package grade

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// checkRegex matches the answer. The pattern was written for JavaScript and is
// matched by RE2, which takes time in proportion to the answer and in return has
// no lookaround and no back references: such a pattern is ungraded.
func checkRegex(t task, a rubric.Assertion) score.Result {
	pattern, err := assertionText(a)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	re, err := compileJSRegex(pattern, a.Flags)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	shown := fmt.Sprintf("`/%s/%s`", pattern, a.Flags)
	if re.MatchString(t.submission.Answer) {
		return findingResult(true, "it matches "+shown)
	}
	return findingResult(false, "it does not match "+shown)
}

// compileJSRegex reads a pattern and its flags as JavaScript writes them.
func compileJSRegex(pattern, flags string) (*regexp.Regexp, error) {
	var goFlags string
	for _, f := range flags {
		switch f {
		case 'i', 'm', 's':
			goFlags += string(f)
		case 'g', 'u', 'd': // one match is enough, text is Unicode, places are not asked for
		default:
			return nil, fmt.Errorf("its flag `%c` is not known here", f)
		}
	}
	source := convertCodePoints(pattern)
	if goFlags != "" {
		source = "(?" + goFlags + ")" + source
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, fmt.Errorf("its pattern cannot be used: %w", err)
	}
	return re, nil
}

// convertCodePoints writes JavaScript's \uXXXX and \u{X} as RE2 does.
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
