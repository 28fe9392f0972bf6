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

// Stream is a connection's messages. It is a jsonrpc2.Stream that also hands out
// raw frames, which the library decodes faster.
type Stream struct {
	// OnEnd is called when nothing more can be read, with the reason: io.EOF if the
	// peer closed between two messages. The library learns it later, because it waits
	// for handlers that are running. Nil for nothing.
	OnEnd func(error)

	conn  io.ReadWriteCloser
	in    *bufio.Reader
	first []byte // read by Peek, and not yet by ReadFrame

	writeMu  sync.Mutex
	writeBuf []byte
}

// New frames conn.
func New(conn io.ReadWriteCloser) *Stream {
	return &Stream{conn: conn, in: bufio.NewReaderSize(conn, maxHeader)}
}

// Peek reads the first body, of at most limit bytes, and leaves it for ReadFrame.
func (s *Stream) Peek(limit int) (body []byte, err error) {
	s.first, err = s.nextBody(limit)
	return s.first, err
}

// ReadFrame returns the next body that is one message; it is the caller's. Other
// bodies are answered here.
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
	errNotRequest = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the message is no JSON-RPC 2.0 request")
	errBatch      = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "batches are not part of the protocol; send each message in its own frame")
)

// checkMessage returns what is wrong with a body as a message; nil if nothing is.
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

// WriteFrame writes one body behind its header, whoever else is writing: in a
// single write unless it is so large that another copy of it would weigh more.
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
