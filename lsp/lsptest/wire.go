package lsptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"

	"github.com/gorilla/websocket"
)

// Message is any message of either direction.
type Message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Error is why a request failed.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error is the error in one line.
func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// Wire carries bodies to and from a server.
type Wire interface {
	Read() ([]byte, error)
	Write(body []byte) error
	Close() error
}

// framed is a wire with headers, as over standard input and output.
type framed struct {
	io.ReadWriteCloser
	in *bufio.Reader
}

// Framed carries bodies over a stream of bytes.
func Framed(conn io.ReadWriteCloser) Wire { return &framed{conn, bufio.NewReader(conn)} }

// Read gives the next body.
func (f *framed) Read() ([]byte, error) {
	header, err := textproto.NewReader(f.in).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return nil, fmt.Errorf("the server's Content-Length: %w", err)
	}
	body := make([]byte, length)
	_, err = io.ReadFull(f.in, body)
	return body, err
}

// Write sends a body.
func (f *framed) Write(body []byte) error {
	_, err := fmt.Fprintf(f.ReadWriteCloser, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// socket is a wire of WebSocket messages.
type socket struct{ *websocket.Conn }

// Socket carries bodies over a WebSocket.
func Socket(conn *websocket.Conn) Wire { return socket{conn} }

// Read gives the next body.
func (s socket) Read() ([]byte, error) {
	_, body, err := s.ReadMessage()
	return body, err
}

// Write sends a body.
func (s socket) Write(body []byte) error { return s.WriteMessage(websocket.TextMessage, body) }
