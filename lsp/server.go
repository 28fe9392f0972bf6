package lsp

import (
	"cmp"
	"context"
	"io"
	"log"
	"time"

	"github.com/rubric-ls/rubric/lsp/transport"
)

// Server holds what all sessions of a process share.
type Server struct {
	Name    string // as clients show it
	Version string
	Disk    Disk
	Host    Host
	// Remote says that clients run on other machines. They can read no file of this machine and run
	// nothing on it.
	Remote bool
	// Log receives errors of clients and of the server; nil discards them. It must not write to
	// standard output, which carries the protocol.
	Log *log.Logger
	// Trace writes every message to Log.
	Trace bool
	// Context ends the sessions; nil means never.
	Context context.Context
	// Quiet is the pause after the last change before dependencies are read again; 0 means
	// [DefaultQuiet].
	Quiet time.Duration
}

// DefaultQuiet is longer than the pauses while typing.
const DefaultQuiet = 250 * time.Millisecond

// Serve serves the client that started this process until it exits, hangs up or dies. It closes conn
// and returns the protocol's exit status: 0 after shutdown, otherwise 1.
func (s *Server) Serve(conn io.ReadWriteCloser) int { return transport.Serve(s, conn) }

// Logf logs an error of a client.
func (s *Server) Logf(format string, args ...any) { s.logger().Printf(format, args...) }

func (s *Server) logger() *log.Logger { return cmp.Or(s.Log, log.New(io.Discard, "", 0)) }
