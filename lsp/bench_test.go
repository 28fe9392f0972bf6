package lsp_test

import (
	"bytes"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// suite returns an eval file with n cases.
func suite(n int) string {
	var b strings.Builder
	b.WriteString("evalcases:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - id: case-%d\n    expected_outcome: Names the refund window of thirty days\n    input: Can I send order %d back?\n"+
			"    rubrics:\n      - id: window\n        expected_outcome: Names thirty days\n        weight: 2\n      - Is polite\n", i, i)
	}
	return b.String()
}

// BenchmarkKeystroke measures the time from a typed character to the new diagnostics, over the
// whole session in bytes. The client decodes no more than it must.
func BenchmarkKeystroke(b *testing.B) {
	b.Run("cases=100", func(b *testing.B) { keystrokes(b, 100, suite(100), false) })
	b.Run("cases=10000", func(b *testing.B) { keystrokes(b, 10_000, suite(10_000), false) })
	twice := strings.ReplaceAll(suite(10_000), "      - Is polite\n", "      - { id: window, expected_outcome: Is polite }\n")
	b.Run("cases=10000/faults=10000", func(b *testing.B) { keystrokes(b, 10_000, twice, false) })
	wrong := strings.ReplaceAll(suite(10_000), "      - Is polite\n", "    expected_output: No.\n")
	b.Run("cases=10000/failed=10000", func(b *testing.B) { keystrokes(b, 10_000, wrong, true) })
}

// keystrokes types in the middle of a suite and deletes the text again. With run, the suite is run
// first.
func keystrokes(b *testing.B, cases int, body string, run bool) {
	ours, theirs := net.Pipe()
	go newServer(nil).Serve(theirs)
	c := reader{b, lsptest.Framed(ours)}
	defer c.Close()
	c.write(`"id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}`)
	c.await(`"id":1`)
	c.write(`"method":"initialized","params":{}`)
	c.write(fmt.Sprintf(`"method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"yaml","version":1,"text":%q}}`, doc, body))
	c.await(`"version":1,`)
	if run {
		c.write(fmt.Sprintf(`"id":2,"method":"workspace/executeCommand","params":{"command":"rubric.runFile","arguments":[{"uri":%q}]}`, doc))
		c.await(`"state":"done"`)
		c.await(`"code":"failed-gate"`)
	}
	line := 1 + 8*(cases/2) + 1 // the middle case's expected_outcome
	version := 1
	for b.Loop() {
		version++
		words := "x"
		if version%2 == 1 {
			words = ""
		}
		c.write(fmt.Sprintf(`"method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%d},"contentChanges":[%s]}`, doc, version, lsptest.TextChange(line, 4, 4+version%2, words)))
		c.await(fmt.Sprintf(`"version":%d,`, version))
	}
}

// reader is a client that waits for a piece of text.
type reader struct {
	b *testing.B
	lsptest.Wire
}

func (c reader) write(members string) {
	if err := c.Write([]byte(`{"jsonrpc":"2.0",` + members + "}")); err != nil {
		c.b.Fatal(err)
	}
}

func (c reader) await(words string) {
	for {
		body, err := c.Read()
		if err != nil {
			c.b.Fatal(err)
		}
		if bytes.Contains(body, []byte(words)) {
			return
		}
	}
}
