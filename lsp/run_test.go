package lsp_test

import (
	"context"
	"errors"
	"strings"
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

// TestRun checks that a case runs, each criterion is reported, and the result is shown in four
// places.
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
	found := e.AwaitNext("a failed gate", func(m lsptest.Message) bool {
		return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "failed-gate")
	})
	holds(t, "the diagnostic", string(found.Params), `"severity":3`, `"line":8`)
	for _, method := range []string{"workspace/codeLens/refresh", "workspace/inlayHint/refresh"} {
		e.Await(method, func(m lsptest.Message) bool { return m.Method == method })
	}
}

// silent opens a judge that signals each question and never answers.
func silent(asked chan<- bool) func(context.Context, string, string) (judge.Judge, func(), error) {
	return func(context.Context, string, string) (judge.Judge, func(), error) {
		return judge.Func(func(ctx context.Context, _ judge.Question) (judge.Answer, error) {
			asked <- true
			<-ctx.Done()
			return judge.Answer{}, ctx.Err()
		}), func() {}, nil
	}
}

// TestProgress checks that progress begins, reports and ends, and that it can be cancelled.
func TestProgress(t *testing.T) {
	asked := make(chan bool, 9)
	e := running(t, lsp.Host{OpenJudge: silent(asked)}, everything, `{"judge":"slow"}`)
	job := begin(t, e, "rubric.runFile", "")
	<-asked
	<-asked // for both cases, in any order
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

// TestPulledGates checks that clients that pull diagnostics are asked to pull again and get the
// failed gates.
func TestPulledGates(t *testing.T) {
	e := running(t, lsp.Host{}, `{"workspace":{"diagnostics":{"refreshSupport":true}},"textDocument":{"diagnostic":{}}}`, "")
	finish(t, e, begin(t, e, "rubric.runFile", ""))
	e.Await("to be asked anew", func(m lsptest.Message) bool { return m.Method == "workspace/diagnostic/refresh" })
	holds(t, "the report", string(e.Request("textDocument/diagnostic", `{"textDocument":{"uri":"`+doc+`"}}`)), `"code":"failed-gate"`, `"severity":3`)
}

// TestRunOverSocket runs a case over a WebSocket.
func TestRunOverSocket(t *testing.T) {
	e := overSocket(t, newServer(nil))
	e.Initialize(everything, `"initializationOptions":{"trusted":true}`)
	e.Open(doc, graded)
	end, states, _ := finish(t, e, begin(t, e, "rubric.runFile", ""))
	if end.State != "done" || states["greeting"] != "pass" {
		t.Errorf("%+v, %v", end, states)
	}
	holds(t, "the lens", lenses(e), "10 pass, score 1")
}

// TestUnknownIsNotFail checks that what could not be judged is shown as unknown everywhere.
func TestUnknownIsNotFail(t *testing.T) {
	host := lsp.Host{OpenJudge: func(context.Context, string, string) (judge.Judge, func(), error) {
		return judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			return judge.Answer{}, errors.New("out of order")
		}), func() {}, nil
	}}
	e := running(t, host, everything, `{"judge":"broken"}`)
	end, states, _ := finish(t, e, begin(t, e, "rubric.runCase", `,"case":"window"`))
	if end.State != "done" || states["window"] != "ungraded" || states["window/rubric/days"] != "ungraded" {
		t.Errorf("%+v, %v", end, states)
	}
	holds(t, "the lens", lenses(e), "1 ungraded, 2 grades missing")
	for _, f := range e.AwaitDiagnostics(doc, 1) {
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

// TestStale checks that an edit makes stale only what it changes, that results follow their case,
// and that new weights apply at once.
func TestStale(t *testing.T) {
	e := running(t, lsp.Host{}, everything, "")
	finish(t, e, begin(t, e, "rubric.runFile", ""))
	e.Change(doc, 2, lsptest.TextChange(9, 26, 34, "free")) // "Offers a prepaid label"
	holds(t, "after an edit of a criterion, the lens", lenses(e), "1 fail, score 0.5 (stale)", "10 pass, score 1 ", "0 1 of 2 passed, 1 stale")
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
	holds(t, "after a change of weight, the lens", lenses(e), "2 pass, score 1 (stale)", "13 pass, score 1 ")
	finish(t, e, begin(t, e, "rubric.rejudge", `,"case":"window","criterion":"label"`))
	holds(t, "after that criterion was judged again, the lens", lenses(e), "2 pass, score 1 ")
	if got := lenses(e); strings.Contains(got, "stale") {
		t.Error(got)
	}
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"editor"}}}`)
	holds(t, "with another judge, the lens", lenses(e), "2 pass, score 1 (stale)", "13 pass, score 1 (stale)")
}

// TestRejudge checks that stored answers are judged again without asking the target.
func TestRejudge(t *testing.T) {
	var answered atomic.Int32
	host := lsp.Host{OpenTarget: func(context.Context, string, string) (run.Target, error) {
		return func(context.Context, *rubric.Case) (grade.Submission, error) {
			answered.Add(1)
			return grade.Submission{Answer: "Good morning"}, nil
		}, nil
	}}
	e := running(t, host, everything, `{"target":"prod"}`)
	end, states, _ := finish(t, e, begin(t, e, "rubric.rejudge", `,"case":"greeting"`))
	if states["greeting"] != "ungraded" || end.State != "done" {
		t.Errorf("without an answer: %+v, %v", end, states)
	}
	finish(t, e, begin(t, e, "rubric.runFile", ""))
	end, states, _ = finish(t, e, begin(t, e, "rubric.rejudge", ""))
	if end.Done != 2 || states["greeting"] != "pass" || answered.Load() != 2 {
		t.Errorf("%+v, %v, %d answers", end, states, answered.Load())
	}
}

// TestEndOfRun checks that the end of a run is shown at once, however long the delay between
// refreshes is.
func TestEndOfRun(t *testing.T) {
	server := newServer(nil)
	server.Quiet = time.Hour
	e := lsptest.Start(t, server)
	e.Initialize(everything)
	e.Open(doc, graded)
	for range 3 {
		finish(t, e, begin(t, e, "rubric.runFile", ""))
		e.AwaitNext("lenses to be asked for anew", func(m lsptest.Message) bool { return m.Method == "workspace/codeLens/refresh" })
	}
}
