//go:build unix

package targets_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
)

func TestCommandTarget(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	hostile := "it's; rm -rf $HOME `id` \"x\"\nnext line"
	req := targets.Request{Prompt: hostile, Guidelines: "be kind", EvalID: "case-1", Files: []string{"a b.txt", "c.txt"}}
	tests := []struct {
		name, answer, failed string
		target               targets.CommandTarget
	}{
		{"prompt is one word", hostile, "", targets.CommandTarget{Template: "printf %s {PROMPT}"}},
		{"every placeholder", "be kind|case-1|0|a b.txt|c.txt", "", targets.CommandTarget{Template: "printf '%s|%s|%s|%s|%s' {GUIDELINES} {EVAL_ID} {ATTEMPT} {FILES}"}},
		{"files in a format", "-f a b.txt -f c.txt", "", targets.CommandTarget{Template: "echo {FILES}", FilesFormat: "-f {path}"}},
		{"files by their names", "b a b.txt c.txt", "", targets.CommandTarget{Template: "echo b {FILES}", FilesFormat: "{basename}"}},
		{"output file", "from the file", "", targets.CommandTarget{Template: "echo noise; echo 'from the file' > {OUTPUT_FILE}"}},
		{"output file never written", "", "`true` did not write its OUTPUT_FILE", targets.CommandTarget{Template: "true {OUTPUT_FILE}"}},
		{"output file without end", "", "`head` wrote more than 8 MiB to its OUTPUT_FILE", targets.CommandTarget{Template: "head -c 9000000 /dev/zero > {OUTPUT_FILE}"}},
		{"unknown placeholder", "", "unknown placeholder `{FOO}`", targets.CommandTarget{Template: "echo {FOO}"}},
		{"fails", "", "`echo` exited with status 7: no model today", targets.CommandTarget{Template: "echo no model today >&2; exit 7"}},
		{"hangs", "", "`sh`: timed out after 200ms", targets.CommandTarget{Template: "KEY=secret sh -c 'sleep 60'", Timeout: 200 * time.Millisecond}},
		{"is not there", "", "`no-such-agent` could not be reached: ", targets.CommandTarget{Template: "no-such-agent {PROMPT}"}},
		{"has no folder", "", "`true` could not be reached: the folder `/no/such/place` was not found", targets.CommandTarget{Template: "true", Dir: "/no/such/place"}},
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
			if errors.Is(err, judge.ErrUnreachable) != strings.Contains(tt.failed, "could not be reached") {
				t.Errorf("whether it can be reached: %v", err)
			}
		})
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestCommandTargetShowsNoKey: no process has a key among its arguments. A line with a key goes
// through the environment, means the same and leaves nothing behind.
func TestCommandTargetShowsNoKey(t *testing.T) {
	const key = "kf-1234567890"
	for _, c := range []struct {
		keys  []string
		shown string
	}{{[]string{key}, "0"}, {nil, "1"}} {
		target := targets.CommandTarget{Keys: c.keys, Template: "exec 2>/dev/null; AGENT_KEY=" + key + ` sh -c 'echo "${#AGENT_KEY} $0"' {PROMPT}; ` +
			`(cat /proc/$$/cmdline || ps -o args= -p $$) | tr -d '\0' | grep -c kf-1234; env | grep -c RUBRIC_LINE; true`}
		prompt := "it's $HOME \"x\" `id`"
		answer, err := target.Answer(t.Context(), targets.Request{Prompt: prompt})
		if want := "13 " + prompt + "\n" + c.shown + "\n0"; answer != want || err != nil {
			t.Errorf("keys %q: %q, %v; want %q", c.keys, answer, err, want)
		}
	}
}

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
		{"a message of blocks", `{"output": [{"role": "assistant", "content": [{"type": "text", "text": "One."}, {"type": "image", "source": "a.png"}, {"type": "text", "text": "Two."}]}]}`, "One.\nTwo.", 1},
		{"a message of other blocks", `{"output": [{"role": "assistant", "content": [{"type": "text", "text": 5}]}]}`, `[{"text":5,"type":"text"}]`, 1},
		{"an empty message", `{"output": [{"role": "assistant", "content": []}]}`, "", 1},
		{"calls only", `{"output_messages": [{"role": "assistant", "tool_calls": [{"tool": "find"}]}]}`, "", 1},
		{"no messages", `{"output_messages": [], "text": "It is so."}`, "It is so.", 0},
		{"messages that are none", `{"output_messages": "x"}`, `{"output_messages": "x"}`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "said")
			hosttest.Put(t, path, c.output)
			sub, err := targets.CommandRunTarget(targets.CommandTarget{Template: "cat " + path})(t.Context(), &rubric.Case{})
			if err != nil || sub.Answer != c.answer || len(sub.Messages) != c.messages {
				t.Errorf("got %+v, %v", sub, err)
			}
		})
	}
}
