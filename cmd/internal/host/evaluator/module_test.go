// The race detector slows wazero's compiler tenfold, and sees nothing of what
// runs in a module: see strange_test.go for what it looks at.

//go:build !race

package evaluator_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/evaluator"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
	"github.com/rubric-ls/rubric/wasm/api"
	"github.com/rubric-ls/rubric/wasm/artefact"
)

// built is the module's bytes, compiled from this source once for all tests.
var built = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "rubric-wasm-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "rubric.wasm")
	if err := artefact.Build(out); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
})

// opened is the module, compiled for this machine once for all tests.
var opened = sync.OnceValues(func() (*evaluator.Module, error) {
	wasm, err := built()
	if err != nil {
		return nil, err
	}
	return evaluator.Open(context.Background(), wasm, wasi.Settings{Memory: evaluator.MaxMemory})
})

func open(t testing.TB) *evaluator.Module {
	if testing.Short() {
		t.Skip("long")
	}
	t.Helper()
	m, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// same holds the module's answer to a request against the function's.
func same(t testing.TB, m *evaluator.Module, request string) {
	t.Helper()
	got, err := m.Call(t.Context(), []byte(request))
	if err != nil {
		t.Errorf("%.200s: %v", request, err)
		return
	}
	if want := api.Call([]byte(request)); string(got) != string(want) {
		t.Errorf("%.200s\nmodule:   %.2000s\nfunction: %.2000s", request, got, want)
	}
}

func TestAnswers(t *testing.T) {
	m := open(t)
	for _, request := range []string{
		`{"id":1,"method":"version"}`,
		`{"id":"x","method":"check","params":{"text":"evalcases:\n  - id: a\n    wieght: 1 # 😀\n"}}`,
		`{"method":"chekc"}`,
		`not JSON`,
		``,
	} {
		same(t, m, request)
	}
}

// TestParallel: calls at the same time have their own answers.
func TestParallel(t *testing.T) {
	m := open(t)
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			for range 5 {
				same(t, m, fmt.Sprintf(`{"id":%d,"method":"suite","params":{"text":"evalcases: [{id: case-%[1]d, expected_outcome: o, input: q}]"}}`, n))
			}
		})
	}
	group.Wait()
}

func TestTooLarge(t *testing.T) {
	m := open(t)
	if _, err := m.Call(t.Context(), make([]byte, 129<<20)); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("129 MiB: %v", err)
	}
	if got, want := m.Answer(t.Context(), append([]byte(`{"id":7}`), make([]byte, 129<<20)...)), `{"id":null,"error":{"code":"internal","message":"evaluator module: the request is too large"}}`; string(got) != want {
		t.Errorf("%s", got)
	}
	same(t, m, `{"id":2,"method":"version"}`)
}

// TestOutOfMemory: a text that the instance has no memory for ends it, and the
// next call finds another.
func TestOutOfMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	wasm, err := built()
	if err != nil {
		t.Fatal(err)
	}
	m, err := evaluator.Open(t.Context(), wasm, wasi.Settings{Memory: 32 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(t.Context())
	request := []byte(`{"method":"check","params":{"text":"` + strings.Repeat(` `, 20<<20) + `"}}`)
	if _, err := m.Call(t.Context(), request); !errors.Is(err, evaluator.ErrCrashed) {
		t.Errorf("20 MiB checked in 32: %v", err)
	}
	same(t, m, `{"id":3,"method":"version"}`)
}

// TestNotText: a request that is not UTF-8 is refused, and not mended in silence.
func TestNotText(t *testing.T) {
	m := open(t)
	for _, request := range []string{"\xff", "{\"method\":\"check\",\"params\":{\"text\":\"a: \xc3\"}}", "\x00", `{"method":"check","params":{"text":"\ud800"}}`} {
		same(t, m, request)
	}
	got, err := m.Call(t.Context(), []byte("{\"method\":\"check\",\"params\":{\"text\":\"a: \xc3\"}}"))
	if err != nil || !strings.Contains(string(got), `"code":"bad-request"`) {
		t.Errorf("%s, %v", got, err)
	}
}
