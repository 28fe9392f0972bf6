package assist

import (
	"fmt"
	"strings"
)

// MostTold is how many findings of one file an editor is told. With what says that
// there are more it makes a thousand: the most used editor shows no more, and each
// keystroke sends them all again.
const MostTold = 999

// NotAllShown is the code of what says, in a file's first line, that there are more.
// It is no rule's.
const NotAllShown = "not-all-shown"

// LeftOut says how many findings, and how many gates that failed, an editor is not
// told.
func LeftOut(findings, gates int) string {
	var said []string
	if findings > 0 {
		said = append(said, fmt.Sprintf("%d more %s", findings, plural(findings, "finding", "findings")))
	}
	if gates > 0 {
		said = append(said, fmt.Sprintf("%d more failed %s", gates, plural(gates, "gate", "gates")))
	}
	return fmt.Sprintf("%s %s not shown, less severe or far from here; `rubric check` prints all findings",
		strings.Join(said, " and "), plural(findings+gates, "is", "are"))
}
