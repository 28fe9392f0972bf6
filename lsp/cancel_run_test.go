package lsp_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// stubborn opens a judge that answers the first question and then ignores its context.
func stubborn(stuck chan bool, asked chan<- bool) lsp.Host {
	var n atomic.Int32
	return lsp.Host{OpenJudge: func(context.Context, string, string) (judge.Judge, func(), error) {
		return judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			if n.Add(1) > 1 {
				asked <- true
				<-stuck
			}
			return judge.Answer{Text: `{"checks":[{"id":"days","satisfied":true,"reasoning":"r"},{"id":"label","satisfied":true,"reasoning":"r"}],"overall_reasoning":""}`}, nil
		}), func() {}, nil
	}}
}

// TestCancelRun checks that a cancelled run ends within a second and stores its results, even if
// the judge ignores the cancellation.
func TestCancelRun(t *testing.T) {
	stuck, asked := make(chan bool), make(chan bool, 9)
	defer close(stuck)
	e := running(t, stubborn(stuck, asked), everything, `{"judge":"stubborn","workers":1}`)
	job := begin(t, e, "rubric.runFile", "")
	<-asked
	before := time.Now()
	raw, err := e.AwaitResponse(e.StartRequest("workspace/executeCommand", `{"command":"rubric.cancelRun","arguments":[{"job":"`+job+`"}]}`))
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
	raw, err = e.AwaitResponse(e.StartRequest("workspace/executeCommand", `{"command":"rubric.cancelRun"}`))
	if err != nil || string(raw) != `{"jobs":[]}` {
		t.Errorf("%s, %v", raw, err)
	}
}

// TestRunClosed checks that a closed file can run and that its result appears when it is opened.
func TestRunClosed(t *testing.T) {
	e := start(t, lsptest.NewFolder(map[string]string{"/evals/a.eval.yaml": graded}), everything)
	end, _, _ := finish(t, e, begin(t, e, "rubric.runFile", ""))
	if end.State != "done" || end.Done != 2 {
		t.Errorf("%+v", end)
	}
	e.Open(doc, graded)
	holds(t, "the lens", lenses(e), "0 1 of 2 passed")
	if _, err := e.AwaitResponse(e.StartRequest("workspace/executeCommand", `{"command":"rubric.runFile","arguments":[{"uri":"file:///evals/none.eval.yaml"}]}`)); err == nil || err.Code != -32803 {
		t.Error(err)
	}
}

// TestNothingLeftRunning checks that a client that answers nothing gets its results, and that no
// judge runs on after a client hangs up.
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
			host := lsp.Host{OpenJudge: func(context.Context, string, string) (judge.Judge, func(), error) {
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

// TestReconnect checks that a client that connects after another died during a run gets a new
// session without that run.
func TestReconnect(t *testing.T) {
	asked, left := make(chan bool, 9), make(chan bool, 9)
	server := newServer(nil)
	server.Host = lsp.Host{OpenJudge: func(context.Context, string, string) (judge.Judge, func(), error) {
		return judge.Func(func(ctx context.Context, _ judge.Question) (judge.Answer, error) {
			asked <- true
			<-ctx.Done()
			left <- true
			return judge.Answer{}, ctx.Err()
		}), func() {}, nil
	}}
	connect := func(settings string) *lsptest.Editor {
		e := lsptest.Start(t, server)
		e.Initialize(everything)
		e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+settings+`}}`)
		e.Open(doc, graded)
		return e
	}
	first := connect(`{"judge":"slow"}`)
	begin(t, first, "rubric.runFile", "")
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
	if end, _, _ := finish(t, second, begin(t, second, "rubric.runFile", "")); end.State != "done" || end.Done != 2 {
		t.Errorf("%+v", end)
	}
}
