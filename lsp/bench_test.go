package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// suite is an eval file of n cases.
func suite(n int) string {
	var b strings.Builder
	b.WriteString("evalcases:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - id: case-%d\n    expected_outcome: Names the refund window of thirty days\n    input: Can I send order %d back?\n"+
			"    rubrics:\n      - id: window\n        expected_outcome: Names thirty days\n        weight: 2\n      - Is polite\n", i, i)
	}
	return b.String()
}

// BenchmarkKeystroke is from a typed character to what is wrong with the text,
// over the whole session: bytes in, bytes out.
func BenchmarkKeystroke(b *testing.B) {
	for _, cases := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("cases=%d", cases), func(b *testing.B) {
			e := lsptest.Start(b, newServer(nil))
			e.Initialize("{}")
			e.Open(doc, suite(cases))
			e.Findings(doc, 1)
			line := 1 + 8*(cases/2) + 1 // the middle case's expected_outcome
			version := 1
			for b.Loop() {
				version++
				words := "x"
				if version%2 == 1 {
					words = ""
				}
				e.Change(doc, version, lsptest.Type(line, 4, 4+version%2, words))
				e.Next("diagnostics", func(m lsptest.Message) bool { return m.Method == "textDocument/publishDiagnostics" })
			}
		})
	}
}
