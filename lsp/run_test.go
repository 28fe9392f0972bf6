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

// graded is an eval file with two cases: the reference answer of the first has
// what its first criterion asks for, and not what the second does.
const graded = `evalcases:
  - id: window
    expected_outcome: Names the refund window
    input: Can I send it back?
    expected_output: The refund window is 30 days.
    rubrics:
      - id: days
        expected_outcome: States that the refund window is 30 days
      - id: label
        expected_outcome: Offers a prepaid label
  - id: greeting
    expected_outcome: Greets the customer
    input: Hello
    expected_output: Good morning!
    rubrics:
      - id: greets
        expected_outcome: Says good morning
`

// everything is what a client can do that has all that results are shown with.
const everything = `{"window":{"workDoneProgress":true},"workspace":{"applyEdit":true,"codeLens":{"refreshSupport":true},"inlayHint":{"refreshSupport":true},` +
	`"workspaceEdit":{"documentChanges":true,"changeAnnotationSupport":{}}},"experimental":{"rubric":{"ask":true}}}`

// told is a rubric/results notification.
type told struct {
	Job, URI, State, Message string
	Done, Total              int
	Results                  []struct {
		ID, State, Message string
		Score              *float64
	}
}

// running is a session with a host, and a document that can be run.
func running(t *testing.T, host lsp.Host, capabilities, settings string, more ...string) *lsptest.Editor {
	t.Helper()
	server := newServer(nil)
	server.Host = host
	e := lsptest.Start(t, server)
	e.Initialize(capabilities, more...)
	if settings != "" {
		e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+settings+`}}`)
	}
	e.Open(doc, graded)
	return e
}

// command asks for a command, with its argument beyond the document.
func command(e *lsptest.Editor, name, more string) (json.RawMessage, *lsptest.Error) {
	return e.Answer(e.Ask("workspace/executeCommand", `{"command":"`+name+`","arguments":[{"uri":"`+doc+`"`+more+`}]}`))
}

// begin has a command begin a job, and gives its name.
func begin(t *testing.T, e *lsptest.Editor, name, more string) string {
	t.Helper()
	raw, err := command(e, name, more)
	var answer struct{ Job string }
	if err != nil || json.Unmarshal(raw, &answer) != nil || answer.Job == "" {
		t.Fatalf("%s gives %s, %v", name, raw, err)
	}
	return answer.Job
}

// finish waits for a job's end and gives the states of items on the way, each the
// last, and all of them in order.
func finish(t *testing.T, e *lsptest.Editor, job string) (end told, states map[string]string, order []string) {
	t.Helper()
	states = map[string]string{}
	e.Next("the end of "+job, func(m lsptest.Message) bool {
		if m.Method != "rubric/results" {
			return false
		}
		end = told{}
		if err := json.Unmarshal(m.Params, &end); err != nil {
			t.Fatalf("%s: %v", m.Params, err)
		}
		if end.Job != job {
			return false
		}
		for _, r := range end.Results {
			name := strings.TrimPrefix(r.ID, doc+"#")
			states[name] = r.State
			order = append(order, name+" "+r.State)
		}
		return end.State != "running"
	})
	return end, states, order
}

func lenses(e *lsptest.Editor) string {
	var all []struct {
		Range   lsptest.Range
		Command struct{ Title, Command string }
	}
	e.Into(&all, "textDocument/codeLens", `{"textDocument":{"uri":"`+doc+`"}}`)
	var lines []string
	for _, l := range all {
		lines = append(lines, fmt.Sprintf("%d %s %s", l.Range.Start.Line, l.Command.Title, l.Command.Command))
	}
	return strings.Join(lines, "\n")
}

