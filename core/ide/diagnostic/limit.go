package diagnostic

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
)

// MaxDiagnostics bounds the diagnostics of a file. VS Code shows at most 1,000, including the note
// that there are more, and every keystroke sends all of them.
const MaxDiagnostics = 999

// TruncatedCode is the code of the note that not all diagnostics are shown. It is not a rule.
const TruncatedCode = "not-all-shown"

// truncatedMessage returns the note for a number of omitted diagnostics and failed gates.
func truncatedMessage(findings, gates int) string {
	var parts []string
	if findings > 0 {
		parts = append(parts, fmt.Sprintf("%d more %s", findings, diag.Plural(findings, "finding", "findings")))
	}
	if gates > 0 {
		parts = append(parts, fmt.Sprintf("%d more failed %s", gates, diag.Plural(gates, "gate", "gates")))
	}
	return fmt.Sprintf("%s %s not shown, less severe or far from here; `rubric check` prints all findings",
		strings.Join(parts, " and "), diag.Plural(findings+gates, "is", "are"))
}
