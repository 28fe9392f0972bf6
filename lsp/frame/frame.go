// Package frame reads and writes JSON-RPC messages over a byte stream in the LSP framing: a header
// with the length, a blank line, and the body.
//
// It limits how much memory a peer can claim. A header that the protocol does not define ends the
// connection. A body that is not exactly one message gets an error response and is skipped; the
// stream of the jsonrpc2 library would end the connection. The package knows no LSP method.
package frame

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// Stream carries the messages of one connection. It implements jsonrpc2.Stream and the library's
// optional interface for raw frames, which it decodes faster.
type Stream struct {
	// OnEnd is called with the reason when nothing more can be read. The reason is io.EOF if the
	// peer closed between two messages. The library learns it later, because it waits for running
	// handlers. OnEnd may be nil.
	OnEnd func(error)

	conn  io.ReadWriteCloser
	in    *bufio.Reader
	first []byte // read by Peek, not yet by ReadFrame

	writeMu  sync.Mutex
	writeBuf []byte
}

// New returns a stream over conn.
func New(conn io.ReadWriteCloser) *Stream {
	return &Stream{conn: conn, in: bufio.NewReaderSize(conn, maxHeader)}
}

// Peek reads the first body, of at most limit bytes, and leaves it for ReadFrame.
func (s *Stream) Peek(limit int) (body []byte, err error) {
	s.first, err = s.nextBody(limit)
	return s.first, err
}

// ReadFrame returns the next body that is one message. The caller owns it. Other bodies get an
// error response.
func (s *Stream) ReadFrame(ctx context.Context) ([]byte, int64, error) {
	for {
		body, err := s.first, error(nil)
		if s.first = nil; body == nil {
			body, err = s.nextBody(maxBody)
		}
		if err == nil {
			fault := checkMessage(body)
			if fault == nil {
				return body, int64(len(body)), nil
			}
			_, err = s.WriteFrame(ctx, jsonrpc2.AppendResponse(nil, jsonrpc2.ID{}, nil, fault))
		}
		if err != nil {
			if s.OnEnd != nil {
				s.OnEnd(err)
			}
			return nil, 0, err
		}
	}
}

func (s *Stream) nextBody(limit int) ([]byte, error) {
	length, err := readHeader(s.in, limit)
	if err != nil {
		return nil, err
	}
	return readBody(s.in, length)
}

var (
	errNotJSON    = jsonrpc2.NewError(jsonrpc2.ParseError, "the message is not JSON")
	errNotRequest = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the message is not a JSON-RPC 2.0 request")
	errBatch      = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "batches are not part of the protocol; send each message in its own frame")
)

// checkMessage returns an error if body is not one message.
func checkMessage(body []byte) error {
	if firstByte(body) == '[' {
		return errBatch
	}
	_, err := jsonrpc2.DecodeMessage(body)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsonrpc2.ErrInvalidRequest):
		return errNotRequest
	}
	return errNotJSON
}

func firstByte(body []byte) byte {
	for _, c := range body {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c
		}
	}
	return 0
}

// WriteFrame writes one body with its header. Concurrent calls are safe. Small bodies are written
// together with the header in one call.
func (s *Stream) WriteFrame(_ context.Context, body []byte) (int64, error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	s.writeBuf = append(s.writeBuf[:0], "Content-Length: "...)
	s.writeBuf = strconv.AppendInt(s.writeBuf, int64(len(body)), 10)
	s.writeBuf = append(s.writeBuf, "\r\n\r\n"...)
	if len(body) <= maxCopied {
		s.writeBuf = append(s.writeBuf, body...)
		n, err := s.conn.Write(s.writeBuf)
		return int64(n), err
	}
	head, err := s.conn.Write(s.writeBuf)
	if err != nil {
		return int64(head), err
	}
	n, err := s.conn.Write(body)
	return int64(head + n), err
}

// maxCopied is the largest body that is copied behind its header, and so the size of the reused
// buffer.
const maxCopied = 1 << 20

// Read returns the next message. The library calls ReadFrame instead.
func (s *Stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	body, n, err := s.ReadFrame(ctx)
	if err != nil {
		return nil, n, err
	}
	m, err := jsonrpc2.DecodeMessage(body)
	return m, n, err
}

// Write writes one message.
func (s *Stream) Write(ctx context.Context, m jsonrpc2.Message) (int64, error) {
	return s.WriteFrame(ctx, jsonrpc2.AppendMessage(nil, m))
}

// Close closes the connection.
func (s *Stream) Close() error { return s.conn.Close() }

// Limits of one message: the largest file that the server reads, escaped as JSON, and a header far
// longer than any client sends.
const (
	maxBody   = 128 << 20
	maxHeader = 8 << 10
)

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
		line, err := readLine(in, room)
		if err != nil {
			if errors.Is(err, io.EOF) && (len(line) > 0 || room < maxHeader) {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		room -= len(line)
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

// readLine reads a line of at most room bytes.
func readLine(in *bufio.Reader, room int) (line []byte, err error) {
	for {
		chunk, err := in.ReadSlice('\n')
		line = append(line, chunk...)
		switch {
		case len(line) > room:
			return line, fmt.Errorf("the header is longer than %d bytes", maxHeader)
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// readBody reads length bytes into a buffer that grows as they arrive.
func readBody(in io.Reader, length int) ([]byte, error) {
	var body bytes.Buffer
	body.Grow(min(length, firstChunk))
	n, err := body.ReadFrom(io.LimitReader(in, int64(length)))
	if err == nil && n < int64(length) {
		err = io.ErrUnexpectedEOF
	}
	return body.Bytes(), err
}
