package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// openGenerousJudge opens a judge that satisfies every criterion, with 6 of 10 for a score.
func openGenerousJudge(context.Context, string, string) (run.OpenedJudge, error) {
	return run.OpenedJudge{Judge: judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
		var checks []string
		for _, i := range q.Brief.Items {
			grade := `"satisfied":true`
			if i.Ranged {
				grade = `"score":6`
			}
			checks = append(checks, fmt.Sprintf(`{"id":%q,%s,"reasoning":"r"}`, i.ID, grade))
		}
		return judge.Answer{Text: `{"checks":[` + strings.Join(checks, ",") + `],"overall_reasoning":""}`}, nil
	})}, nil
}

// TestRejudgeByAnother checks that grades of one criterion by another judge do not mix with the
// stored ones.
func TestRejudgeByAnother(t *testing.T) {
	e := startRunnable(t, lsp.Host{Host: run.Host{OpenJudge: openGenerousJudge}}, allCapabilities, "")
	awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"generous"}}}`)
	_, states, _ := awaitJob(t, e, startJob(t, e, "rubric.rejudge", `,"case":"window","criterion":"label"`))
	if len(states) != 3 || states["window/rubric/days"] != "pass" || states["window"] != "pass" {
		t.Errorf("%v", states)
	}
	checkContains(t, "the lens", lenses(e), "1 pass, score 1 \n", "10 pass, score 1 (stale)")
	_, states, _ = awaitJob(t, e, startJob(t, e, "rubric.rejudge", `,"case":"window","criterion":"label"`))
	if len(states) != 2 {
		t.Errorf("with one judge that criterion alone is judged: %v", states)
	}
}

// TestScored checks that a scored criterion has the verdict of its score, as a gate or not, and
// none without a grade.
func TestScored(t *testing.T) {
	for _, tt := range []struct{ name, grade, gated, free, whole string }{
		{"nothing", `"score":0`, "fail", "fail", "fail"},
		{"little", `"score":5`, "fail", "fail", "fail"},
		{"borderline", `"score":7`, "borderline", "borderline", "borderline"},
		{"enough", `"score":8`, "pass", "pass", "pass"},
		{"all", `"score":10`, "pass", "pass", "pass"},
		{"no grade", `"score":"?"`, "ungraded", "ungraded", "ungraded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			judged := func(context.Context, string, string) (run.OpenedJudge, error) {
				return run.OpenedJudge{Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
					return judge.Answer{Text: `{"checks":[{"id":"gated",` + tt.grade + `,"reasoning":"r"},{"id":"free",` + tt.grade + `,"reasoning":"r"}],"overall_reasoning":""}`}, nil
				})}, nil
			}
			e := startRunnable(t, lsp.Host{Host: run.Host{OpenJudge: judged}}, allCapabilities, `{"judge":"scoring"}`)
			e.Change(doc, 2, lsptest.FullChange(`evalcases:
  - id: a
    expected_outcome: Sums it up
    input: Sum it up
    expected_output: So it is
    rubrics:
      - { id: gated, required_min_score: 7, score_ranges: { 0: Wrong, 5: Right } }
      - { id: free, score_ranges: { 0: Long, 5: Short } }
