//go:build !race

package evaluator_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/evaluator"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
	"github.com/rubric-ls/rubric/wasm/api"
)

// BenchmarkCheck checks 1,000 cases with the function and with the module.
func BenchmarkCheck(b *testing.B) {
	var text strings.Builder
	text.WriteString("evalcases:\n")
	for n := range 1000 {
		fmt.Fprintf(&text, "  - id: case-%d\n    expected_outcome: Resolves request %[1]d\n    input: Question %[1]d\n    rubrics:\n"+
			"      - Greets the customer\n      - { id: refund, expected_outcome: Refunds order %[1]d, weight: 2 }\n", n)
	}
	var requests [][]byte // of more files than are kept
	for n := range 10 {
		request, err := json.Marshal(map[string]any{"method": "check", "params": map[string]any{"text": text.String(), "path": fmt.Sprint(n, ".yaml")}})
		if err != nil {
			b.Fatal(err)
		}
		requests = append(requests, request)
	}
	b.Run("function", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			api.Call(requests[n%len(requests)])
		}
	})
	b.Run("module", func(b *testing.B) {
		m := open(b)
		for n := 0; b.Loop(); n++ {
			if _, err := m.Call(b.Context(), requests[n%len(requests)]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkOpen makes an instance of a module that is compiled on disk.
func BenchmarkOpen(b *testing.B) {
	wasm, err := built()
	if err != nil {
		b.Fatal(err)
	}
	settings := wasi.Settings{Memory: evaluator.MaxMemory, Cache: b.TempDir()}
	once := func() {
		m, err := evaluator.Open(b.Context(), wasm, settings)
		if err != nil {
			b.Fatal(err)
		}
		m.Close(b.Context())
	}
	once() // compiles
	for b.Loop() {
		once()
	}
}
