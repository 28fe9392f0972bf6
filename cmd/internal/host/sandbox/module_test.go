//go:build !race

package sandbox_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi/wasitest"
	"github.com/rubric-ls/rubric/core/grade"
)

func start(code string) []byte {
	return wasitest.Module{Functions: []wasitest.Function{{Export: "_start", Code: code}}}.Bytes()
}

// Loops that take memory outside of the module's own: table.grow by 10,000 entries, and
// ref.func, for which the runtime allocates at each execution.
const (
	growTable = "\x03\x40\xd0\x70\x41\x90\xce\x00\xfc\x0f\x00\x1a\x0c\x00\x0b"
	refFunc   = "\x03\x40\xd2\x00\x1a\x0c\x00\x0b"
)

func withTables(code string, tables ...wasitest.Table) []byte {
	return wasitest.Module{Tables: tables, Functions: []wasitest.Function{{Export: "_start", Code: code}}}.Bytes()
}

// TestModules: a module that is not a WASI command, or ends without a status, is reported with
// the reason.
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
		{"loops", start(wasitest.LoopForever), "timed out after 3s"},
		{"wants to fork", wasitest.Module{Imports: []wasitest.Import{{From: "wasix_32v1", Name: "proc_fork"}}}.Bytes(), "is not a WASI command: it imports `proc_fork` of `wasix_32v1`"},
		{"wants sockets that WASI has not", wasitest.Module{Imports: []wasitest.Import{{From: "wasi_snapshot_preview1", Name: "sock_open"}}}.Bytes(), "it imports `sock_open` of `wasi_snapshot_preview1`"},
		{"has no start", wasitest.Module{}.Bytes(), "it exports no function `_start`"},
		{"starts with arguments", wasitest.Module{Functions: []wasitest.Function{{Export: "_start", Params: wasitest.I32}}}.Bytes(), "it exports no function `_start`"},
		{"is cut short", start("")[:40], "is not WebAssembly: "},
		{"is empty", nil, "is not WebAssembly: "},
		{"is a script", []byte("#!/bin/sh\necho '{\"score\":1}'\n"), "is not WebAssembly: invalid magic number"},
		{"has a large table", withTables("", wasitest.Table{Min: 100_000_000}), "has a table of 100000000 entries; the limit is 1000000"},
		{"has several tables", withTables("", make([]wasitest.Table, 2)...), "is not WebAssembly: "},
		{"has a table without a maximum", withTables("", wasitest.Table{Min: 20_000}), ""},
		{"grows a table", withTables(growTable, wasitest.Table{Max: 1 << 30}), "is not WebAssembly: "},
		{"makes references", start(refFunc), "is not WebAssembly: "},
		{"has a function with many blocks", start(strings.Repeat("\x02\x40\x0b", 20_001)), "has a function with up to 20001 blocks; the limit is 20000"},
		{"has a large function", start("\x02\x40\x41\x00\x0e\x80\x80\x0c" + strings.Repeat("\x00", 3<<16+1) + "\x0b"), "has a function of 192 KiB; the limit is 128 KiB"},
		{"has a function with many variables", wasitest.Module{Functions: []wasitest.Function{{Export: "_start", Locals: 40_000, Code: strings.Repeat("\x01", 1000)}}}.Bytes(), "has a function of 1006 bytes with 40000 local variables; the product may be 12000000"},
		{"has many functions", wasitest.Module{Functions: make([]wasitest.Function, 100_001)}.Bytes(), "has 100002 items in section 1; the limit is 100000"},
		{"is too large", make([]byte, 9<<20), "has 9 MiB; the limit is 8 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := boxFor(c.want).Run(t.Context(), c.module, grade.Command{Argv: []string{"grader"}})
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
// given up in time, and compiling ends with it: a later run starts anew.
func TestSlowCompilation(t *testing.T) {
	short := limits
	short.Time = 50 * time.Millisecond
	hurried := sandbox.New(short, "")
	slow := wasitest.Function{Code: strings.Repeat("\x02\x40", 1000) + strings.Repeat("\x41\x01\x04\x40\x0b", 4_000) + strings.Repeat("\x0b", 1000)}
	functions := append(slices.Repeat([]wasitest.Function{slow}, 100), wasitest.Function{Export: "_start"})
	module := wasitest.Module{Functions: functions}.Bytes()
	for range 2 {
		_, err := hurried.Run(t.Context(), module, grade.Command{Argv: []string{"grader"}})
		if err == nil || !strings.Contains(err.Error(), "timed out after 50ms") {
			t.Errorf("%v", err)
		}
	}
}