`))
			end, states, _ := awaitJob(t, e, startJob(t, e, "rubric.runCase", `,"case":"a"`))
			if end.State != "done" || states["a/rubric/gated"] != tt.gated || states["a/rubric/free"] != tt.free || states["a"] != tt.whole {
				t.Errorf("%+v, %v", end, states)
			}
		})
	}
}

// TestRunPanics checks that a panic in the host ends the run with a message.
func TestRunPanics(t *testing.T) {
	host := lsp.Host{Host: run.Host{OpenJudge: func(context.Context, string, string) (run.OpenedJudge, error) { panic("planted") }}}
	e := startRunnable(t, host, allCapabilities, `{"judge":"x"}`)
	if end, _, _ := awaitJob(t, e, startJob(t, e, "rubric.runFile", "")); end.State != "failed" || !strings.Contains(end.Message, "planted") {
		t.Errorf("%+v", end)
	}
	if status := e.Stop(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// TestStaleByFile checks that a result depends on the files that the case refers to, and on the
// targets if one of them answers.
func TestStaleByFile(t *testing.T) {
	asks := strings.Replace(gradedSuite, "input: Can I send it back?", "input: [{ role: user, content: [{ type: file, value: question.md }] }]", 1)
	runs := strings.Replace(gradedSuite, "    rubrics:\n      - id: days", "    evaluators: [{ name: program, type: code_judge, script: [sh, grade.sh] }]\n    rubrics:\n      - id: days", 1)
	host := lsp.Host{Host: run.Host{OpenTarget: func(context.Context, string, string) (run.OpenedTarget, error) {
		return run.OpenedTarget{Target: run.SelfTarget}, nil
	}}}
	for _, c := range []struct {
		name, body, settings, file string
		both                       bool // cases become stale
	}{
		{"a message", asks, "{}", "question.md", false},
		{"a program", runs, "{}", "grade.sh", false},
		{"the targets", gradedSuite, `{"target":"ours"}`, "targets.yaml", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := newFolder(map[string]string{"/evals/" + c.file: "targets: [{ name: ours }]"})
			server := newServer(folder)
			server.Host = host
			e := lsptest.Start(t, server)
			e.Initialize(allCapabilities)
			e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+c.settings+`}}`)
			e.Open(doc, c.body)
			awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
			if got := lenses(e); strings.Contains(got, "(stale)") {
				t.Fatalf("stale at once:\n%s", got)
			}
			folder.Write("/evals/"+c.file, "targets: [{ name: ours, provider: mock }]")
			e.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/`+c.file+`","type":2}]}`)
			got := ""
			for ; !strings.Contains(got, "(stale)"); got = lenses(e) {
				e.AwaitNext("lenses to be asked for anew", func(m lsptest.Message) bool { return m.Method == "workspace/codeLens/refresh" })
			}
			if n := strings.Count(got, "(stale)"); n != map[bool]int{false: 1, true: 2}[c.both] {
				t.Errorf("%d are stale:\n%s", n, got)
			}
		})
	}
}

// TestRefused checks the message for everything that cannot run.
func TestRefused(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, `{"judge":"gpt"}`)
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
	if end, _, _ := awaitJob(t, e, startJob(t, e, "rubric.runFile", "")); end.State != "failed" || !strings.Contains(end.Message, "judge: `gpt` is not available here") {
		t.Errorf("%+v", end)
	}
	e.Change(doc, 2, lsptest.TextChange(2, 4, 20, "expected_outcme")) // now the first case has an error
	if _, err := command(e, "rubric.runFile", ""); err != nil {
		t.Errorf("the other case can be run: %v", err)
	}
	if _, err := e.AwaitResponse(e.StartRequest("workspace/executeCommand", `{"command":"rubric.runFile"}`)); err == nil || !strings.Contains(err.Message, "needs a file as its argument") {
		t.Errorf("%v", err)
	}
}

// countingHost is a host that counts its calls and does nothing.
func countingHost(asked *atomic.Int32) lsp.Host {
	no := errors.New("no")
	return lsp.Host{
		Host: run.Host{
			OpenJudge: func(context.Context, string, string) (run.OpenedJudge, error) {
				asked.Add(1)
				return run.OpenedJudge{}, no
			},
			OpenTarget: func(context.Context, string, string) (run.OpenedTarget, error) {
				asked.Add(1)
				return run.OpenedTarget{}, no
			},
			Exec:    func(string) grade.Exec { asked.Add(1); return nil },
			Sandbox: func(string) (grade.Exec, func()) { asked.Add(1); return nil, func() {} },
		},
		LoadFiles: func(string, *rubric.Suite) []string { asked.Add(1); return nil },
	}
}

