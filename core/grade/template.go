package grade

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// Variables are the names that a judge's own prompt may use, as `{{ name }}`.
var Variables = []string{
	"candidate_answer", "expected_messages", "expected_outcome", "input_messages",
	"output_messages", "question", "reference_answer",
}

func caseVariables(c *rubric.Case, sub Submission) map[string]string {
	return map[string]string{
		"candidate_answer":  strings.TrimSpace(sub.Answer),
		"expected_messages": indentJSON(orEmpty(c.Expected)),
		"expected_outcome":  strings.TrimSpace(c.ExpectedOutcome),
		"input_messages":    indentJSON(orEmpty(c.Input)),
		"output_messages":   indentJSON(orEmpty(sub.Messages)),
		"question":          strings.TrimSpace(c.Question),
		"reference_answer":  strings.TrimSpace(c.ReferenceAnswer),
	}
}

// graderVariables are the variables of a grader's prompt; those of assertions
// have the newer dialects' names besides the older ones.
func graderVariables(c *rubric.Case, g *rubric.Grader, sub Submission) map[string]string {
	values := caseVariables(c, sub)
	if g.Assert == nil {
		return values
	}
	wanted := values["expected_outcome"]
	if own := expectedOutcome(c, g); own != "" {
		wanted = own
	}
	values["input"], values["output"] = values["question"], values["candidate_answer"]
	values["expected_output"], values["criteria"] = values["reference_answer"], values["expected_outcome"]
	values["rubric"], values["tool_calls"] = wanted, indentJSON(orEmpty(sub.toolCalls()))
	return values
}

var variablePattern = pattern.New(`\{\{\s*(\w+)\s*\}\}`)

// fillTemplate replaces each `{{ name }}` of template by its value. A name without a
// value stays as it is written and is returned, once each. Values are not
// searched for names.
func fillTemplate(template string, values map[string]string) (text string, unknown []string) {
	text = variablePattern().ReplaceAllStringFunc(template, func(match string) string {
		name := strings.Trim(match, "{} \t\r\n\f")
		value, known := values[name]
		if !known {
			unknown = append(unknown, name)
			return match
		}
		return value
	})
	slices.Sort(unknown)
	return text, slices.Compact(unknown)
}

// indentJSON is a value as JSON for people, indented by two, or null when it holds
// what JSON has not: an infinity or NaN.
func indentJSON(value any) string {
	text, err := encodeIndented(value)
	if err != nil {
		return "null"
	}
	return text
}

func encodeIndented(value any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(value)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// orEmpty makes an absent list an empty one, which JSON tells apart.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
