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

// Message is a JSON-RPC message.
type Message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Error is a JSON-RPC error.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error returns the code and the message.
func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// Wire carries message bodies to and from a server.
type Wire interface {
	Read() ([]byte, error)
	Write(body []byte) error
	Close() error
}

// framed is a wire with LSP headers.
type framed struct {
	io.ReadWriteCloser
	in *bufio.Reader
}

// Framed returns a wire over a byte stream.
func Framed(conn io.ReadWriteCloser) Wire { return &framed{conn, bufio.NewReader(conn)} }

// Read returns the next body.
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

// Socket returns a wire over a WebSocket.
func Socket(conn *websocket.Conn) Wire { return socket{conn} }

// Read returns the next body.
func (s socket) Read() ([]byte, error) {
	_, body, err := s.ReadMessage()
	return body, err
}

// Write sends a body.
func (s socket) Write(body []byte) error { return s.WriteMessage(websocket.TextMessage, body) }
