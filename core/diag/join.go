package diag

import "strings"

// JoinList is items as a sentence has them: "a, b or c", with word before the last.
func JoinList(items []string, conjunction string) string {
	last := len(items) - 1
	if last < 1 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:last], ", ") + " " + conjunction + " " + items[last]
}

// Backtick is items as names, each between backticks.
func Backtick(items []string) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = "`" + item + "`"
	}
	return out
}
