// Package transport carries JSON-RPC messages between clients and sessions: over standard input and
// output, TCP and WebSockets.
//
// The three differ only in their framing. One connection on the jsonrpc2 library serves them all,
// so that requests run concurrently, can be cancelled, and get the same error codes everywhere.
// The stream under it, which is ours, limits how much memory a peer can claim. It answers a body
// that is not exactly one message with an error and goes on; the library's streams would end the
// connection. glsp, whose server also speaks WebSocket, has three error codes and reads no message
// while it handles one, so that a request that waits for a change would never see it. Its
// types are the independent client of the tests.
//
// The package knows no session and no file.
package transport

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// A Server opens sessions.
type Server interface {
	// NewSession returns the session of a client. IsLocal says that the client started this process.
	NewSession(peer Peer, isLocal bool) Session
	// Logf logs an error of a client.
	Logf(format string, args ...any)
}

// A Session handles the messages of one client, one call at a time and in order.
type Session interface {
	// HandleRequest answers a request. The next message is read after it returns, or from its call of
	// release on. The connection calls written after it has written the response.
	HandleRequest(ctx context.Context, method string, params []byte, release func(written func())) (jsonrpc2.RawMessage, error)
	HandleNotification(method string, params []byte)
	// HangUp ends the session because nothing more can be read. The reason is io.EOF if the peer
	// closed the connection between two messages.
	HangUp(reason error)
	// Context ends with the session.
	Context() context.Context
	// ExitStatus waits for the session's end.
	ExitStatus() int
	// Wait waits briefly, after the session's end, for what it started.
	Wait()
}

// A Peer is the client's end of a connection.
type Peer interface {
	// Call sends a request, waits for the response and decodes it into result, unless result is
	// nil. The goroutine that reads messages must not call it.
	Call(ctx context.Context, method string, params, result any) error
	// Notify sends a notification. It ignores errors of a closed connection.
	Notify(method string, params any)
}

// Codec encodes the protocol's types, whose unions encoding/json cannot handle. The protocol
// package does not export its own codec.
type Codec struct{}

// Marshal encodes v. It returns raw JSON unchanged.
func (Codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok && raw != nil {
		return raw, nil
	}
	return protocol.Marshal(v)
}

// Unmarshal decodes data into v.
func (Codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = append(jsonrpc2.RawMessage(nil), data...)
		return nil
	}
	return protocol.Unmarshal(data, v)
}

// Encode encodes a value whose encoding cannot fail, such as a struct of strings and numbers.
func Encode(v any) []byte {
	encoded, err := Codec{}.Marshal(v)
	if err != nil {
		panic(err)
	}
	return encoded
}

// headerFrames are the frames of a byte stream: a header with the length, a blank line, and the
// body.
type headerFrames struct {
	io.ReadWriteCloser
	in  *bufio.Reader
	out *bufio.Writer
}

func newHeaderFrames(rw io.ReadWriteCloser) headerFrames {
	return headerFrames{rw, bufio.NewReaderSize(rw, maxHeader), bufio.NewWriter(rw)}
}

func (f headerFrames) read(limit int) ([]byte, error) {
	length, err := readHeader(f.in, limit)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer // grows as the bytes arrive
	body.Grow(min(length, firstChunk))
	n, err := body.ReadFrom(io.LimitReader(f.in, int64(length)))
	if err == nil && n < int64(length) {
		err = io.ErrUnexpectedEOF
	}
	return body.Bytes(), err
}

// write writes a body with its header: in one call if both are short, and without a copy of a long body.
func (f headerFrames) write(body []byte) error {
	fmt.Fprintf(f.out, "Content-Length: %d\r\n\r\n", len(body))
	_, _ = f.out.Write(body) // Flush returns the first error
	return f.out.Flush()
}

// maxHeader is far longer than any header that clients send.
const maxHeader = 8 << 10

// firstChunk is how much memory is allocated before any of the body has arrived, so that a length
// alone does not claim memory.
const firstChunk = 64 << 10

// readHeader reads a header up to its blank line and returns the length of the body, at most limit.
// Names are case-insensitive, and lines may end in a bare line feed. Any field other than
// Content-Length and Content-Type is an error: a browser can send HTTP to any port, and its request
// must not pass for a frame.
func readHeader(in *bufio.Reader, limit int) (length int, err error) {
	length = -1
	for room := maxHeader; ; {
		line, err := in.ReadSlice('\n')
		switch room -= len(line); {
		case room < 0, errors.Is(err, bufio.ErrBufferFull):
			return 0, fmt.Errorf("the header is longer than %d bytes", maxHeader)
		case errors.Is(err, io.EOF) && room < maxHeader:
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		}
		field := strings.TrimRight(string(line), "\r\n")
		if field == "" {
			break
		}
		name, value, ok := strings.Cut(field, ":")
		switch {
		case !ok:
			return 0, fmt.Errorf("the header line %.40q has no colon", field)
		case strings.EqualFold(name, "Content-Type"):
			continue
		case !strings.EqualFold(name, "Content-Length"):
			return 0, fmt.Errorf("the header line %.40q is neither Content-Length nor Content-Type", field)
		case length >= 0:
			return 0, errors.New("the header has two Content-Length lines")
		}
		if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length <= 0 || length > limit {
			return 0, fmt.Errorf("the Content-Length is %.40q; expected 1 to %d", strings.TrimSpace(value), limit)
		}
	}
	if length < 0 {
		return 0, errors.New("the header has no Content-Length")
	}
	return length, nil
}
