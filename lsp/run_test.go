package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// gradedSuite is an eval file with two cases. The reference answer of the first satisfies its first
// criterion and not its second.
const gradedSuite = `evalcases:
  - id: window
    expected_outcome: Names the refund window
    input: Can I send it back?
    expected_output: The refund window is 30 days.
    rubrics:
      - id: days
        expected_outcome: Mentions 30 days
      - id: label
        expected_outcome: Mentions “prepaid label”
  - id: greeting
    expected_outcome: Greets the customer
    input: Hello
    expected_output: Good morning!
    rubrics:
      - id: greets
        expected_outcome: Mentions “Good morning”
`

// allCapabilities are the capabilities of a client that shows results in every way.
const allCapabilities = `{"window":{"workDoneProgress":true},"workspace":{"applyEdit":true,"codeLens":{"refreshSupport":true},"inlayHint":{"refreshSupport":true},` +
	`"workspaceEdit":{"documentChanges":true,"changeAnnotationSupport":{}}},"experimental":{"rubric":{"ask":true}}}`

// notification is a rubric/results notification.
type notification struct {
	Job, URI, State, Message string
	Done, Total              int
	Results                  []struct {
		ID, State, Message string
		Score              *float64
	}
}

// TestResultsEvery runs cases for a client that wants results once an hour: it gets them together, at the end, and no
// progress besides.
func TestResultsEvery(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, `{"window":{"workDoneProgress":true},"experimental":{"rubric":{"resultsEvery":3600000}}}`, "")
	job := startJob(t, e, "rubric.runFile", "")
	awaitJob(t, e, job)
	withResults := 0
	for _, m := range e.Messages() {
		var n notification
		if m.Method == "rubric/results" && json.Unmarshal(m.Params, &n) == nil && len(n.Results) > 0 {
			withResults++
		}
		if m.Method == "window/workDoneProgress/create" {
			t.Error("a progress is created")
		}
	}
	if withResults != 1 {
		t.Errorf("the results came in %d notifications", withResults)
	}
}

// startRunnable starts a session with a host and an open document that can run.
func startRunnable(t *testing.T, host lsp.Host, capabilities, settings string, more ...string) *lsptest.Editor {
	t.Helper()
	server := newServer(nil)
	server.Host = host
	e := lsptest.Start(t, server)
	e.Initialize(capabilities, more...)
	if settings != "" {
		e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+settings+`}}`)
	}
	e.Open(doc, gradedSuite)
	return e
}

// command executes a command. More are further members of its argument.
func command(e *lsptest.Editor, name, more string) (json.RawMessage, *lsptest.Error) {
	return commandIn(e, doc, name, more)
}

// commandIn is command for another document.
func commandIn(e *lsptest.Editor, uri, name, more string) (json.RawMessage, *lsptest.Error) {
	return e.AwaitResponse(e.StartRequest("workspace/executeCommand", `{"command":"`+name+`","arguments":[{"uri":"`+uri+`"`+more+`}]}`))
}

// startJob executes a command that starts a job, and returns its id.
func startJob(t *testing.T, e *lsptest.Editor, name, more string) string {
	t.Helper()
	return startJobIn(t, e, doc, name, more)
}

func startJobIn(t *testing.T, e *lsptest.Editor, uri, name, more string) string {
	t.Helper()
	raw, err := commandIn(e, uri, name, more)
	var answer struct{ Job string }
	if err != nil || json.Unmarshal(raw, &answer) != nil || answer.Job == "" {
		t.Fatalf("%s gives %s, %v", name, raw, err)
	}
	return answer.Job
}

// awaitJob waits for a job's end. It returns the last state of each item, and all states in order.
func awaitJob(t *testing.T, e *lsptest.Editor, job string) (end notification, states map[string]string, order []string) {
	t.Helper()
	return awaitJobIn(t, e, doc, job)
}

func awaitJobIn(t *testing.T, e *lsptest.Editor, uri, job string) (end notification, states map[string]string, order []string) {
	t.Helper()
	states = map[string]string{}
	e.AwaitNext("the end of "+job, func(m lsptest.Message) bool {
		if m.Method != "rubric/results" {
			return false
		}
		end = notification{}
		if err := json.Unmarshal(m.Params, &end); err != nil {
			t.Fatalf("%s: %v", m.Params, err)
		}
		if end.Job != job {
			return false
		}
		for _, r := range end.Results {
			name := strings.TrimPrefix(r.ID, uri+"#")
			states[name] = r.State
			order = append(order, name+" "+r.State)
		}
		return end.State != "running"
	})
	return end, states, order
}

