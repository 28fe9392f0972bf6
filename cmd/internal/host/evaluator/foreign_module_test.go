package evaluator_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/evaluator"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi/wasitest"
)

// strange assembles a module of the evaluator's interface from the code of its
// functions; leaving one out leaves its export out.
func strange(bodies map[string]string) []byte {
	var m wasitest.Module
	for _, f := range []wasitest.Function{
		{Export: "_initialize"},
		{Export: "abi_version", Results: wasitest.I32},
		{Export: "alloc", Params: wasitest.I32, Results: wasitest.I32},
		{Export: "free", Params: wasitest.I32},
		{Export: "call", Params: wasitest.I32 + wasitest.I32, Results: wasitest.I64},
	} {
		if code, ok := bodies[f.Export]; ok {
			f.Code = code
			m.Functions = append(m.Functions, f)
		}
	}
	return m.Bytes()
}

// sound are bodies that do nothing and are of the right version; changed ones
// take their place.
func sound(changed map[string]string) map[string]string {
	bodies := map[string]string{"_initialize": "", "abi_version": "\x41\x01", "alloc": "\x41\x08", "free": "", "call": wasitest.Zero64}
	for name, body := range changed {
		bodies[name] = body
	}
	return bodies
}

// TestNotOurs: a module that is not the evaluator, or of another version, is reported before the
// first call.
func TestNotOurs(t *testing.T) {
	without := sound(nil)
	delete(without, "free")
	for _, c := range []struct {
		name string
		wasm []byte
		want string
	}{
		{"another version", strange(sound(map[string]string{"abi_version": "\x41\x02"})), "it has version 2 of the interface, not 1"},
		{"no such export", strange(without), "it exports no `free`"},
		{"no WebAssembly", []byte("#!/bin/sh"), "invalid magic number"},
		{"cut short", strange(sound(nil))[:60], "evaluator module: "},
		{"a start that traps", strange(sound(map[string]string{"_initialize": wasitest.Unreachable})), "unreachable"},
	} {
		m, err := evaluator.Open(t.Context(), c.wasm, wasi.Settings{Memory: evaluator.MaxMemory})
		if err == nil {
			m.Close(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestCrash: what an instance makes of a call costs that instance, and no other call.
func TestCrash(t *testing.T) {
	for _, c := range []struct{ name, export, body, want string }{
		{"a trap", "call", wasitest.Unreachable, "it stopped: wasm error: unreachable"},
		{"a trap in alloc", "alloc", wasitest.Unreachable, "it stopped"},
		{"a trap in free", "free", wasitest.Unreachable, "it stopped"},
		{"no response", "call", wasitest.Zero64, "it gave no response"},
		{"a response outside the memory", "call", "\x42\xff\xff\xff\xff\xff\xff\xff\xff\x0f", "it gave no response"},
	} {
		m, err := evaluator.Open(t.Context(), strange(sound(map[string]string{c.export: c.body})), wasi.Settings{Memory: evaluator.MaxMemory})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for range 2 { // the second is a new instance's
			_, err = m.Call(t.Context(), []byte("{}"))
			if !errors.Is(err, evaluator.ErrCrashed) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
		}
		m.Close(t.Context())
	}
}

// TestConcurrentCalls: calls at the same time do not mix their answers. The module here has one
// buffer for all requests and gives it back as the response.
func TestConcurrentCalls(t *testing.T) {
	echo := "\x20\x00\xad\x42\x20\x86\x20\x01\xad\x84" // p << 32 | n
	m, err := evaluator.Open(t.Context(), strange(sound(map[string]string{"call": echo})), wasi.Settings{Memory: evaluator.MaxMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(t.Context())
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			for k := range 200 {
				want := fmt.Sprintf("%d:%d:%s", n, k, strings.Repeat("x", n*k))
				if got, err := m.Call(t.Context(), []byte(want)); err != nil || string(got) != want {
					t.Errorf("%.40s was answered with %.40s, %v", want, got, err)
				}
			}
		})
	}
	group.Wait()
}
