package grade_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var errNotThere = errors.New("not there")

// answering is an Exec whose every program leaves out behind.
func answering(out grade.Output) grade.Exec {
	return func(context.Context, grade.Command) (grade.Output, error) { return out, nil }
}

// listening is an Exec that keeps what a program reads.
func listening(stdin *[]byte) grade.Exec {
	return func(_ context.Context, cmd grade.Command) (grade.Output, error) {
		*stdin = cmd.Stdin
		return grade.Output{Stdout: []byte("true")}, nil
	}
}

func code(kind string, value any, threshold *float64) *rubric.Grader {
	g := assertion(kind, value, "")
	g.Kind, g.Threshold = rubric.External, threshold
	return g
}

func TestCode(t *testing.T) {
	least := code("python", "x", nil)
	least.Assert.Config = map[string]any{"threshold": 0.5}
	for _, c := range []struct {
		name    string
		g       *rubric.Grader
		stdout  string
		score   float64
		verdict score.Verdict
		open    string // why it is ungraded by the rules
	}{
		{"yes", code("javascript", "x", nil), "true", 1, score.Pass, ""},
		{"no", code("python", "x", nil), "false\n", 0, score.Fail, ""},
		{"nothing", code("python", "x", nil), "0", 0, score.Fail, ""},
		{"nothing is enough", code("python", "x", at(0)), "0", 0, score.Pass, ""},
		{"a little", code("python", "x", nil), "0.1", 0.1, score.Pass, ""},
		{"too little", least, "0.4", 0.4, score.Fail, ""},
		{"an object", code("python", "x", nil), `{"score":0.1,"reason":"r"}`, 0.1, score.Pass, ""},
		{"an object with a verdict", code("python", "x", nil), `{"score":0.9,"pass":false}`, 0.9, score.Fail, ""},
		{"a word", code("python", "x", nil), `"yes"`, 0, score.Fail, "the code returned `\"yes\"`, not a boolean, a number or an object"},
		{"no JSON", code("python", "x", nil), "undefined", 0, score.Fail, "the code's result is not JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			exec := answering(grade.Output{Stdout: []byte(c.stdout)})
			head := grade.Grade(t.Context(), grade.Ports{Exec: exec, Profile: score.AgentVHead}, &rubric.Case{}, c.g, grade.Submission{}).Result
			if number(head) != c.score || head.Verdict != c.verdict || head.Ungraded != "" {
				t.Errorf("head: %+v", head)
			}
			spec := grade.Grade(t.Context(), grade.Ports{Exec: exec}, &rubric.Case{}, c.g, grade.Submission{}).Result
			want := c.verdict
			if c.open != "" {
				want = score.Ungraded
			}
			if number(spec) != c.score || spec.Verdict != want || spec.Ungraded != c.open {
				t.Errorf("spec: %+v", spec)
			}
		})
	}
}

func TestCodeThatCannotRun(t *testing.T) {
	odd := &rubric.Case{Input: []rubric.Message{{Role: "user", Content: func() {}}}}
	for _, c := range []struct {
		name string
		c    *rubric.Case
		g    *rubric.Grader
		exec grade.Exec
		says string
	}{
		{"not allowed", &rubric.Case{}, code("python", "x", nil), nil, "programs run only with `rubric run FILE --allow-exec`"},
		{"no code", &rubric.Case{}, code("python", nil, nil), nil, "its `value` is missing; it must be a text"},
		{"no interpreter", &rubric.Case{}, code("webhook", "x", nil), nil, "`webhook` needs a plugin, a service or a trace that is not available here"},
		{"no assertion", &rubric.Case{}, &rubric.Grader{Name: "own", Kind: rubric.External}, nil, "`own` needs a plugin, a service or a trace that is not available here"},
		{"not there", &rubric.Case{}, code("python", "x", nil), program("", 0, errNotThere), "run `python3`: not there"},
		{"nothing to tell", odd, code("python", "x", nil), program("1", 0, nil), "the program's input cannot be encoded as JSON: json: unsupported type: func()"},
	} {
		if r := grade.Grade(t.Context(), grade.Ports{Exec: c.exec}, c.c, c.g, grade.Submission{}).Result; r.Ungraded != c.says {
			t.Errorf("%s: %q, want %q", c.name, r.Ungraded, c.says)
		}
	}
}

func TestInterpreterInput(t *testing.T) {
	var stdin []byte
	c := &rubric.Case{ExpectedOutcome: "be kind"}
	grade.Grade(t.Context(), grade.Ports{Exec: listening(&stdin)}, c, code("python", "len(output)", nil), grade.Submission{Answer: "A"})
	var input struct {
		Code, Output string
		Context      map[string]any
	}
	if err := json.Unmarshal(stdin, &input); err != nil || input.Code != "len(output)" || input.Output != "A" || input.Context["criteria"] != "be kind" {
		t.Errorf("%v: %s", err, stdin)
	}
}
