package lsp_test

import (
	"io"
	"log"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// newServer returns a server over a folder, which may be nil.
func newServer(folder *folder) *lsp.Server {
	s := &lsp.Server{Name: "rubric", Version: "test", Quiet: time.Millisecond, Log: log.New(io.Discard, "", 0)}
	if folder != nil {
		s.Disk = folder.Disk()
	}
	return s
}

// start returns an initialized session.
func start(t *testing.T, folder *folder, capabilities string, more ...string) *lsptest.Editor {
	t.Helper()
	e := lsptest.Start(t, newServer(folder))
	e.Initialize(capabilities, more...)
	return e
}

const (
	doc    = "file:///evals/a.eval.yaml"
	hasOne = "evalcases:\n  - id: a\n    expected_outcme: It works\n    input: Do it\n" // one finding, on line 2
)

func TestLifecycle(t *testing.T) {
	const initialize = `{"processId":null,"rootUri":null,"capabilities":{}}`
	const action = `{"textDocument":{"uri":"file:///x"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[]}}`
	t.Run("before initialize", func(t *testing.T) {
		e := lsptest.Start(t, newServer(nil))
		for _, method := range []string{"textDocument/codeAction", "shutdown", "no/such"} {
			if _, err := e.AwaitResponse(e.StartRequest(method, action)); err == nil || err.Code != -32002 {
				t.Errorf("%s: %v", method, err)
			}
		}
		e.Open(doc, hasOne) // dropped
		e.Request("initialize", initialize)
		e.Close(doc) // of a document that is not open
		e.Open(doc, hasOne)
		if found := e.AwaitDiagnostics(doc, 1); len(found) != 1 {
			t.Errorf("%v", found)
		}
	})
	t.Run("twice", func(t *testing.T) {
		e := start(t, nil, "{}")
		if _, err := e.AwaitResponse(e.StartRequest("initialize", initialize)); err == nil || err.Code != -32600 {
			t.Error(err)
		}
	})
	t.Run("after shutdown", func(t *testing.T) {
		e := start(t, nil, "{}")
		if got := e.Request("shutdown", nil); string(got) != "null" {
			t.Errorf("shutdown gives %s", got)
		}
		for _, method := range []string{"textDocument/codeAction", "shutdown", "initialize"} {
			if _, err := e.AwaitResponse(e.StartRequest(method, action)); err == nil || err.Code != -32600 {
				t.Errorf("%s: %v", method, err)
			}
		}
		e.Notify("exit", nil)
		if status := e.AwaitExit(); status != 0 {
			t.Errorf("exit status %d", status)
		}
	})
	t.Run("exit without shutdown", func(t *testing.T) {
		e := start(t, nil, "{}")
		e.Notify("exit", nil)
		if status := e.AwaitExit(); status != 1 {
			t.Errorf("exit status %d", status)
		}
	})
	t.Run("exit before initialize", func(t *testing.T) {
		e := lsptest.Start(t, newServer(nil))
		e.Notify("exit", nil)
		if status := e.AwaitExit(); status != 1 {
			t.Errorf("exit status %d", status)
		}
	})
	t.Run("hanging up", func(t *testing.T) {
		e := start(t, nil, "{}")
		e.HangUp()
		if status := e.AwaitExit(); status != 1 {
			t.Errorf("exit status %d", status)
		}
	})
	t.Run("hanging up after shutdown", func(t *testing.T) {
		e := start(t, nil, "{}")
		e.Request("shutdown", nil)
		e.HangUp()
		if status := e.AwaitExit(); status != 0 {
			t.Errorf("exit status %d", status)
		}
	})
}

// TestPiped writes a whole session at once, as a script does, and gets every response before the
// end.
func TestPiped(t *testing.T) {
	e := lsptest.Start(t, newServer(nil))
	e.StartRequest("initialize", `{"processId":null,"rootUri":null,"capabilities":{}}`)
	e.Notify("initialized", "{}")
	e.Open(doc, hasOne)
	last := 0
	for range 50 {
		last = e.StartRequest("textDocument/diagnostic", `{"textDocument":{"uri":"`+doc+`"}}`)
	}
	e.StartRequest("shutdown", nil)
	e.Notify("exit", nil)
	if status := e.AwaitExit(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if result, err := e.AwaitResponse(last); err != nil || !strings.Contains(string(result), "unknown-key") {
		t.Errorf("%s, %v", result, err)
	}
	if found := e.AwaitDiagnostics(doc, 1); len(found) != 1 {
		t.Errorf("%v", found)
	}
}

// TestAskedAfterShutdown checks that requests after shutdown get an error, even if exit follows at
// once.
func TestAskedAfterShutdown(t *testing.T) {
	for range 20 {
		e := lsptest.Start(t, newServer(nil))
		e.StartRequest("initialize", `{"processId":null,"rootUri":null,"capabilities":{}}`)
		e.StartRequest("shutdown", nil)
		asked := []int{}
		for range 20 {
			asked = append(asked, e.StartRequest("textDocument/inlayHint", `{"textDocument":{"uri":"`+doc+`"},"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}}}`))
		}
		e.Notify("exit", nil)
		if status := e.AwaitExit(); status != 0 {
			t.Errorf("exit status %d", status)
		}
		for _, id := range asked {
			if _, err := e.AwaitResponse(id); err == nil || err.Code != -32600 {
				t.Fatalf("request %d: %v", id, err)
			}
		}
	}
}

// TestDeadParent checks that the session ends when the client's process has died, although the
// pipes are open.
func TestDeadParent(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(exe, "-test.run=^$")
	if err := parent.Run(); err != nil {
		t.Fatal(err)
	}
	e := lsptest.Start(t, newServer(nil))
	e.Request("initialize", map[string]any{"processId": parent.Process.Pid, "rootUri": nil, "capabilities": map[string]any{}})
	if status := e.AwaitExit(); status != 1 {
		t.Errorf("exit status %d", status)
	}
}

// TestLivingParent checks that the session lasts while that process lives.
func TestLivingParent(t *testing.T) {
	e := lsptest.Start(t, newServer(nil))
	e.Request("initialize", map[string]any{"processId": os.Getpid(), "rootUri": nil, "capabilities": map[string]any{}})
	e.Notify("initialized", "{}")
	if status := e.Stop(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// TestPanic checks that a panic becomes an error response and the session goes on.
func TestPanic(t *testing.T) {
	server := newServer(newFolder(nil))
	server.Disk.EvalFiles = func([]string) []string { panic("planted") }
	e := lsptest.Start(t, server)
	e.Initialize(`{"textDocument":{"diagnostic":{}}}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	_, err := e.AwaitResponse(e.StartRequest("workspace/diagnostic", `{"previousResultIds":[]}`))
	if err == nil || err.Code != -32603 || !strings.Contains(err.Message, "planted") {
		t.Error(err)
	}
	if status := e.Stop(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// TestCancel cancels a stuck request and an unknown one.
func TestCancel(t *testing.T) {
	entered, stuck := make(chan bool, 1), make(chan bool)
	defer close(stuck)
	server := newServer(newFolder(nil))
	server.Disk.EvalFiles = func([]string) []string { entered <- true; <-stuck; return nil }
	e := lsptest.Start(t, server)
	e.Initialize(`{"textDocument":{"diagnostic":{}}}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	e.Notify("$/cancelRequest", `{"id":"no such"}`)
	e.Notify("$/cancelRequest", `{"id":4711}`)
	for range 5 {
		id := e.StartRequest("workspace/diagnostic", `{"previousResultIds":[]}`)
		<-entered
		e.Notify("$/cancelRequest", map[string]any{"id": id})
		if _, err := e.AwaitResponse(id); err == nil || err.Code != -32800 {
			t.Error(err)
		}
	}
	e.Open(doc, hasOne) // a stuck request delays nothing else
	e.Request("textDocument/diagnostic", `{"textDocument":{"uri":"`+doc+`"}}`)
}

// TestStuckAtShutdown checks that requests that cannot be answered in time get an error before the
// response to shutdown.
func TestStuckAtShutdown(t *testing.T) {
	entered, stuck := make(chan bool, 1), make(chan bool)
	defer close(stuck)
	server := newServer(newFolder(nil))
	server.Disk.EvalFiles = func([]string) []string { entered <- true; <-stuck; return nil }
	e := lsptest.Start(t, server)
	e.Initialize(`{"textDocument":{"diagnostic":{}}}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	id := e.StartRequest("workspace/diagnostic", `{"previousResultIds":[]}`)
	<-entered
	e.Request("shutdown", nil)
	e.Notify("exit", nil)
	if status := e.AwaitExit(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if _, err := e.AwaitResponse(id); err == nil || err.Code != -32800 {
		t.Error(err)
	}
}