func lenses(e *lsptest.Editor) string { return lensesIn(e, doc) }

func lensesIn(e *lsptest.Editor, uri string) string {
	var all []struct {
		Range   lsptest.Range
		Command struct{ Title, Command string }
	}
	e.RequestInto(&all, "textDocument/codeLens", `{"textDocument":{"uri":"`+uri+`"}}`)
	var lines []string
	for _, l := range all {
		lines = append(lines, fmt.Sprintf("%d %s %s", l.Range.Start.Line, l.Command.Title, l.Command.Command))
	}
	return strings.Join(lines, "\n")
}

func checkContains(t *testing.T, what, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%s has no %q:\n%s", what, w, got)
		}
	}
}

const hintsOfAll = `{"textDocument":{"uri":"` + doc + `"},"range":{"start":{"line":0,"character":0},"end":{"line":40,"character":0}}}`

func hoverOn(e *lsptest.Editor, line, character int) string {
	return string(e.Request("textDocument/hover", at(line, character)))
}

// TestRun checks that a case runs, each criterion is reported, and the result is shown in four
// places.
func TestRun(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, "")
	job := startJob(t, e, "rubric.runCase", `,"case":"window"`)
	end, states, order := awaitJob(t, e, job)
	if end.State != "done" || end.Done != 1 || end.Total != 1 {
		t.Errorf("%+v", end)
	}
	// The start of a case is not reported if it ends soon.
	if got := strings.TrimPrefix(strings.Join(order, ", "), "window started, "); got != "window/rubric/days pass, window/rubric/label fail, window fail" {
		t.Error(got)
	}
	if len(states) != 3 {
		t.Errorf("%v", states)
	}
	checkContains(t, "the lens", lenses(e), "1 fail, score 0.5", "0 0 of 1 passed", "1 Run case rubric.runCase", "10 Run case")
	near := string(e.Request("rubric/codeLens", `{"textDocument":{"uri":"`+doc+`"},"range":{"start":{"line":1,"character":0},"end":{"line":5,"character":0}}}`))
	if checkContains(t, "the lenses in a range", near, "fail, score 0.5"); strings.Contains(near, "Run file") || strings.Contains(near, "greeting") {
		t.Errorf("lenses outside a range: %s", near)
	}
	checkContains(t, "the hints", string(e.Request("textDocument/inlayHint", hintsOfAll)), `"label":"satisfied"`, `"label":"not satisfied"`)
	checkContains(t, "the hover", hoverOn(e, 8, 13), "last run", "literal check", "what would flip it")
	found := e.AwaitNext("a failed gate", func(m lsptest.Message) bool {
		return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "failed-gate")
	})
	checkContains(t, "the diagnostic", string(found.Params), `"severity":3`, `"line":8`)
	for _, method := range []string{"workspace/codeLens/refresh", "workspace/inlayHint/refresh"} {
		e.Await(method, func(m lsptest.Message) bool { return m.Method == method })
	}
}

// TestNamesBeforeResults checks that a client asks again who answers and judges before anything has run, after a
// setting and after a file with targets has changed.
func TestNamesBeforeResults(t *testing.T) {
	folder := newFolder(map[string]string{"/evals/targets.yaml": "targets: [{ name: ours, provider: mock }]"})
	server := newServer(folder)
	e := lsptest.Start(t, server)
	e.Initialize(allCapabilities)
	e.Open(doc, gradedSuite)
	changed := func() {
		t.Helper()
		e.AwaitNext("to be asked anew", func(m lsptest.Message) bool { return m.Method == "workspace/codeLens/refresh" })
	}
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"target":"ours"}}}`)
	changed()
	folder.Write("/evals/targets.yaml", "targets: [{ name: other, provider: mock }]")
	e.Notify("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"file:///evals/targets.yaml","type":2}]}`)
	changed()
}

