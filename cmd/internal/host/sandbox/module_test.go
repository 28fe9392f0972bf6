//go:build !race

package sandbox_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi/wasitest"
)

func start(code string) []byte {
	return wasitest.Module{Functions: []wasitest.Function{{Export: "_start", Code: code}}}.Bytes()
}

// TestModules: what is no WASI command, or ends without a status, says why.
func TestModules(t *testing.T) {
	for _, c := range []struct {
		name   string
		module []byte
		want   string // a part of the error; "" for none
	}{
		{"does nothing", start(""), ""},
		{"traps", start(wasitest.Unreachable), "crashed: unreachable"},
		{"calls itself for ever", start(wasitest.Call(0)), "crashed: stack overflow"},
		{"takes all memory and crashes", start(wasitest.GrowAll + wasitest.Unreachable), "crashed, with all its 32 MiB of memory in use: unreachable"},
		{"loops", start(wasitest.Forever), "timed out after 3s"},
		{"wants to fork", wasitest.Module{Imports: []wasitest.Import{{From: "wasix_32v1", Name: "proc_fork"}}}.Bytes(), "is no WASI command: it wants `proc_fork` of `wasix_32v1`"},
		{"wants sockets that WASI has not", wasitest.Module{Imports: []wasitest.Import{{From: "wasi_snapshot_preview1", Name: "sock_open"}}}.Bytes(), "it wants `sock_open` of `wasi_snapshot_preview1`"},
		{"has no start", wasitest.Module{}.Bytes(), "it exports no function `_start`"},
		{"starts with arguments", wasitest.Module{Functions: []wasitest.Function{{Export: "_start", Params: wasitest.I32}}}.Bytes(), "it exports no function `_start`"},
		{"is cut short", start("")[:40], "is not WebAssembly: "},
		{"is empty", nil, "is not WebAssembly: "},
		{"is a script", []byte("#!/bin/sh\necho '{\"score\":1}'\n"), "is not WebAssembly: invalid magic number"},
		{"is too large", make([]byte, 9<<20), "has 9 MiB; graders of up to 8 MiB are run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := box.Run(t.Context(), sandbox.Grader{Module: c.module, Args: []string{"grader"}})
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if err != nil && out.Code != -1 {
				t.Errorf("status %d of a run without one", out.Code)
			}
		})
	}
}

// TestSlowCompilation: a module that takes longer to compile than it may run is
// given up in time.
func TestSlowCompilation(t *testing.T) {
	short := limits
	short.Time = 50 * time.Millisecond
	hurried := sandbox.New(short, "")
	module := start(strings.Repeat("\x02\x40", 2000) + strings.Repeat("\x41\x01\x04\x40\x0b", 100_000) + strings.Repeat("\x0b", 2000))
	started := time.Now()
	_, err := hurried.Run(t.Context(), sandbox.Grader{Module: module, Args: []string{"grader"}})
	if took := time.Since(started); err == nil || !strings.Contains(err.Error(), "timed out after 50ms") || took > short.Time+10*time.Second {
		t.Errorf("%v after %s", err, took)
	}
}
