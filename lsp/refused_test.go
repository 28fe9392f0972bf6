package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestRefused checks the message for everything that cannot run.
func TestRefused(t *testing.T) {
	e := running(t, lsp.Host{}, everything, `{"judge":"gpt"}`)
	for _, c := range []struct{ name, more, want string }{
		{"rubric.runCase", `,"case":"windw"`, "there is no case `windw`; did you mean `window`?"},
		{"rubric.runCase", ``, "there is no case ``"},
		{"rubric.rejudge", `,"case":"window","criterion":"lable"`, "has no criterion `lable`; did you mean `label`?"},
		{"rubric.runFil", ``, "there is no command `rubric.runFil`; did you mean `rubric.runFile`?"},
		{"rubric.score", `,"case":"window","grades":[{"id":"x"}]`, "has no criterion `x`"},
		{"rubric.generateRubrics", `,"case":"window"`, "the case `window` already has criteria"},
	} {
		if raw, err := command(e, c.name, c.more); err == nil || !strings.Contains(err.Message, c.want) {
			t.Errorf("%s: %s, %v", c.name, raw, err)
		}
	}
	if end, _, _ := finish(t, e, begin(t, e, "rubric.runFile", "")); end.State != "failed" || !strings.Contains(end.Message, "the judge `gpt` is not available here") {
		t.Errorf("%+v", end)
	}
	e.Change(doc, 2, lsptest.TextChange(2, 4, 20, "expected_outcme")) // now the first case has an error
	if _, err := command(e, "rubric.runFile", ""); err != nil {
		t.Errorf("the other case can be run: %v", err)
	}
	if _, err := e.AwaitResponse(e.StartRequest("workspace/executeCommand", `{"command":"rubric.runFile"}`)); err == nil || err.Code != -32602 {
		t.Errorf("%v", err)
	}
}

// counting is a host that counts its calls and does nothing.
func counting(asked *atomic.Int32) lsp.Host {
	no := errors.New("no")
	return lsp.Host{
		OpenJudge:  func(context.Context, string, string) (judge.Judge, func(), error) { asked.Add(1); return nil, nil, no },
		OpenTarget: func(context.Context, string, string) (run.Target, error) { asked.Add(1); return nil, no },
		Exec:       func(string) grade.Exec { asked.Add(1); return nil },
		Sandbox:    func(string) (grade.Exec, func()) { asked.Add(1); return nil, func() {} },
		LoadFiles:  func(string, *rubric.Suite) []string { asked.Add(1); return nil },
	}
}

// TestNotTrusted checks that nothing starts or connects in an untrusted workspace, whatever the
// client sends, and that the rest works.
func TestNotTrusted(t *testing.T) {
	var touched atomic.Int32
	host := counting(&touched)
	const settings = `{"judge":"cli:judge","target":"cli:target","allowExec":true}`
	script := func(e *lsptest.Editor) (refused int) {
		for _, name := range []string{"rubric.runFile", "rubric.runCase", "rubric.rejudge"} {
			raw, err := command(e, name, `,"case":"window"`)
			if err != nil && err.Message == "nothing is run: this workspace is not trusted" {
				refused++
				continue
			}
			var answer struct{ Job string }
			if json.Unmarshal(raw, &answer) == nil {
				finish(t, e, answer.Job)
			}
		}
		return refused
	}
	e := running(t, host, everything, settings, `"initializationOptions":{"trusted":false}`)
	if refused := script(e); refused != 3 {
		t.Errorf("%d of 3 are refused", refused)
	}
	if _, err := command(e, "rubric.dryRun", ""); err != nil {
		t.Error(err)
	}
	if _, err := command(e, "rubric.score", `,"case":"window","grades":[]`); err != nil {
		t.Error(err)
	}
	e.Change(doc, 2, lsptest.FullChange("evalcases:\n  - id: window\n    expected_outcome: Names thirty days\n    input: x\n"))
	e.Handle("workspace/applyEdit", func(json.RawMessage) any { return `{"applied":true}` })
	begin(t, e, "rubric.generateRubrics", `,"case":"window"`)
	e.Await("a draft", func(m lsptest.Message) bool { return m.Method == "workspace/applyEdit" })
	if touched.Load() != 0 {
		t.Errorf("the host was asked %d times", touched.Load())
	}
	trusted := running(t, host, everything, settings)
	if refused := script(trusted); refused != 0 || touched.Load() == 0 {
		t.Errorf("trusted: %d refused, the host was asked %d times", refused, touched.Load())
	}
}

// TestDryRun checks that a plan asks no target and no judge.
func TestDryRun(t *testing.T) {
	e := running(t, lsp.Host{}, everything, `{"judge":"gpt","samples":2}`)
	raw, err := command(e, "rubric.dryRun", "")
	if err != nil {
		t.Fatal(err)
	}
	holds(t, "the plan", string(raw), `"judge":"gpt"`, `"questions":4`, `"case":"window"`, `"criteria":2`, `"errors":[]`)
	shown := e.Await("the plan in a line", func(m lsptest.Message) bool { return m.Method == "window/showMessage" })
	holds(t, "the line", string(shown.Params), "2 cases would be answered by `self` and judged by `gpt`: 4 questions")
}