// TestNotTrusted checks that nothing starts or connects in an untrusted workspace, whatever the
// client sends, and that the rest works.
func TestNotTrusted(t *testing.T) {
	var touched atomic.Int32
	host := countingHost(&touched)
	const settings = `{"judge":"cli:judge","target":"cli:target","allowExec":true}`
	script := func(e *lsptest.Editor) (refused int) {
		for _, name := range []string{"rubric.runFile", "rubric.runCase", "rubric.rejudge"} {
			raw, err := command(e, name, `,"case":"window"`)
			if err != nil && err.Message == "nothing is run: this workspace is not trusted; trust the workspace in your editor first" {
				refused++
				continue
			}
			var answer struct{ Job string }
			if json.Unmarshal(raw, &answer) == nil {
				awaitJob(t, e, answer.Job)
			}
		}
		return refused
	}
	e := startRunnable(t, host, allCapabilities, settings, `"initializationOptions":{"trusted":false}`)
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
	startJob(t, e, "rubric.generateRubrics", `,"case":"window"`)
	e.Await("a draft", func(m lsptest.Message) bool { return m.Method == "workspace/applyEdit" })
	if touched.Load() != 0 {
		t.Errorf("the host was asked %d times", touched.Load())
	}
	trusted := startRunnable(t, host, allCapabilities, settings)
	if refused := script(trusted); refused != 0 || touched.Load() == 0 {
		t.Errorf("trusted: %d refused, the host was asked %d times", refused, touched.Load())
	}
}

// TestDryRun checks that a plan asks no target and no judge.
func TestDryRun(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, `{"judge":"gpt","samples":2}`)
	raw, err := command(e, "rubric.dryRun", "")
	if err != nil {
		t.Fatal(err)
	}
	checkContains(t, "the plan", string(raw), `"judge":"gpt"`, `"questions":4`, `"case":"window"`, `"criteria":2`, `"errors":[]`)
	shown := e.Await("the plan in a line", func(m lsptest.Message) bool { return m.Method == "window/showMessage" })
	checkContains(t, "the line", string(shown.Params), "2 cases would be answered by `self (expected output)` and judged by `gpt`: 4 questions")
}

// TestJudges checks the list of available judges before a run. Where nothing may run, it is only
// the offline judge.
func TestJudges(t *testing.T) {
	server := newServer(nil)
	server.Host.ListJudges = func() []string { return []string{"openai:MODEL"} }
	for options, want := range map[string]string{
		`"initializationOptions":{}`:                `{"judges":["offline","openai:MODEL"]}`,
		`"initializationOptions":{"trusted":false}`: `{"judges":["offline"]}`,
	} {
		e := lsptest.Start(t, server)
		e.Initialize(`{}`, options)
		if got := string(e.Request("rubric/judges", `{}`)); got != want {
			t.Errorf("%s: %s, want %s", options, got, want)
		}
	}
}

// TestRejudgeOwnTarget checks that judging again asks no target, also not that of a case that names
// its own.
func TestRejudgeOwnTarget(t *testing.T) {
	var asked atomic.Int32
	open := func(_ context.Context, _, name string) (run.OpenedTarget, error) {
		return run.OpenedTarget{Name: name, Target: func(context.Context, *rubric.Case) (grade.Submission, error) {
			asked.Add(1)
			return grade.Submission{Answer: "So it is"}, nil
		}}, nil
	}
	e := startRunnable(t, lsp.Host{Host: run.Host{OpenTarget: open, OpenJudge: openGenerousJudge}}, allCapabilities, `{"judge":"generous"}`)
	e.Change(doc, 2, lsptest.FullChange(`evalcases:
  - { id: a, expected_outcome: Sums it up, input: Sum it up, expected_output: So it is, rubrics: [X] }
  - { id: b, expected_outcome: Sums it up, input: Sum it up, rubrics: [X], execution: { target: other } }
`))
	_, states, _ := awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	if asked.Load() != 1 || states["a"] != "pass" || states["b"] != "pass" {
		t.Fatalf("%d asked, %v", asked.Load(), states)
	}
	_, states, _ = awaitJob(t, e, startJob(t, e, "rubric.rejudge", ""))
	if asked.Load() != 1 || states["a"] != "pass" || states["b"] != "pass" {
		t.Errorf("judged again: %d asked, %v", asked.Load(), states)
	}
}
