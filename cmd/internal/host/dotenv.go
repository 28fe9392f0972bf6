package host

import (
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
)

// A line of a .env file: its name, and how its value begins.
var assignmentStart = pattern.New(`^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*`)

// parseDotenv reads a .env file as the reference implementation's runtime does:
// NAME=VALUE lines, `export` before them, comments, and values in quotes, which
// may go over several lines. \n and \r mean something in double quotes only. A
// dollar sign means nothing: a password may hold one. A line that is none of
// this is passed over, so that it does not cost the others; no error could
// quote it, for it may hold a key. The usual library gives up the file at such
// a line and fills in dollars, which is why this is not it.
func parseDotenv(text string) map[string]string {
	values := map[string]string{}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(text, "\uFEFF"))
	for text != "" {
		head := assignmentStart().FindStringSubmatch(text)
		if head == nil {
			_, text, _ = strings.Cut(text, "\n")
			continue
		}
		values[head[1]], text = parseEnvValue(text[len(head[0]):])
	}
	return values
}

// parseEnvValue is the value that text begins with, and what follows its line.
func parseEnvValue(text string) (value, rest string) {
	if text != "" && strings.ContainsRune("\"'`", rune(text[0])) {
		if value, after, ok := parseQuotedValue(text); ok {
			return value, after
		}
	}
	line, rest, _ := strings.Cut(text, "\n")
	line, _, _ = strings.Cut(line, "#")
	return strings.TrimSpace(line), rest
}

// parseQuotedValue is the value in quotes that text begins with, if they are closed and
// nothing but a comment follows them in their line.
func parseQuotedValue(text string) (value, rest string, ok bool) {
	mark := text[0]
	end := 1
	for end < len(text) && text[end] != mark {
		if text[end] == '\\' && end+1 < len(text) {
			end++
		}
		end++
	}
	if end >= len(text) {
		return "", "", false
	}
	after, rest, _ := strings.Cut(text[end+1:], "\n")
	if after = strings.TrimSpace(after); after != "" && after[0] != '#' {
		return "", "", false
	}
	value = text[1:end]
	if mark == '"' {
		value = strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(value)
	}
	return value, rest, true
}
