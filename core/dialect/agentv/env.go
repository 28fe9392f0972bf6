package agentv

import "strings"

// Expand fills in each `${{ NAME }}` of a text; missing are the names that
// lookup does not know, which become nothing.
func Expand(text string, lookup func(string) (string, bool)) (expanded string, missing []string) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${{")
		name, after, closed := strings.Cut(rest, "}}")
		if !found || !closed {
			out.WriteString(text)
			return out.String(), missing
		}
		name = strings.TrimSpace(name)
		value, known := lookup(name)
		if !known {
			missing = append(missing, name)
		}
		out.WriteString(before + value)
		text = after
	}
}