func holds(t *testing.T, what, got string, want ...string) {
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

// TestRun: a case is run, each criterion is told of, and its result stands in
// four places.
func TestRun(t *testing.T) {
	e := running(t, lsp.Host{}, everything, "")
	job := begin(t, e, "rubric.runCase", `,"case":"window"`)
	end, states, order := finish(t, e, job)
	if end.State != "done" || end.Done != 1 || end.Total != 1 {
		t.Errorf("%+v", end)
	}
	if got := strings.Join(order, ", "); got != "window started, window/rubric/days pass, window/rubric/label fail, window fail" {
		t.Error(got)
	}
	if len(states) != 3 {
		t.Errorf("%v", states)
	}
	holds(t, "the lens", lenses(e), "1 fail, score 0.5", "0 0 of 1 passed", "1 Run case rubric.runCase", "10 Run case")
	holds(t, "the hints", string(e.Request("textDocument/inlayHint", hintsOfAll)), `"label":"satisfied"`, `"label":"not satisfied"`)
	holds(t, "the hover", hoverOn(e, 8, 13), "last run", "lexical stand-in", "what would flip it")
	found := e.Next("a failed gate", func(m lsptest.Message) bool {
		return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "failed-gate")
	})
	holds(t, "the diagnostic", string(found.Params), `"severity":3`, `"line":8`)
	for _, method := range []string{"workspace/codeLens/refresh", "workspace/inlayHint/refresh"} {
		e.Await(method, func(m lsptest.Message) bool { return m.Method == method })
	}
}

// TestProgress begins, says how far it is, and ends; and its button stops it.
func TestProgress(t *testing.T) {
	asked := make(chan bool, 9)
	host := lsp.Host{Judge: func(context.Context, string, string) (judge.Judge, func(), error) {
		return judge.Func(func(ctx context.Context, _ judge.Question) (judge.Answer, error) {
			asked <- true
			<-ctx.Done()
			return judge.Answer{}, ctx.Err()
		}), func() {}, nil
	}}
	e := running(t, host, everything, `{"judge":"slow"}`)
	job := begin(t, e, "rubric.runFile", "")
	<-asked
	token := ""
	create := e.Await("room for progress", func(m lsptest.Message) bool { return m.Method == "window/workDoneProgress/create" })
	holds(t, "create", string(create.Params), job)
	e.Await("the beginning", func(m lsptest.Message) bool {
		token = string(m.Params)
		return m.Method == "$/progress" && strings.Contains(token, `"kind":"begin"`)
	})
	holds(t, "begin", token, `"cancellable":true`, `"title":"Run a.eval.yaml"`, job)
	before := time.Now()
	e.Notify("window/workDoneProgress/cancel", `{"token":"`+job+`"}`)
	end, states, _ := finish(t, e, job)
	if took := time.Since(before); end.State != "cancelled" || took > 10*time.Second {
		t.Errorf("%+v after %v", end, took)
	}
	if states["window"] != "cancelled" || states["window/rubric/days"] != "cancelled" {
		t.Errorf("%v", states)
	}
	e.Await("the end of progress", func(m lsptest.Message) bool {
		return m.Method == "$/progress" && strings.Contains(string(m.Params), `"kind":"end"`)
	})
}

// stubborn is a judge that answers the first case and then heeds nothing.
func stubborn(stuck chan bool, asked chan<- bool) lsp.Host {
	var n atomic.Int32
	return lsp.Host{Judge: func(context.Context, string, string) (judge.Judge, func(), error) {
		return judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			if n.Add(1) > 1 {
				asked <- true
				<-stuck
			}
			return judge.Answer{Text: `{"checks":[{"id":"days","satisfied":true,"reasoning":"r"},{"id":"label","satisfied":true,"reasoning":"r"}],"overall_reasoning":""}`}, nil
		}), func() {}, nil
	}}
}

// TestCancelRun: a run that is cancelled ends within a second even if the judge
// does not heed that, and keeps what it has.
func TestCancelRun(t *testing.T) {
	stuck, asked := make(chan bool), make(chan bool, 9)
	defer close(stuck)
	e := running(t, stubborn(stuck, asked), everything, `{"judge":"stubborn","workers":1}`)
	job := begin(t, e, "rubric.runFile", "")
	<-asked
	before := time.Now()
	raw, err := e.Answer(e.Ask("workspace/executeCommand", `{"command":"rubric.cancelRun","arguments":[{"job":"`+job+`"}]}`))
	if err != nil || !strings.Contains(string(raw), job) {
		t.Errorf("%s, %v", raw, err)
	}
	end, states, _ := finish(t, e, job)
	if took := time.Since(before); took > 10*time.Second {
		t.Errorf("it ended after %v", took)
	}
	if end.State != "cancelled" || end.Done != 1 || states["window"] != "pass" || states["greeting"] != "started" {
		t.Errorf("%+v, %v", end, states)
	}
	holds(t, "the lens", lenses(e), "1 pass, score 1", "0 1 of 1 passed")
	raw, err = e.Answer(e.Ask("workspace/executeCommand", `{"command":"rubric.cancelRun"}`))
	if err != nil || string(raw) != `{"jobs":[]}` {
		t.Errorf("%s, %v", raw, err)
	}
}

