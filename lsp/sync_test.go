package lsp_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestEncodings checks that the client's preferred supported encoding is used and columns are
// counted in it.
func TestEncodings(t *testing.T) {
	const line = "evalcases:\n  - { id: \"日😀é\", expected_outcme: x, input: Do it }\n"
	for _, c := range []struct {
		offers, want string
		start        int
	}{
		{"", "", len(`  - { id: "`) + 1 + 2 + 1 + len(`", `)},
		{`"utf-16"`, "utf-16", len(`  - { id: "`) + 1 + 2 + 1 + len(`", `)},
		{`"utf-8","utf-16"`, "utf-8", len(`  - { id: "`) + 3 + 4 + 2 + len(`", `)},
		{`"utf-32","utf-8"`, "utf-32", len(`  - { id: "`) + 1 + 1 + 1 + len(`", `)},
		{`"utf-7","utf-8"`, "utf-8", len(`  - { id: "`) + 3 + 4 + 2 + len(`", `)},
		{`"utf-7"`, "utf-16", len(`  - { id: "`) + 1 + 2 + 1 + len(`", `)},
	} {
		t.Run(c.offers, func(t *testing.T) {
			e := lsptest.Start(t, newServer(nil))
			var result struct {
				Capabilities struct{ PositionEncoding string }
			}
			if err := json.Unmarshal(e.Initialize(`{"general":{"positionEncodings":[`+c.offers+`]}}`), &result); err != nil || result.Capabilities.PositionEncoding != c.want {
				t.Fatalf("%q, %v", result.Capabilities.PositionEncoding, err)
			}
			e.Open(doc, line)
			at := lsptest.Range{Start: lsptest.Position{Line: 1, Character: c.start}, End: lsptest.Position{Line: 1, Character: c.start + len("expected_outcme")}}
			if found := e.AwaitDiagnostics(doc, 1); len(found) != 2 || found[1].Code != "unknown-key" || found[1].Range != at {
				t.Fatalf("%+v, want %v", found, at)
			}
			e.Change(doc, 2, lsptest.TextChange(1, c.start+len("expected_outc"), c.start+len("expected_outc"), "o"))
			if found := e.AwaitDiagnostics(doc, 2); len(found) != 1 || found[0].Code != "id-style" {
				t.Errorf("%+v", found)
			}
		})
	}
}

// TestManyChanges sends ten thousand changes without waiting. The last text must win, and no older
// version may be published after a newer one.
func TestManyChanges(t *testing.T) {
	const n = 10_000
	e := start(t, nil, "{}")
	e.Open(doc, "evalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n# \n")
	for i := 2; i <= n; i++ {
		e.Change(doc, i, lsptest.TextChange(4, i, i, "x"))
	}
	e.Change(doc, n+1, lsptest.TextChange(2, 4, 20, "expected_outcme"))
	if found := e.AwaitDiagnostics(doc, n+1); len(found) != 1 || found[0].Code != "unknown-key" {
		t.Errorf("%+v", found)
	}
	last := 0
	for _, m := range e.Messages() {
		var p lsptest.Published
		if m.Method != "textDocument/publishDiagnostics" {
			continue
		}
		if err := json.Unmarshal(m.Params, &p); err != nil || p.Version == nil || *p.Version < last {
			t.Fatalf("%s after %d", m.Params, last)
		}
		last = *p.Version
	}
}

// TestReopen opens an open document again, closes it, and closes it again.
func TestReopen(t *testing.T) {
	e := start(t, nil, "{}")
	e.Open(doc, hasOne)
	e.AwaitDiagnostics(doc, 1)
	e.Close(doc)
	if found := e.AwaitDiagnostics(doc, 0); len(found) != 0 {
		t.Errorf("of a closed document: %+v", found)
	}
	e.Close(doc)
	e.Change(doc, 5, lsptest.FullChange("x"))
	e.Open(doc, strings.Replace(hasOne, "outcme", "outcome", 1))
	e.Change(doc, 3, lsptest.FullChange(hasOne), lsptest.TextChange(2, 13, 13, "i"))
	if found := e.AwaitDiagnostics(doc, 3); len(found) != 1 || !strings.Contains(found[0].Message, "expected_ioutcme") {
		t.Errorf("%+v", found)
	}
}

// edits is the number of versions; 100,000 take some minutes.
var edits = flag.Int("edits", 120, "how many versions TestEditsEqualReopening makes")

