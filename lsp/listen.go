package lsp

import (
	"errors"
	"fmt"
	"net"
)

// ErrRemote is an address that is not this machine's alone.
var ErrRemote = errors.New("can be reached from other machines")

// Listen listens on an address. One without a host is this machine's own, and
// one that other machines reach is [ErrRemote] unless remote lets them in.
func Listen(addr string, remote bool) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("`%s` is no address; expected one like `127.0.0.1:7777`", addr)
	}
	if host == "" && !remote {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		var opErr *net.OpError
		if errors.As(err, &opErr) {
			err = opErr.Err // without the address once more
		}
		return nil, fmt.Errorf("listen on `%s`: %w", addr, err)
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); !remote && (!ok || !tcp.IP.IsLoopback()) {
		_ = l.Close() // nothing was accepted
		return nil, fmt.Errorf("`%s` %w", addr, ErrRemote)
	}
	return l, nil
}