// TestRunClosed runs a file that nobody has open, and its result is there when
// somebody opens it.
func TestRunClosed(t *testing.T) {
	e := start(t, lsptest.NewFolder(map[string]string{"/evals/a.eval.yaml": graded}), everything)
	end, _, _ := finish(t, e, begin(t, e, "rubric.runFile", ""))
	if end.State != "done" || end.Done != 2 {
		t.Errorf("%+v", end)
	}
	e.Open(doc, graded)
	holds(t, "the lens", lenses(e), "0 1 of 2 passed")
	if _, err := e.Answer(e.Ask("workspace/executeCommand", `{"command":"rubric.runFile","arguments":[{"uri":"file:///evals/none.eval.yaml"}]}`)); err == nil || err.Code != -32803 {
		t.Error(err)
	}
}

// TestPulledGates: clients that ask for findings are told to ask anew, and get the
// failed gates with them.
func TestPulledGates(t *testing.T) {
	e := running(t, lsp.Host{}, `{"workspace":{"diagnostics":{"refreshSupport":true}},"textDocument":{"diagnostic":{}}}`, "")
	finish(t, e, begin(t, e, "rubric.runFile", ""))
	e.Await("to be asked anew", func(m lsptest.Message) bool { return m.Method == "workspace/diagnostic/refresh" })
	holds(t, "the report", string(e.Request("textDocument/diagnostic", `{"textDocument":{"uri":"`+doc+`"}}`)), `"code":"failed-gate"`, `"severity":3`)
}

// TestRunOverSocket runs a case over the other stack.
func TestRunOverSocket(t *testing.T) {
	e := overSocket(t, newServer(nil))
	e.Initialize(everything)
	e.Open(doc, graded)
	end, states, _ := finish(t, e, begin(t, e, "rubric.runFile", ""))
	if end.State != "done" || states["greeting"] != "pass" {
		t.Errorf("%+v, %v", end, states)
	}
	holds(t, "the lens", lenses(e), "10 pass, score 1")
}

// TestNothingLeftRunning: a client that answers nothing gets its results, and one
// that hangs up leaves no judge at work.
func TestNothingLeftRunning(t *testing.T) {
	t.Run("silent", func(t *testing.T) {
		e := running(t, lsp.Host{}, everything, "")
		e.Silence()
		end, _, _ := finish(t, e, begin(t, e, "rubric.runFile", ""))
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
			host := lsp.Host{Judge: func(context.Context, string, string) (judge.Judge, func(), error) {
				return judge.Func(func(ctx context.Context, _ judge.Question) (judge.Answer, error) {
					asked <- true
					<-ctx.Done()
					left <- true
					return judge.Answer{}, ctx.Err()
				}), closed.Done, nil
			}}
			e := running(t, host, everything, `{"judge":"slow"}`)
			begin(t, e, "rubric.runFile", "")
			<-asked
			leave(e)
			<-left
			closed.Wait()
		})
	}
}

