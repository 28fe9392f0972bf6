package lsp_test

import (
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestListen checks that only loopback addresses are accepted by default.
func TestListen(t *testing.T) {
	for _, c := range []struct {
		addr   string
		remote bool
		want   string // a prefix of the address, or a part of the error
	}{
		{"127.0.0.1:0", false, "127.0.0.1:"},
		{"localhost:0", false, "127.0.0.1:"},
		{":0", false, "127.0.0.1:"},
		{"0.0.0.0:0", false, "can be reached from other machines"},
		{"0.0.0.0:0", true, "[::]:"},
		{"7777", false, "is not an address"},
		{"127.0.0.1:no", false, "listen on `127.0.0.1:no`"},
	} {
		l, err := lsp.Listen(c.addr, c.remote)
		got := fmt.Sprint(err)
		if err == nil {
			got = l.Addr().String()
			l.Close()
		}
		if !strings.Contains(got, c.want) && !(c.remote && err == nil) {
			t.Errorf("%s gives %s", c.addr, got)
		}
	}
}

// TestNothingStays counts goroutines before and after sessions that ended in every way.
func TestNothingStays(t *testing.T) {
	before := runtime.NumGoroutine()
	for i := range 12 {
		ours, theirs := net.Pipe()
		ended := make(chan int, 1)
		go func() { ended <- newServer(lsptest.NewFolder(nil)).Serve(theirs) }()
		t.Run("session", func(t *testing.T) {
			e := lsptest.Attach(t, lsptest.Framed(ours))
			e.Silence()
			e.Initialize(`{"workspace":{"configuration":true,"didChangeWatchedFiles":{"dynamicRegistration":true}}}`)
			e.Open(doc, hasOne)
			e.StartRequest("workspace/diagnostic", `{"previousResultIds":[]}`)
			switch i % 3 {
			case 0:
				e.Notify("exit", nil)
			case 1:
				e.HangUp()
			default:
				e.Request("shutdown", nil)
				e.Notify("exit", nil)
			}
			<-ended
		})
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// TestRemote checks that a remote client sees no file of this machine.
func TestRemote(t *testing.T) {
	server := newServer(lsptest.NewFolder(map[string]string{"/evals/b.eval.yaml": hasOne, "/evals/there.md": "x"}))
	server.Remote = true
	e := lsptest.Start(t, server)
	e.Initialize(`{"textDocument":{"diagnostic":{}}}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	e.Open(doc, hasOne)
	got := within(e, "workspace/diagnostic", `{"previousResultIds":[]}`)
	if strings.Contains(got, "b.eval.yaml") || !strings.Contains(got, "a.eval.yaml") {
		t.Errorf("%s", got)
	}
}