// openSilentJudge opens a judge that signals each question and never answers.
func openSilentJudge(asked chan<- bool) func(context.Context, string, string) (run.OpenedJudge, error) {
	return func(context.Context, string, string) (run.OpenedJudge, error) {
		return run.OpenedJudge{Judge: judge.Func(func(ctx context.Context, _ judge.Question) (judge.Answer, error) {
			asked <- true
			<-ctx.Done()
			return judge.Answer{}, ctx.Err()
		})}, nil
	}
}

// TestProgress checks that progress begins, reports and ends, and that it can be cancelled.
func TestProgress(t *testing.T) {
	asked := make(chan bool, 9)
	e := startRunnable(t, lsp.Host{Host: run.Host{OpenJudge: openSilentJudge(asked)}}, allCapabilities, `{"judge":"slow"}`)
	job := startJob(t, e, "rubric.runFile", "")
	<-asked
	<-asked // for both cases, in any order
	token := ""
	create := e.Await("room for progress", func(m lsptest.Message) bool { return m.Method == "window/workDoneProgress/create" })
	checkContains(t, "create", string(create.Params), job)
	e.Await("the beginning", func(m lsptest.Message) bool {
		token = string(m.Params)
		return m.Method == "$/progress" && strings.Contains(token, `"kind":"begin"`)
	})
	checkContains(t, "begin", token, `"cancellable":true`, `"title":"Run a.eval.yaml"`, job)
	e.Notify("window/workDoneProgress/cancel", `{"token":"`+job+`"}`)
	end, states, _ := awaitJob(t, e, job)
	if end.State != "cancelled" {
		t.Errorf("%+v", end)
	}
	if states["window"] != "cancelled" || states["window/rubric/days"] != "cancelled" {
		t.Errorf("%v", states)
	}
	e.Await("the end of progress", func(m lsptest.Message) bool {
		return m.Method == "$/progress" && strings.Contains(string(m.Params), `"kind":"end"`)
	})
}

// TestPulledGates checks that clients that pull diagnostics are asked to pull again and get the
// failed gates.
func TestPulledGates(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, `{"workspace":{"diagnostics":{"refreshSupport":true}},"textDocument":{"diagnostic":{}}}`, "")
	awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	e.Await("to be asked anew", func(m lsptest.Message) bool { return m.Method == "workspace/diagnostic/refresh" })
	checkContains(t, "the report", string(e.Request("textDocument/diagnostic", `{"textDocument":{"uri":"`+doc+`"}}`)), `"code":"failed-gate"`, `"severity":3`)
}

// TestRunOverSocket runs a case over a WebSocket.
func TestRunOverSocket(t *testing.T) {
	e := overSocket(t, newServer(nil))
	e.Initialize(allCapabilities, `"initializationOptions":{"trusted":true}`)
	e.Open(doc, gradedSuite)
	end, states, _ := awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	if end.State != "done" || states["greeting"] != "pass" {
		t.Errorf("%+v, %v", end, states)
	}
	checkContains(t, "the lens", lenses(e), "10 pass, score 1")
}