// TestUnknownIsNotFail: what could not be judged is told as such, everywhere.
func TestUnknownIsNotFail(t *testing.T) {
	host := lsp.Host{Judge: func(context.Context, string, string) (judge.Judge, func(), error) {
		return judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			return judge.Answer{}, errors.New("out of order")
		}), func() {}, nil
	}}
	e := running(t, host, everything, `{"judge":"broken"}`)
	end, states, _ := finish(t, e, begin(t, e, "rubric.runCase", `,"case":"window"`))
	if end.State != "done" || states["window"] != "unknown" || states["window/rubric/days"] != "unknown" {
		t.Errorf("%+v, %v", end, states)
	}
	holds(t, "the lens", lenses(e), "1 unknown, score 0, 2 ungraded")
	for _, f := range e.Findings(doc, 1) {
		if f.Code == "failed-gate" {
			t.Errorf("%+v", f)
		}
	}
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"broken","target":"no such"}}}`)
	end, _, _ = finish(t, e, begin(t, e, "rubric.runCase", `,"case":"window"`))
	if end.State != "failed" || !strings.Contains(end.Message, "no such") {
		t.Errorf("%+v", end)
	}
}

// TestStale: an edit makes stale what it changes and nothing else, results move
// with their case, and weights are reckoned anew.
func TestStale(t *testing.T) {
	e := running(t, lsp.Host{}, everything, "")
	finish(t, e, begin(t, e, "rubric.runFile", ""))
	e.Change(doc, 2, lsptest.Type(9, 26, 34, "free")) // "Offers a prepaid label"
	holds(t, "after an edit of a criterion, the lens", lenses(e), "1 fail, score 0.5 (stale)", "10 pass, score 1 ", "0 1 of 2 passed, 1 stale")
	hints := string(e.Request("textDocument/inlayHint", hintsOfAll))
	if strings.Count(hints, "(stale)") != 1 {
		t.Error(hints)
	}
	for _, f := range e.Findings(doc, 2) {
		if f.Code == "failed-gate" {
			t.Errorf("what has changed is not held against its author: %+v", f)
		}
	}
	e.Change(doc, 3, lsptest.Type(9, 0, 0, "        weight: 0\n        required: false\n"), lsptest.Type(0, 0, 0, "# moved\n"))
	holds(t, "after a change of weight, the lens", lenses(e), "2 pass, score 1 (stale)", "13 pass, score 1 ")
	finish(t, e, begin(t, e, "rubric.rejudge", `,"case":"window","criterion":"label"`))
	holds(t, "after that criterion was judged again, the lens", lenses(e), "2 pass, score 1 ")
	if got := lenses(e); strings.Contains(got, "stale") {
		t.Error(got)
	}
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"editor"}}}`)
	holds(t, "with another judge, the lens", lenses(e), "2 pass, score 1 (stale)", "13 pass, score 1 (stale)")
}

// TestRejudge judges what was answered, and asks no target.
func TestRejudge(t *testing.T) {
	var answered atomic.Int32
	host := lsp.Host{Target: func(context.Context, string, string) (run.Target, error) {
		return func(context.Context, *rubric.Case) (grade.Submission, error) {
			answered.Add(1)
			return grade.Submission{Answer: "Good morning"}, nil
		}, nil
	}}
	e := running(t, host, everything, `{"target":"prod"}`)
	end, states, _ := finish(t, e, begin(t, e, "rubric.rejudge", `,"case":"greeting"`))
	if states["greeting"] != "unknown" || end.State != "done" {
		t.Errorf("without an answer: %+v, %v", end, states)
	}
	finish(t, e, begin(t, e, "rubric.runFile", ""))
	end, states, _ = finish(t, e, begin(t, e, "rubric.rejudge", ""))
	if end.Done != 2 || states["greeting"] != "pass" || answered.Load() != 2 {
		t.Errorf("%+v, %v, %d answers", end, states, answered.Load())
	}
}

// TestRefused: what cannot be run is refused in a sentence.
func TestRefused(t *testing.T) {
	e := running(t, lsp.Host{}, everything, `{"judge":"gpt"}`)
	for _, c := range []struct{ name, more, want string }{
		{"rubric.runCase", `,"case":"windw"`, "there is no case `windw`; did you mean `window`?"},
		{"rubric.runCase", ``, "there is no case ``"},
		{"rubric.rejudge", `,"case":"window","criterion":"lable"`, "has no criterion `lable`; did you mean `label`?"},
		{"rubric.runFil", ``, "there is no command `rubric.runFil`; did you mean `rubric.runFile`?"},
		{"rubric.score", `,"case":"window","grades":[{"id":"x"}]`, "has no criterion `x`"},
		{"rubric.generateRubrics", `,"case":"window"`, "the case `window` has criteria already"},
	} {
		if raw, err := command(e, c.name, c.more); err == nil || !strings.Contains(err.Message, c.want) {
			t.Errorf("%s: %s, %v", c.name, raw, err)
		}
	}
	if end, _, _ := finish(t, e, begin(t, e, "rubric.runFile", "")); end.State != "failed" || !strings.Contains(end.Message, "the judge `gpt` cannot be asked") {
		t.Errorf("%+v", end)
	}
	e.Change(doc, 2, lsptest.Type(2, 4, 20, "expected_outcme")) // the first case has an error now
	if _, err := command(e, "rubric.runFile", ""); err != nil {
		t.Errorf("the other case can be run: %v", err)
	}
	if _, err := e.Answer(e.Ask("workspace/executeCommand", `{"command":"rubric.runFile"}`)); err == nil || err.Code != -32602 {
		t.Errorf("%v", err)
	}
}

