package assist

import (
	"fmt"
	"strings"
)

// MaxDiagnostics is how many findings of one file an editor is told. With what says that
// there are more it makes a thousand: the most used editor shows no more, and each
// keystroke sends them all again.
const MaxDiagnostics = 999

// TruncatedCode is the code of what says, in a file's first line, that there are more.
// It is no rule's.
const TruncatedCode = "not-all-shown"

// TruncatedMessage says how many findings, and how many gates that failed, an editor is not
// told.
func TruncatedMessage(findings, gates int) string {
	var parts []string
	if findings > 0 {
		parts = append(parts, fmt.Sprintf("%d more %s", findings, plural(findings, "finding", "findings")))
	}
	if gates > 0 {
		parts = append(parts, fmt.Sprintf("%d more failed %s", gates, plural(gates, "gate", "gates")))
	}
	return fmt.Sprintf("%s %s not shown, less severe or far from here; `rubric check` prints all findings",
		strings.Join(parts, " and "), plural(findings+gates, "is", "are"))
}