// TestUnknownIsNotFail checks that what could not be judged is shown as unknown everywhere.
func TestUnknownIsNotFail(t *testing.T) {
	host := lsp.Host{Host: run.Host{OpenJudge: func(context.Context, string, string) (run.OpenedJudge, error) {
		return run.OpenedJudge{Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			return judge.Answer{}, errors.New("out of order")
		})}, nil
	}}}
	e := startRunnable(t, host, allCapabilities, `{"judge":"broken"}`)
	end, states, _ := awaitJob(t, e, startJob(t, e, "rubric.runCase", `,"case":"window"`))
	if end.State != "done" || states["window"] != "ungraded" || states["window/rubric/days"] != "ungraded" {
		t.Errorf("%+v, %v", end, states)
	}
	checkContains(t, "the lens", lenses(e), "1 ungraded, 2 grades missing")
	for _, f := range e.AwaitDiagnostics(doc, 1) {
		if f.Code == "failed-gate" {
			t.Errorf("%+v", f)
		}
	}
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"broken","target":"no such"}}}`)
	end, _, _ = awaitJob(t, e, startJob(t, e, "rubric.runCase", `,"case":"window"`))
	if end.State != "failed" || !strings.Contains(end.Message, "no such") {
		t.Errorf("%+v", end)
	}
}

// TestStale checks that an edit makes stale only what it changes, that results follow their case,
// and that new weights apply at once.
func TestStale(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, "")
	awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	e.Change(doc, 2, lsptest.TextChange(9, 26, 34, "Names")) // "Mentions “prepaid label”"
	checkContains(t, "after an edit of a criterion, the lens", lenses(e), "1 fail, score 0.5 (stale)", "10 pass, score 1 ", "0 1 of 2 passed, 1 stale")
	hints := string(e.Request("textDocument/inlayHint", hintsOfAll))
	if strings.Count(hints, "(stale)") != 1 {
		t.Error(hints)
	}
	for _, f := range e.AwaitDiagnostics(doc, 2) {
		if f.Code == "failed-gate" {
			t.Errorf("what has changed is not held against its author: %+v", f)
		}
	}
	e.Change(doc, 3, lsptest.TextChange(9, 0, 0, "        weight: 0\n        required: false\n"), lsptest.TextChange(0, 0, 0, "# moved\n"))
	checkContains(t, "after a change of weight, the lens", lenses(e), "2 pass, score 1 (stale)", "13 pass, score 1 ")
	awaitJob(t, e, startJob(t, e, "rubric.rejudge", `,"case":"window","criterion":"label"`))
	checkContains(t, "after that criterion was judged again, the lens", lenses(e), "2 pass, score 1 ")
	if got := lenses(e); strings.Contains(got, "stale") {
		t.Error(got)
	}
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"editor"}}}`)
	checkContains(t, "with another judge, the lens", lenses(e), "2 pass, score 1 (stale)", "13 pass, score 1 (stale)")
}

// TestRejudge checks that stored answers are judged again without asking the target.
func TestRejudge(t *testing.T) {
	var answered atomic.Int32
	host := lsp.Host{Host: run.Host{OpenTarget: func(context.Context, string, string) (run.OpenedTarget, error) {
		return run.OpenedTarget{Target: func(context.Context, *rubric.Case) (grade.Submission, error) {
			answered.Add(1)
			return grade.Submission{Answer: "Good morning"}, nil
		}}, nil
	}}}
	e := startRunnable(t, host, allCapabilities, `{"target":"prod"}`)
	end, states, _ := awaitJob(t, e, startJob(t, e, "rubric.rejudge", `,"case":"greeting"`))
	if states["greeting"] != "ungraded" || end.State != "done" {
		t.Errorf("without an answer: %+v, %v", end, states)
	}
	awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	end, states, _ = awaitJob(t, e, startJob(t, e, "rubric.rejudge", ""))
	if end.Done != 2 || states["greeting"] != "pass" || answered.Load() != 2 {
		t.Errorf("%+v, %v, %d answers", end, states, answered.Load())
	}
}

// TestRunDependent checks that a case runs with the case that it depends on, and that judging its
// answer again needs no other case.
func TestRunDependent(t *testing.T) {
	e := startRunnable(t, lsp.Host{}, allCapabilities, "")
	const file = "file:///w/chain.eval.yaml"
	e.Open(file, "tests:\n"+
		"  - { id: second, criteria: G, input: Hi, expected_output: hello, depends_on: [first], assertions: [{ type: contains, value: hello }] }\n"+
		"  - { id: first, criteria: G, input: Hi, expected_output: hello, assertions: [{ type: contains, value: hello }] }\n"+
		"  - { id: other, criteria: G, input: Hi, expected_output: hello, assertions: [{ type: contains, value: hello }] }\n")
	planned, err := commandIn(e, file, "rubric.dryRun", `,"case":"second"`)
	if err != nil {
		t.Fatal(err)
	}
	checkContains(t, "the plan", string(planned), "the case `first` is run too, because `second` depends on it")
	for i, name := range []string{"rubric.runCase", "rubric.rejudge"} {
		end, states, _ := awaitJobIn(t, e, file, startJobIn(t, e, file, name, `,"case":"second"`))
		if end.Done != 2-i || states["second"] != "pass" || states["other"] != "" {
			t.Errorf("%s: %+v, %v", name, end, states)
		}
	}
}