// TestNotTrusted: in a workspace that is not trusted nobody is asked to start or
// reach anything, whatever a client sends, and what needs nobody works.
func TestNotTrusted(t *testing.T) {
	var touched atomic.Int32
	touch := func() { touched.Add(1) }
	host := lsp.Host{
		Judge: func(context.Context, string, string) (judge.Judge, func(), error) {
			touch()
			return nil, nil, errors.New("no")
		},
		Target:  func(context.Context, string, string) (run.Target, error) { touch(); return nil, errors.New("no") },
		Exec:    func(string) grade.Exec { touch(); return nil },
		Sandbox: func(string) (grade.Exec, func()) { touch(); return nil, func() {} },
		Fill:    func(string, *rubric.Suite) []string { touch(); return nil },
	}
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
	e.Change(doc, 2, lsptest.Whole("evalcases:\n  - id: window\n    expected_outcome: Names thirty days\n    input: x\n"))
	e.Serve("workspace/applyEdit", func(json.RawMessage) any { return `{"applied":true}` })
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

// TestDryRun plans a run and asks nobody.
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

// TestScore: typed grades give a verdict, by request and by command.
func TestScore(t *testing.T) {
	e := running(t, lsp.Host{}, everything, "")
	type result struct {
		Score    float64
		Verdict  string
		Ungraded int
		Graders  []struct{ Name, Verdict string }
	}
	for _, c := range []struct {
		grades string
		want   result
	}{
		{`[{"id":"days","satisfied":true},{"id":"label","satisfied":true}]`, result{Score: 1, Verdict: "pass"}},
		{`[{"id":"days","satisfied":true},{"grader":"rubric","id":"label","satisfied":false}]`, result{Score: 0.5, Verdict: "fail"}},
		{`[{"id":"days","satisfied":true}]`, result{Score: 0.5, Verdict: "fail", Ungraded: 1}},
		{`[{"id":"days","score":7}]`, result{Score: 0, Verdict: "fail", Ungraded: 2}},
	} {
		params := `,"case":"window","grades":` + c.grades
		var asked, commanded result
		e.Into(&asked, "rubric/score", `{"uri":"`+doc+`"`+params+`}`)
		raw, err := command(e, "rubric.score", params)
		if err != nil || json.Unmarshal(raw, &commanded) != nil {
			t.Fatalf("%s, %v", raw, err)
		}
		if len(asked.Graders) != 1 || asked.Score != c.want.Score || asked.Verdict != c.want.Verdict || asked.Ungraded != c.want.Ungraded || asked.Verdict != commanded.Verdict {
			t.Errorf("%s: %+v, %+v", c.grades, asked, commanded)
		}
	}
}

// TestItems: a suite, its cases and their criteria, each with a name that stays.
func TestItems(t *testing.T) {
	type item struct {
		ID, Kind, Label string
		Range           lsptest.Range
		Target          struct{ Case, Grader, Criterion string }
		Children        []item
	}
	e := running(t, lsp.Host{}, everything, "")
	items := func() (root item) {
		e.Into(&root, "rubric/testItems", `{"textDocument":{"uri":"`+doc+`"}}`)
		return root
	}
	root := items()
	if root.ID != doc || root.Kind != "suite" || root.Label != "a.eval" || len(root.Children) != 2 {
		t.Fatalf("%+v", root)
	}
	label := root.Children[0].Children[1]
	if label.ID != doc+"#window/rubric/label" || label.Kind != "criterion" || label.Range.Start.Line != 8 || label.Target.Criterion != "label" || label.Label != "Offers a prepaid label" {
		t.Errorf("%+v", label)
	}
	e.Change(doc, 2, lsptest.Type(0, 0, 0, "# moved\n"))
	if moved := items().Children[0].Children[1]; moved.ID != label.ID || moved.Range.Start.Line != 9 {
		t.Errorf("%+v", moved)
	}
	e.Change(doc, 3, lsptest.Whole("a: 1\n"))
	if raw := e.Request("rubric/testItems", `{"textDocument":{"uri":"`+doc+`"}}`); string(raw) != "null" {
		t.Errorf("%s", raw)
	}
}
