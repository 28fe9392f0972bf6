package frame_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"github.com/rubric-ls/rubric/lsp/frame"
)

// fakeConn reads from one buffer and writes to another.
type fakeConn struct {
	io.Reader
	bytes.Buffer
}

func (p *fakeConn) Read(b []byte) (int, error) { return p.Reader.Read(b) }

// Close does nothing.
func (p *fakeConn) Close() error { return nil }

// TestReadFrame checks that it returns messages, answers other bodies, and reports why the stream
// ended.
func TestReadFrame(t *testing.T) {
	const message = `{"jsonrpc":"2.0","method":"x"}`
	for _, c := range []struct {
		name, sent string
		frames     int
		answered   string
		end        string
	}{
		{"nothing", "", 0, "", "EOF"},
		{"two messages", "Content-Length: 30\r\n\r\n" + message + "content-length:30\n\n" + message, 2, "", "EOF"},
		{"half a header", "Content-Le", 0, "", "unexpected EOF"},
		{"half a body", "Content-Length: 30\r\n\r\n{", 0, "", "unexpected EOF"},
		{"a batch", "Content-Length: 32\r\n\r\n[" + message + "]", 0, `-32600`, "EOF"},
		{"a type", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: 30\r\n\r\n" + message, 1, "", "EOF"},
		{"a header of HTTP", "Content-Length: 30\r\nHost: localhost\r\n\r\n" + message, 0, "", `"Host: localhost" is neither Content-Length nor Content-Type`},
		{"a request of HTTP", "POST /a:b HTTP/1.1\r\nContent-Length: 30\r\n\r\n" + message, 0, "", `"POST /a:b HTTP/1.1" is neither`},
		{"a blank before the colon", "Content-Length : 30\r\n\r\n" + message, 0, "", "neither"},
		{"bytes that steer a terminal", "\x1b]0;x\a: 1\r\n\r\n", 0, "", `"\x1b]0;x\a: 1" is neither`},
		{"two lengths", "Content-Length: 30\r\nContent-Length: 31\r\n\r\n" + message, 0, "", "two Content-Length"},
		{"no JSON between two messages", "Content-Length: 30\r\n\r\n" + message + "Content-Length: 1\r\n\r\n{Content-Length: 30\r\n\r\n" + message, 2, `-32700`, "EOF"},
		{"no message", "Content-Length: 2\r\n\r\n{}", 0, `-32600`, "EOF"},
		{"too much", "Content-Length: 999999999\r\n\r\n", 0, "", `the Content-Length is "999999999"`},
		{"a header for ever", strings.Repeat("Content-Type: b\r\n", 5000), 0, "", "longer than 8192 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &fakeConn{Reader: strings.NewReader(c.sent)}
			var why error
			s := frame.New(p)
			s.OnEnd = func(err error) { why = errors.Join(why, err) }
			frames := 0
			for {
				body, _, err := s.ReadFrame(context.Background())
				if err != nil {
					break
				}
				frames++
				if !strings.Contains(string(body), message) {
					t.Errorf("%s", body)
				}
			}
			if frames != c.frames || !strings.Contains(p.String(), c.answered) || (c.answered == "") != (p.Len() == 0) || why == nil || !strings.Contains(why.Error(), c.end) {
				t.Errorf("%d frames, answered %q, ended by %v", frames, p.String(), why)
			}
		})
	}
}

// TestWrite checks that what is written can be read.
func TestWrite(t *testing.T) {
	p := &fakeConn{}
	s := frame.New(p)
	for _, size := range []int{1, 100, 3 << 20} {
		m := jsonrpc2.NewNotification("x", jsonrpc2.RawMessage(`"`+strings.Repeat("é", size)+`"`))
		if _, err := s.Write(context.Background(), m); err != nil {
			t.Fatal(err)
		}
		p.Reader = &p.Buffer
		back, _, err := frame.New(p).Read(context.Background())
		if n, ok := back.(*jsonrpc2.Notification); err != nil || !ok || string(n.Params()) != string(m.Params()) {
			t.Fatalf("%v, %v", back, err)
		}
	}
}

// FuzzReadFrame reads arbitrary bytes within the memory limits.
func FuzzReadFrame(f *testing.F) {
	f.Add("Content-Length: 30\r\n\r\n" + `{"jsonrpc":"2.0","method":"x"}`)
	f.Add("Content-Length: 2\r\n\r\n[]Content-Length: 4294967296\n\n")
	f.Fuzz(func(t *testing.T, sent string) {
		s := frame.New(&fakeConn{Reader: strings.NewReader(sent)})
		for {
			body, _, err := s.ReadFrame(context.Background())
			if err != nil {
				return
			}
			if len(body) > len(sent) {
				t.Errorf("%d bytes of %d", len(body), len(sent))
			}
		}
	})
}