// TestEditsEqualReopening makes random edits and compares the diagnostics with those of the same
// text when opened.
func TestEditsEqualReopening(t *testing.T) {
	e := start(t, nil, "{}")
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"", "x", "\n", "  - id: b\n", "    input: y\n", "😀", "é\r\n", "\r", "- {", "# c\n", "    rubrics: [a, b]\n", "evalcases:\n", "\"", "\t"}
	body := hasOne + strings.Replace(hasOne, "evalcases:\n", "", 1) + "  - id: é😀\n    input: z\n"
	model := utf16.Encode([]rune(body))
	e.Open(doc, body)
	for version := 2; version <= *edits; version++ {
		var changes []string
		for range 1 + rng.IntN(3) {
			from := rng.IntN(len(model) + 1)
			to := min(len(model), from+rng.IntN(6)*rng.IntN(6))
			from, to = whole(model, from), whole(model, to)
			word := words[rng.IntN(len(words))]
			changes = append(changes, fmt.Sprintf(`{"range":{"start":%s,"end":%s},"text":%q}`, position(model, from), position(model, to), word))
			model = append(append(append([]uint16{}, model[:from]...), utf16.Encode([]rune(word))...), model[to:]...)
		}
		if version%50 == 0 { // before nothing is left of it
			changes, model = []string{lsptest.FullChange(body)}, utf16.Encode([]rune(body))
		}
		e.Change(doc, version, changes...)
		fresh := analysis.Of(analysis.Input{Path: "/evals/b.eval.yaml", Text: string(utf16.Decode(model))})
		if version%3 != 0 || !fresh.Recognised() { // the one that stays open
			continue
		}
		other := fmt.Sprintf("file:///evals/b%d.eval.yaml", version)
		e.Open(other, string(utf16.Decode(model)))
		edited, opened := e.AwaitDiagnostics(doc, version), e.AwaitDiagnostics(other, 1)
		for i := range opened {
			for j := range opened[i].Related {
				opened[i].Related[j].Location.URI = doc
			}
		}
		if !reflect.DeepEqual(edited, opened) {
			t.Fatalf("version %d of\n%q\nedited\n%+v\nopened\n%+v", version, string(utf16.Decode(model)), edited, opened)
		}
		e.Close(other)
	}
}

// whole moves an offset out of a surrogate pair or a line break, where no editor points.
func whole(model []uint16, at int) int {
	for at > 0 && at < len(model) && (0xDC00 <= model[at] && model[at] <= 0xDFFF || model[at] == '\n' && model[at-1] == '\r') {
		at--
	}
	return at
}

func position(model []uint16, at int) string {
	line, column := 0, 0
	for i := 0; i < at; i++ {
		column++
		if model[i] == '\n' || model[i] == '\r' && (i+1 >= len(model) || model[i+1] != '\n') {
			line, column = line+1, 0
		}
	}
	return fmt.Sprintf(`{"line":%d,"character":%d}`, line, column)
}