// TestEndOfRun checks that the end of a run is shown at once, however long the delay between
// refreshes is.
func TestEndOfRun(t *testing.T) {
	server := newServer(nil)
	server.Quiet = time.Hour
	e := lsptest.Start(t, server)
	e.Initialize(allCapabilities)
	e.Open(doc, gradedSuite)
	for range 3 {
		awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
		e.AwaitNext("lenses to be asked for anew", func(m lsptest.Message) bool { return m.Method == "workspace/codeLens/refresh" })
	}
}

// openStubbornJudge opens a judge that answers the first question and then ignores its context.
func openStubbornJudge(stuck chan bool, asked chan<- bool) lsp.Host {
	var n atomic.Int32
	return lsp.Host{Host: run.Host{OpenJudge: func(context.Context, string, string) (run.OpenedJudge, error) {
		return run.OpenedJudge{Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			if n.Add(1) > 1 {
				asked <- true
				<-stuck
			}
			return judge.Answer{Text: `{"checks":[{"id":"days","satisfied":true,"reasoning":"r"},{"id":"label","satisfied":true,"reasoning":"r"}],"overall_reasoning":""}`}, nil
		})}, nil
	}}}
}

// TestCancelRun checks that a cancelled run ends within a second and stores its results, even if
// the judge ignores the cancellation.
func TestCancelRun(t *testing.T) {
	stuck, asked := make(chan bool), make(chan bool, 9)
	defer close(stuck)
	e := startRunnable(t, openStubbornJudge(stuck, asked), allCapabilities, `{"judge":"stubborn","workers":1}`)
	job := startJob(t, e, "rubric.runFile", "")
	<-asked
	checkContains(t, "the lens", lenses(e), "0 Cancel run", "1 Cancel run")
	raw, err := e.AwaitResponse(e.StartRequest("workspace/executeCommand", `{"command":"rubric.cancelRun","arguments":[{"job":"`+job+`"}]}`))
	if err != nil || !strings.Contains(string(raw), job) {
		t.Errorf("%s, %v", raw, err)
	}
	end, states, _ := awaitJob(t, e, job)
	if end.State != "cancelled" || end.Done != 1 || states["window"] != "pass" || states["greeting"] != "started" {
		t.Errorf("%+v, %v", end, states)
	}
	checkContains(t, "the lens", lenses(e), "1 pass, score 1", "0 1 of 1 passed", "0 Run file", "1 Run case")
	raw, err = e.AwaitResponse(e.StartRequest("workspace/executeCommand", `{"command":"rubric.cancelRun"}`))
	if err != nil || string(raw) != `{"jobs":[]}` {
		t.Errorf("%s, %v", raw, err)
	}
}

// TestRunSettings checks that the settings of a command are used before the client has sent them.
func TestRunSettings(t *testing.T) {
	asked := make(chan bool, 9)
	e := startRunnable(t, lsp.Host{Host: run.Host{OpenJudge: openSilentJudge(asked)}}, allCapabilities, "")
	startJob(t, e, "rubric.runCase", `,"case":"window","settings":{"judge":"slow"}`)
	<-asked // no other judge is silent
}

// TestRunCopied checks that each copy of a case is told that it does not run.
func TestRunCopied(t *testing.T) {
	e := start(t, newFolder(nil), allCapabilities)
	one := "  - {id: one, expected_outcome: O, input: Q, expected_output: A, rubrics: [X]}\n"
	e.Open(doc, "evalcases:\n"+one+one+strings.Replace(one, "one", "two", 1))
	_, states, _ := awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	if states["one"] != "ungraded" || states["one~2"] != "ungraded" || states["two"] == "" {
		t.Error(states)
	}
}

// TestRunClosed checks that a closed file can run and that its result appears when it is opened.
func TestRunClosed(t *testing.T) {
	e := start(t, newFolder(map[string]string{"/evals/a.eval.yaml": gradedSuite}), allCapabilities)
	end, _, _ := awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	if end.State != "done" || end.Done != 2 {
		t.Errorf("%+v", end)
	}
	e.Open(doc, gradedSuite)
	checkContains(t, "the lens", lenses(e), "0 1 of 2 passed")
	if _, err := e.AwaitResponse(e.StartRequest("workspace/executeCommand", `{"command":"rubric.runFile","arguments":[{"uri":"file:///evals/none.eval.yaml"}]}`)); err == nil || err.Code != -32803 {
		t.Error(err)
	}
}

