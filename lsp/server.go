package lsp

import (
	"context"
	"io"
	"log"
	"time"
)

// Server is what the sessions of a process have in common.
type Server struct {
	Name    string // how clients show it
	Version string
	Disk    Disk
	Host    Host
	// Remote says that clients are on other machines: they are shown no file of
	// this one and may run nothing on it.
	Remote bool
	// Log is where faults of clients and of ours are told; nil for nowhere. Never
	// standard output: that is the client's.
	Log *log.Logger
	// Context is when sessions over streams end, if their clients do not end them
	// before; nil for never.
	Context context.Context
	// Quiet is how long nothing may have changed before files beside the open
	// ones are looked at again; 0 is [DefaultQuiet].
	Quiet time.Duration
}

// DefaultQuiet is longer than the pauses of somebody who types.
const DefaultQuiet = 250 * time.Millisecond

func (s *Server) logger() *log.Logger {
	if s.Log == nil {
		return log.New(io.Discard, "", 0)
	}
	return s.Log
}

func (s *Server) quiet() time.Duration {
	if s.Quiet == 0 {
		return DefaultQuiet
	}
	return s.Quiet
}
