//go:build unix

package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
)

func TestCommandTarget(t *testing.T) {
	hostile := "it's; rm -rf $HOME `id` \"x\"\nnext line"
	req := host.Request{Prompt: hostile, Guidelines: "be kind", EvalID: "case-1", Attempt: 2, Files: []string{"a b.txt", "c.txt"}}
	tests := []struct {
		name, answer, failed string
		target               host.CommandTarget
	}{
		{"prompt is one word", hostile, "", host.CommandTarget{Template: "printf %s {PROMPT}"}},
		{"every placeholder", "be kind|case-1|2|a b.txt|c.txt", "", host.CommandTarget{Template: "printf '%s|%s|%s|%s|%s' {GUIDELINES} {EVAL_ID} {ATTEMPT} {FILES}"}},
		{"files in a format", "-f a b.txt -f c.txt", "", host.CommandTarget{Template: "echo {FILES}", FilesFormat: "-f {path}"}},
		{"output file", "from the file", "", host.CommandTarget{Template: "echo noise; echo 'from the file' > {OUTPUT_FILE}"}},
		{"output file never written", "", "did not write its OUTPUT_FILE", host.CommandTarget{Template: "true {OUTPUT_FILE}"}},
		{"unknown placeholder", "", "unknown placeholder `{FOO}`", host.CommandTarget{Template: "echo {FOO}"}},
		{"fails", "", "exited with status 7: no model today", host.CommandTarget{Template: "echo no model today >&2; exit 7"}},
		{"hangs", "", "timed out after 200ms", host.CommandTarget{Template: "sleep 60", Timeout: 200 * time.Millisecond}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.target.Answer(t.Context(), req)
			if got != tt.answer {
				t.Errorf("got %q, want %q", got, tt.answer)
			}
			if (err != nil) != (tt.failed != "") || err != nil && !strings.Contains(err.Error(), tt.failed) {
				t.Errorf("got error %v, want %q", err, tt.failed)
			}
		})
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "rubric-answer-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
