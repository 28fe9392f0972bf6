package conformance

import (
	"slices"

	"github.com/rubric-ls/rubric/core/pattern"
)

var (
	promptVariable  = pattern.New(`\{\{\s*([a-zA-Z0-9_]+)\s*\}\}`)
	promptVariables = []string{
		"candidate_answer", "expected_messages", "question", "expected_outcome", "reference_answer", "input_messages", "output_messages",
	}
)

// checkPrompt checks the template of a judge's own prompt. Usable is false when it
// shows the judge neither the answer nor what is expected; unknown are the
// variables that nothing is filled in for, of which one warning is given.
func checkPrompt(template string) (usable bool, unknown []string) {
	for _, m := range promptVariable().FindAllStringSubmatch(template, -1) {
		switch name := m[1]; {
		case name == "candidate_answer", name == "expected_messages":
			usable = true
		case !slices.Contains(promptVariables, name) && !slices.Contains(unknown, name):
			unknown = append(unknown, name)
		}
	}
	return usable, unknown
}