// TestRunRenamed checks that a file that the editor renames keeps its results, also if it is not open, and if its URI is not
// written as VS Code does, which has %40 for @.
func TestRunRenamed(t *testing.T) {
	renamed := strings.Replace(doc, "a.eval.yaml", "@renamed.eval.yaml", 1)
	e := start(t, newFolder(map[string]string{"/evals/a.eval.yaml": gradedSuite}), allCapabilities)
	awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
	e.Notify("workspace/didRenameFiles", fmt.Sprintf(`{"files":[{"oldUri":%q,"newUri":%q}]}`, doc, renamed))
	e.Open(renamed, gradedSuite)
	checkContains(t, "the lens", lensesIn(e, renamed), "0 1 of 2 passed")
}

// TestNothingLeftRunning checks that a client that answers nothing gets its results, and that no
// judge runs on after a client hangs up.
func TestNothingLeftRunning(t *testing.T) {
	t.Run("silent", func(t *testing.T) {
		e := startRunnable(t, lsp.Host{}, allCapabilities, "")
		e.Silence()
		end, _, _ := awaitJob(t, e, startJob(t, e, "rubric.runFile", ""))
		if end.State != "done" || end.Done != 2 {
			t.Errorf("%+v", end)
		}
		if status := e.Stop(); status != 0 {
			t.Errorf("exit status %d", status)
		}
	})
	for name, leave := range map[string]func(*lsptest.Editor){
		"hangs up":   func(e *lsptest.Editor) { e.HangUp() },
		"shuts down": func(e *lsptest.Editor) { e.Request("shutdown", nil) },
	} {
		t.Run(name, func(t *testing.T) {
			asked, left := make(chan bool, 9), make(chan bool, 9)
			var closed sync.WaitGroup
			closed.Add(1)
			host := lsp.Host{Host: run.Host{OpenJudge: func(context.Context, string, string) (run.OpenedJudge, error) {
				return run.OpenedJudge{Judge: judge.Func(func(ctx context.Context, _ judge.Question) (judge.Answer, error) {
					asked <- true
					<-ctx.Done()
					left <- true
					return judge.Answer{}, ctx.Err()
				}), Close: closed.Done}, nil
			}}}
			e := startRunnable(t, host, allCapabilities, `{"judge":"slow"}`)
			startJob(t, e, "rubric.runFile", "")
			<-asked
			leave(e)
			<-left
			closed.Wait()
		})
	}
}

// TestReconnect checks that a client that connects after another died during a run gets a new
// session without that run.
func TestReconnect(t *testing.T) {
	asked, left := make(chan bool, 9), make(chan bool, 9)
	server := newServer(nil)
	server.Host = lsp.Host{Host: run.Host{OpenJudge: func(context.Context, string, string) (run.OpenedJudge, error) {
		return run.OpenedJudge{Judge: judge.Func(func(ctx context.Context, _ judge.Question) (judge.Answer, error) {
			asked <- true
			<-ctx.Done()
			left <- true
			return judge.Answer{}, ctx.Err()
		})}, nil
	}}}
	connect := func(settings string) *lsptest.Editor {
		e := lsptest.Start(t, server)
		e.Initialize(allCapabilities)
		e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+settings+`}}`)
		e.Open(doc, gradedSuite)
		return e
	}
	first := connect(`{"judge":"slow"}`)
	startJob(t, first, "rubric.runFile", "")
	<-asked
	first.HangUp()
	if status := first.AwaitExit(); status != 1 {
		t.Errorf("exit status %d", status)
	}
	<-left
	second := connect("{}")
	if got := lenses(second); strings.Contains(got, "score") {
		t.Errorf("results of a session that is over:\n%s", got)
	}
	if raw, err := command(second, "rubric.cancelRun", ""); err != nil || string(raw) != `{"jobs":[]}` {
		t.Errorf("%s, %v", raw, err)
	}
	if end, _, _ := awaitJob(t, second, startJob(t, second, "rubric.runFile", "")); end.State != "done" || end.Done != 2 {
		t.Errorf("%+v", end)
	}
}
