//go:build unix

package host_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/rubric"
)

// TestAskReadsAnswers as the reference implementation's commands give them.
func TestAskReadsAnswers(t *testing.T) {
	for _, c := range []struct {
		name, output, answer string
		messages             int
	}{
		{"a text", "It is so.", "It is so.", 0},
		{"nothing", "", "", 0},
		{"JSON of its own", `{"total": 5, "Text": "x"}`, `{"total": 5, "Text": "x"}`, 0},
		{"a list", `["text"]`, `["text"]`, 0},
		{"a text in JSON", `{"text": "It is so."}`, "It is so.", 0},
		{"a text that is none", `{"text": {"a": "<b>"}}`, `{"a":"<b>"}`, 0},
		{"messages", `{"text": "no", "output_messages": [{"role": "assistant", "content": "First."}, {"role": "assistant", "tool_calls": [{"tool": "find"}]}, {"role": "assistant", "content": "Last."}, {"role": "tool", "content": "x"}]}`, "Last.", 4},
		{"a message of data", `{"output_messages": [{"role": "assistant", "content": {"a": "x & y"}}]}`, `{"a":"x & y"}`, 1},
		{"calls only", `{"output_messages": [{"role": "assistant", "tool_calls": [{"tool": "find"}]}]}`, "", 1},
		{"no messages", `{"output_messages": [], "text": "It is so."}`, "It is so.", 0},
		{"messages that are none", `{"output_messages": "x"}`, `{"output_messages": "x"}`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "said")
			put(t, path, c.output)
			files := []string{"/a.txt"}
			sub, err := host.CommandRunTarget(host.CommandTarget{Template: "cat " + path})(t.Context(), &rubric.Case{Files: files})
			if err != nil || sub.Answer != c.answer || len(sub.Messages) != c.messages || !slices.Equal(sub.InputFiles, files) {
				t.Errorf("got %+v, %v", sub, err)
			}
		})
	}
}
