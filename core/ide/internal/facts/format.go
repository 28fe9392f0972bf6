package facts

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/score"
)

// BulletList formats the non-empty lines as a Markdown list.
func BulletList(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if line != "" {
			b.WriteString("- " + line + "\n")
		}
	}
	return b.String()
}

// FormatPercent formats a share of 0–1.
func FormatPercent(share float64) string {
	if share > 0 && share < 0.0005 {
		return "< 0.1 %"
	}
	return strconv.FormatFloat(math.Round(share*1000)/10, 'f', -1, 64) + " %"
}

// FormatScore formats a score with four significant digits, or all of them if rounding would change
// the verdict.
func FormatScore(f float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 4, 64), 64)
	if err != nil || score.VerdictOf(short) != score.VerdictOf(f) {
		return score.FormatNumber(f)
	}
	return score.FormatNumber(short)
}

// StaleSuffix returns the note after an outdated result.
func StaleSuffix(stale bool) string {
	if stale {
		return " (stale)"
	}
	return ""
}

// Summarise describes the outcome in a few words.
func Summarise(o ide.Outcome) string {
	line := string(o.Verdict)
	if o.Score != nil {
		line += ", score " + FormatScore(*o.Score)
	}
	if o.Ungraded > 0 {
		line += fmt.Sprintf(", %d %s missing", o.Ungraded, diag.Plural(o.Ungraded, "grade", "grades"))
	}
	return line + StaleSuffix(o.Stale)
}

// markdownEscaper escapes the special characters of Markdown.
var markdownEscaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`, "!", `\!`, "&", `\&`)

// EscapeMarkdown returns text by a judge or program as one line of literal Markdown, shortened.
func EscapeMarkdown(text string) string { return markdownEscaper.Replace(oneLine(text)) }

// InlineCode returns a name from the file as Markdown code.
func InlineCode(name string) string { return "`" + strings.ReplaceAll(oneLine(name), "`", "'") + "`" }

func oneLine(text string) string { return excerpt.Shorten(text, 400) }

// ShortLine shortens text for outlines and messages.
func ShortLine(words string) string { return excerpt.Shorten(words, 80) }