// TestMalformed sends invalid messages. A request gets an error, a notification is ignored, and
// only a broken frame ends the session.
func TestMalformed(t *testing.T) {
	frame := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	const ends = 1 // instead of an error code: the session has ended
	for _, c := range []struct {
		name string
		sent string
		code int // of an answer, 0 for none
	}{
		{"a length that is no number", "Content-Length: x\r\n\r\n", ends},
		{"a negative length", "Content-Length: -5\r\n\r\n", ends},
		{"a length of zero", "Content-Length: 0\r\n\r\n", ends},
		{"a length over any integer", "Content-Length: 99999999999999999999\r\n\r\n", ends},
		{"a length of 4 GiB", "Content-Length: 4294967295\r\n\r\n", ends},
		{"a length of 1 GiB and ten bytes", "Content-Length: 1073741823\r\n\r\n0123456789", ends},
		{"no length", "Content-Type: x\r\n\r\n", ends},
		{"a header without a colon", "rubbish\r\n\r\n", ends},
		{"a header without end", strings.Repeat("x", 20_000), ends},
		{"HTTP", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", ends},
		{"HTTP with a colon in its path", "POST /a:b HTTP/1.1\r\n" + frame(`{"jsonrpc":"2.0","id":7,"method":"no"}`), ends},
		{"a header that is not the protocol's", "Origin: null\r\n" + frame(`{"jsonrpc":"2.0","id":7,"method":"no"}`), ends},

		{"bare line feeds", "Content-Length: 40\n\n" + `{"jsonrpc":"2.0","method":"$/x","id":7}` + " ", -32601},
		{"a header in lower case", "content-length:39\r\n\r\n" + `{"jsonrpc":"2.0","method":"$/x","id":7}`, -32601},
		{"another header", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + frame(`{"jsonrpc":"2.0","method":"no","id":7}`), -32601},
		{"no JSON", frame(`{"jsonrpc":"2.0",`), -32700},
		{"null", frame(`null`), -32700},
		{"a number", frame(`12`), -32700},
		{"an empty object", frame(`{}`), -32600},
		{"no version", frame(`{"id":7,"method":"shutdown"}`), -32600},
		{"a method that is a number", frame(`{"jsonrpc":"2.0","id":7,"method":12}`), -32600},
		{"an id that is an object", frame(`{"jsonrpc":"2.0","id":{},"method":"shutdown"}`), -32600},
		{"junk after the message", frame(`{"jsonrpc":"2.0","id":7,"method":"no"} junk`), -32700},
		{"an empty batch", frame(`[]`), -32600},
		{"a batch that is no JSON", frame(`[1,`), -32600},
		{"a batch", frame(`[{"jsonrpc":"2.0","id":7,"method":"shutdown"},{"jsonrpc":"2.0","method":"exit"}]`), -32600},
		{"missing parameters", frame(`{"jsonrpc":"2.0","id":7,"method":"textDocument/codeAction"}`), -32602},
		{"parameters of the wrong type", frame(`{"jsonrpc":"2.0","id":7,"method":"textDocument/codeAction","params":{"textDocument":5}}`), -32602},
		{"parameters in a list", frame(`{"jsonrpc":"2.0","id":7,"method":"textDocument/codeAction","params":[1]}`), -32602},
		{"parameters 100,000 deep", frame(`{"jsonrpc":"2.0","id":7,"method":"textDocument/codeAction","params":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`), -32602},
		{"an unknown request", frame(`{"jsonrpc":"2.0","id":7,"method":"no/such"}`), -32601},
		{"a notification as a request", frame(`{"jsonrpc":"2.0","id":7,"method":"initialized","params":{}}`), -32601},

		{"a notification without parameters", frame(`{"jsonrpc":"2.0","method":"textDocument/didChange"}`), 0},
		{"a notification with wrong ones", frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":[]}}`), 0},
		{"an unknown notification", frame(`{"jsonrpc":"2.0","method":"no/such","params":{}}`), 0},
		{"a request as a notification", frame(`{"jsonrpc":"2.0","method":"shutdown"}`), 0},
		{"a change of what is not open", frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///no","version":2},"contentChanges":[{"text":"x"}]}}`), 0},
		{"a malformed cancel", frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":[]}}`), 0},
		{"a cancel of nothing", frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}`), 0},
		{"a stray answer", frame(`{"jsonrpc":"2.0","id":99,"result":null}`), 0},
		{"a stray error", frame(`{"jsonrpc":"2.0","id":"z","error":{"code":1,"message":"x"}}`), 0},
		{"text that is not UTF-8", frame("{\"jsonrpc\":\"2.0\",\"method\":\"$/x\",\"params\":{\"a\":\"\xff\xfe\"}}"), 0},
		{"a line far away", frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"` + doc + `","version":2},"contentChanges":[{"range":{"start":{"line":4294967295,"character":4294967295},"end":{"line":4294967295,"character":0}},"text":"\n"}]}}`), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			status := make(chan int, 1)
			go func() { status <- newServer(nil).Serve(theirs) }()
			e := lsptest.Attach(t, lsptest.Framed(ours))
			e.Initialize("{}")
			e.Open(doc, hasOne)
			go io.WriteString(ours, c.sent) // the session may not read it all
			switch {
			case c.code == ends:
				select {
				case s := <-status:
					if s != 1 {
						t.Errorf("exit status %d", s)
					}
				case <-time.After(time.Minute):
					t.Error("the session goes on")
				}
				return
			case c.code != 0:
				e.Await("an error", func(m lsptest.Message) bool { return m.Error != nil && m.Error.Code == c.code })
			}
			e.Open(doc, hasOne) // the session goes on with its documents
			e.Request("shutdown", nil)
		})
	}
}

// TestUnread writes a whole session before it reads the first response, over an unbuffered pipe.
func TestUnread(t *testing.T) {
	ours, theirs := net.Pipe()
	go newServer(nil).Serve(theirs)
	wire := lsptest.Framed(ours)
	defer wire.Close()
	write := func(body string) {
		if err := wire.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`)
	if _, err := wire.Read(); err != nil { // before that, nothing else may arrive
		t.Fatal(err)
	}
	const n = 300
	write(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"` + doc + `","languageId":"yaml","version":1,"text":` + quoted(hasOne) + `}}}`)
	for i := range n {
		write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"%s","version":%d},"contentChanges":[%s]}}`, doc, i+2, lsptest.TextChange(0, 0, 0, "#\n")))
		write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/diagnostic","params":{"textDocument":{"uri":"%s"}}}`, 2*i+10, doc))
		write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"no/such"}`, 2*i+11))
	}
	for answers := 0; answers < 2*n; {
		body, err := wire.Read()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(body), `"method"`) {
			answers++
		}
	}
}
