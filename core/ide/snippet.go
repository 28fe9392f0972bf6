package ide

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// snippetEscaper escapes plain text for LSP snippets.
var snippetEscaper = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)

// SnippetText returns a text in LSP snippet syntax. The stops are placeholders in tab order.
func SnippetText(words string, stops []text.Span) string {
	var b strings.Builder
	at := 0
	for n, s := range stops {
		b.WriteString(snippetEscaper.Replace(words[at:s.Start]) + "${" + strconv.Itoa(n+1) + ":" + snippetEscaper.Replace(words[s.Start:s.End]) + "}")
		at = s.End
	}
	return b.String() + snippetEscaper.Replace(words[at:])
}
