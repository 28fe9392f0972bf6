package metric

import (
	"strings"

	"github.com/rubric-ls/rubric/core/nfkc"
)

var typographicReplacer = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-", "—", "-")

// Normalize is the text by which a property that a judge repeats is known again:
// in form NFKC, with plain quotes and dashes and single spaces, in lower case,
// without the marks that judges set around it. Under [V2] it is only trimmed and
// lower-cased.
func Normalize(p Profile, text string) string {
	if p == V2 {
		return nfkc.Lower(strings.TrimSpace(text))
	}
	text = typographicReplacer.Replace(nfkc.Normalize(text))
	words := strings.Join(strings.Fields(text), " ")
	return nfkc.Lower(strings.Trim(words, " *_`#>-•\"'"))
}
