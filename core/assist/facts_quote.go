package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
)

// markup are the characters that mean something in Markdown.
var markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`, "!", `\!`, "&", `\&`)

// quoted is what somebody else wrote, a judge or a program, as Markdown that
// shows it as it is: on one line, so that it stays in its place, and no longer
// than one can read at a glance.
func quoted(text string) string { return markup.Replace(oneLine(text)) }

// code is a name from the file as Markdown.
func code(name string) string { return "`" + strings.ReplaceAll(oneLine(name), "`", "'") + "`" }

func oneLine(text string) string { return excerpt.Of(text, 400) }
