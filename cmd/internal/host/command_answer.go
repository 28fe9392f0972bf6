package host

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// parseSubmission is what a command said: a text, or the reference implementation's
// JSON object with `output_messages`, of which the assistant's last is the
// answer, or with a `text`. Any other JSON is a text like every other.
// What is no UTF-8 would be another text to a judge who is asked about it than in results.
func parseSubmission(output string) grade.Submission {
	output = strings.ToValidUTF8(output, "\uFFFD")
	var object map[string]json.RawMessage // a struct would take `Text` for `text`
	if json.Unmarshal([]byte(output), &object) != nil {
		return grade.Submission{Answer: output}
	}
	var messages []rubric.Message
	if json.Unmarshal(object["output_messages"], &messages) == nil && len(messages) > 0 {
		return grade.Submission{Answer: lastAssistantText(messages), Messages: messages}
	}
	if text, ok := object["text"]; ok {
		var value any
		if json.Unmarshal(text, &value) == nil {
			return grade.Submission{Answer: valueText(value)}
		}
	}
	return grade.Submission{Answer: output}
}

// lastAssistantText is what the assistant said last; a message may hold calls only.
func lastAssistantText(messages []rubric.Message) string {
	last := ""
	for _, m := range messages {
		if m.Role == "assistant" && m.Content != nil {
			last = valueText(m.Content)
		}
	}
	return last
}

// valueText is a text as it is, and anything else as JSON.
func valueText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return ""
	}
	return string(bytes.TrimSpace(out.Bytes()))
}
