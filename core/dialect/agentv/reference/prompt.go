package reference

import (
	"slices"

	"github.com/rubric-ls/rubric/core/pattern"
)

var (
	variable  = pattern.Of(`\{\{\s*([a-zA-Z0-9_]+)\s*\}\}`)
	variables = []string{
		"candidate_answer", "expected_messages", "question", "expected_outcome", "reference_answer", "input_messages", "output_messages",
	}
)

// Prompt checks the template of a judge's own prompt. Usable is false when it
// shows the judge neither the answer nor what is expected; unknown are the
// variables that nothing is filled in for, of which one warning is given.
func Prompt(template string) (usable bool, unknown []string) {
	for _, m := range variable().FindAllStringSubmatch(template, -1) {
		switch name := m[1]; {
		case name == "candidate_answer", name == "expected_messages":
			usable = true
		case !slices.Contains(variables, name) && !slices.Contains(unknown, name):
			unknown = append(unknown, name)
		}
	}
	return usable, unknown
}
