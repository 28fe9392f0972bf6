package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func limited(kind rubric.Kind) adapter {
	return func(t *testing.T, c testCase) error {
		in := decode[config](t, c.Input)
		settings := in
		if nested, ok := in["config"].(map[string]any); ok {
			settings = nested
		}
		g := &rubric.Grader{Name: "limit", Kind: kind, Weight: 1, Limits: settings.limits(kind)}
		out := grade.Grade(t.Context(), grade.Ports{Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{Trace: in.trace()})
		var d differences
		d.result(decode[map[string]any](t, c.Expected), out.Result, 1e-6)
		return d.err()
	}
}

// shell runs a program for real: the cases are shell lines.
func shell(ctx context.Context, cmd grade.Command) (grade.Output, error) {
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, cmd.Argv[0], cmd.Argv[1:]...)
	c.Stdin, c.Stdout, c.Stderr, c.Dir = bytes.NewReader(cmd.Stdin), &stdout, &stderr, cmd.Dir
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return grade.Output{}, err
	}
	return grade.Output{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Code: c.ProcessState.ExitCode()}, nil
}

func codeJudge(t *testing.T, c testCase) error {
	in := decode[struct{ Shell string }](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	var d differences
	if keys, ok := want["keys"]; ok {
		var seen []string
		spy := func(_ context.Context, cmd grade.Command) (grade.Output, error) {
			seen = topLevelKeys(cmd.Stdin)
			return grade.Output{Stdout: []byte(`{"score":1}`)}, nil
		}
		g := &rubric.Grader{Name: "code", Kind: rubric.CodeJudge, Code: &rubric.Code{Argv: []string{"judge"}}}
		grade.Grade(t.Context(), grade.Ports{Exec: spy, Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{})
		d.check(want, "keys", seen, 0)
		if keys == nil {
			d = append(d, "no keys")
		}
		return d.err()
	}
	g := &rubric.Grader{Name: "code", Kind: rubric.CodeJudge, Weight: 1, Code: &rubric.Code{Argv: []string{"sh", "-c", in.Shell}}}
	out := grade.Grade(t.Context(), grade.Ports{Exec: shell, Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{Answer: "ans"})
	d.result(want, out.Result, 1e-6)
	d.check(want, "has_details", out.Result.Details != nil, 0)
	return d.err()
}

func topLevelKeys(object []byte) []string {
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.Token()
	var keys []string
	for dec.More() {
		key, _ := dec.Token()
		keys = append(keys, fmt.Sprint(key))
		var skip json.RawMessage
		if dec.Decode(&skip) != nil {
			break
		}
	}
	return keys
}

func fieldAccuracy(t *testing.T, c testCase) error {
	in := decode[struct {
		Candidate json.RawMessage `json:"candidate"`
		Config    config          `json:"config"`
		Expected  any             `json:"expected_content"`
	}](t, c.Input)
	var answer string
	if json.Unmarshal(in.Candidate, &answer) != nil {
		answer = string(in.Candidate)
	}
	in.Config["type"] = string(rubric.FieldAccuracy)
	kase := &rubric.Case{}
	if in.Expected != nil {
		kase.Expected = []rubric.Message{{Role: "assistant", Content: in.Expected}}
	}
	out := grade.Grade(t.Context(), grade.Ports{Profile: score.AgentV}, kase, in.Config.grader(t), grade.Submission{Answer: answer})
	var d differences
	d.result(decode[map[string]any](t, c.Expected), out.Result, 1e-6)
	return d.err()
}

func toolTrajectory(t *testing.T, c testCase) error {
	in := decode[struct {
		Calls  []config `json:"calls"`
		Config config   `json:"config"`
	}](t, c.Input)
	var sub grade.Submission
	for _, call := range in.Calls {
		sub.ToolCalls = append(sub.ToolCalls, grade.ToolCall{
			Tool: call.text("tool", "name"), Input: call.get("input", "args"), DurationMS: call.number("durationMs", "duration_ms"),
		})
	}
	in.Config["type"] = string(rubric.ToolTrajectory)
	out := grade.Grade(t.Context(), grade.Ports{Profile: score.AgentV}, &rubric.Case{}, in.Config.grader(t), sub)
	var d differences
	d.result(decode[map[string]any](t, c.Expected), out.Result, 1e-6)
	return d.err()
}
