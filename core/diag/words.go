package diag

import "strings"

// Listed is items as a sentence has them: "a, b or c", with word before the last.
func Listed(items []string, word string) string {
	last := len(items) - 1
	if last < 1 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:last], ", ") + " " + word + " " + items[last]
}

// Ticked is items as names, each between backticks.
func Ticked(items []string) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = "`" + item + "`"
	}
	return out
}
