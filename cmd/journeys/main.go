// Command journeys types one character, as an editor of the language server. It is built with
// -cover and -covermode=atomic, and writes the counters of that keystroke, from the message to
// the published diagnostics, to the directory of its argument. The script .ci/journeys counts the
// functions in them.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/textproto"
	"os"
	"runtime/coverage"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/lsp"
)

// evalFile is a small file as people write them. The keystroke is in its second case.
const evalFile = `description: Answers about orders
evalcases:
  - id: refund
    expected_outcome: Names the deadline
    input:
      - role: user
        content: May I send the shoes back?
    rubrics:
      - Says that the deadline is 30 days
  - id: delivery
    expected_outcome: Names a day
    input:
      - role: user
        content: When do my shoes come?
`

func main() {
	if err := keystroke(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func keystroke(dir string) error {
	client, server := net.Pipe()
	go (&lsp.Server{Quiet: time.Hour}).Serve(server)
	e := &editor{conn: client, in: bufio.NewReader(client)}
	const uri = `"uri":"file:///orders.eval.yaml"`
	e.send(`"id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}`)
	e.await(`"id":1`)
	e.send(`"method":"initialized","params":{}`)
	e.send(fmt.Sprintf(`"method":"textDocument/didOpen","params":{"textDocument":{%s,"languageId":"yaml","version":1,"text":%q}}`, uri, evalFile))
	e.await(`"version":1`)
	// Typing twice leaves out what the first keystroke alone does.
	for version := 2; version <= 3 && e.err == nil; version++ {
		if err := coverage.ClearCounters(); err != nil {
			return err
		}
		e.send(fmt.Sprintf(`"method":"textDocument/didChange","params":{"textDocument":{%s,"version":%d},"contentChanges":[{"range":{"start":{"line":10,"character":30},"end":{"line":10,"character":30}},"text":"x"}]}`, uri, version))
		e.await(fmt.Sprintf(`"version":%d`, version))
	}
	if e.err != nil {
		return e.err
	}
	if err := coverage.WriteMetaDir(dir); err != nil {
		return err
	}
	return coverage.WriteCountersDir(dir)
}

// editor writes and reads messages. After an error it does nothing.
type editor struct {
	conn io.Writer
	in   *bufio.Reader
	err  error
}

func (e *editor) send(members string) {
	body := `{"jsonrpc":"2.0",` + members + `}`
	if e.err == nil {
		_, e.err = fmt.Fprintf(e.conn, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
}

// await reads messages until one contains a text.
func (e *editor) await(part string) {
	for body := ""; e.err == nil && !strings.Contains(body, part); {
		var header textproto.MIMEHeader
		if header, e.err = textproto.NewReader(e.in).ReadMIMEHeader(); e.err != nil {
			return
		}
		length, _ := strconv.Atoi(header.Get("Content-Length"))
		message := make([]byte, length)
		_, e.err = io.ReadFull(e.in, message)
		body = string(message)
	}
}
