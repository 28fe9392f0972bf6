package frame

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// Stream is a connection's messages. It is a jsonrpc2.Stream that also hands
// out raw frames, by which the library recognises that batches can be read.
type Stream struct {
	conn  io.ReadWriteCloser
	in    *bufio.Reader
	ended func(error)

	writing sync.Mutex
	out     []byte
}

// New frames conn. When nothing more can be read, ended is told why (io.EOF if
// the peer closed between two messages) before the library is: it waits for
// handlers that are running, which are to be told at once.
func New(conn io.ReadWriteCloser, ended func(error)) *Stream {
	return &Stream{conn: conn, in: bufio.NewReaderSize(conn, maxHeader), ended: ended}
}

// ReadFrame gives the next body that is a message or a batch of some; it is the
// caller's. Others are answered here.
func (s *Stream) ReadFrame(ctx context.Context) ([]byte, int64, error) {
	for {
		length, err := readHeader(s.in)
		var body []byte
		if err == nil {
			body, err = readBody(s.in, length)
		}
		if err != nil {
			s.ended(err)
			return nil, 0, err
		}
		fault := examine(body)
		if fault == nil {
			return body, int64(length), nil
		}
		if _, err := s.WriteFrame(ctx, jsonrpc2.AppendResponse(nil, jsonrpc2.ID{}, nil, fault)); err != nil {
			s.ended(err)
			return nil, 0, err
		}
	}
}

var (
	errNoJSON    = jsonrpc2.NewError(jsonrpc2.ParseError, "the message is not JSON")
	errNoRequest = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the message is no JSON-RPC 2.0 request")
)

// examine tells why a body is no message; nil if it is one.
func examine(body []byte) error {
	if firstByte(body) == '[' {
		if _, err := jsonrpc2.ParseRequests(body); err != nil {
			return errNoJSON
		}
		return nil // each of them is answered by itself
	}
	_, err := jsonrpc2.DecodeMessage(body)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsonrpc2.ErrInvalidRequest):
		return errNoRequest
	}
	return errNoJSON
}

func firstByte(body []byte) byte {
	for _, c := range body {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c
		}
	}
	return 0
}

// WriteFrame writes one body behind its header, whoever else is writing: in a
// single write unless it is so large that another copy of it would weigh more.
func (s *Stream) WriteFrame(_ context.Context, body []byte) (int64, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.out = append(s.out[:0], "Content-Length: "...)
	s.out = strconv.AppendInt(s.out, int64(len(body)), 10)
	s.out = append(s.out, "\r\n\r\n"...)
	if len(body) <= maxCopied {
		s.out = append(s.out, body...)
		n, err := s.conn.Write(s.out)
		return int64(n), err
	}
	head, err := s.conn.Write(s.out)
	if err != nil {
		return int64(head), err
	}
	n, err := s.conn.Write(body)
	return int64(head + n), err
}

// maxCopied is the largest body that is copied behind its header, and with it the
// size of the buffer that is kept.
const maxCopied = 1 << 20

// Read gives the next message; the library asks for frames instead.
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
