package agentv

import "strings"

// Variable is a variable of the environment: its value, and what sets it.
type Variable struct {
	Name   string
	Value  string
	Source string // for people: the environment, or a file's path
}

// ExpandVariables fills in each `${{ NAME }}` of a text; missing are the names that
// lookup does not know, which become nothing.
func ExpandVariables(text string, lookup func(string) (Variable, bool)) (expanded string, missing []string) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${{")
		name, after, closed := strings.Cut(rest, "}}")
		if !found || !closed {
			out.WriteString(text)
			return out.String(), missing
		}
		name = strings.TrimSpace(name)
		v, known := lookup(name)
		if !known {
			missing = append(missing, name)
		}
		out.WriteString(before + v.Value)
		text = after
	}
}

// soleVariable is the name of the variable that a text is, if it is nothing else.
func soleVariable(text string) (name string, ok bool) {
	name, opened := strings.CutPrefix(strings.TrimSpace(text), "${{")
	name, closed := strings.CutSuffix(name, "}}")
	return strings.TrimSpace(name), opened && closed && !strings.Contains(name, "}}")
}
