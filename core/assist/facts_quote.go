package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
)

// markdownEscaper are the characters that mean something in Markdown.
var markdownEscaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`, "!", `\!`, "&", `\&`)

// escapeMarkdown is what somebody else wrote, a judge or a program, as Markdown that
// shows it as it is: on one line, so that it stays in its place, and no longer
// than one can read at a glance.
func escapeMarkdown(text string) string { return markdownEscaper.Replace(oneLine(text)) }

// inlineCode is a name from the file as Markdown.
func inlineCode(name string) string { return "`" + strings.ReplaceAll(oneLine(name), "`", "'") + "`" }

func oneLine(text string) string { return excerpt.Shorten(text, 400) }
