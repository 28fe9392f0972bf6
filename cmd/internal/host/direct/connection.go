package direct

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"time"
)

// Limits of a reply's head, and of how many heads announce one.
const (
	maxHead  = 1 << 20
	maxHeads = 5
)

// connection is to one server, and has one request at a time.
type connection struct {
	wire  net.Conn
	in    *bufio.Reader
	out   *bufio.Writer
	left  int64     // bytes that may still be read
	heard bool      // something of the reply to the request
	since time.Time // when it was last used
}

func connected(wire net.Conn) *connection {
	c := &connection{wire: wire}
	const most = 32 << 10 // of most questions and replies, in one piece
	c.in, c.out = bufio.NewReaderSize(c, most), bufio.NewWriterSize(wire, most)
	return c
}

// Read reads what may still be read.
func (c *connection) Read(into []byte) (int, error) {
	if c.left <= 0 {
		return 0, fmt.Errorf("the head of its reply has more than %d MiB", maxHead>>20)
	}
	n, err := c.wire.Read(into[:min(int64(len(into)), c.left)])
	c.left -= int64(n)
	c.heard = c.heard || n > 0
	return n, err
}

// exchange sends a request and reads the head of its reply. Whoever has read the reply
// to its end may keep the connection.
func (c *connection) exchange(req *http.Request, keep func()) (*http.Response, error) {
	ctx := req.Context()
	unwatched := context.AfterFunc(ctx, func() { c.wire.SetDeadline(time.Unix(1, 0)) })
	reply, err := c.ask(req)
	if err != nil {
		unwatched()
		c.wire.Close()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	last := reply.Close || req.Close || reply.StatusCode == http.StatusSwitchingProtocols
	reply.Body = &body{ReadCloser: reply.Body, done: func(ended bool) {
		if unwatched() && ended && !last && c.in.Buffered() == 0 {
			keep()
			return
		}
		c.wire.Close()
	}}
	return reply, nil
}

// ask writes a request and reads the head of its reply. A server may reply, and close
// the connection, before it has read all of a request.
func (c *connection) ask(req *http.Request) (*http.Response, error) {
	c.heard = false
	failed := req.Write(c.out)
	if failed == nil {
		failed = c.out.Flush()
	}
	for range maxHeads {
		c.left = maxHead
		reply, err := http.ReadResponse(c.in, req)
		if err != nil {
			return nil, cmp.Or(failed, err)
		}
		if reply.StatusCode >= 200 || reply.StatusCode == http.StatusSwitchingProtocols {
			c.left = math.MaxInt64
			reply.Close = reply.Close || failed != nil
			return reply, nil
		}
	}
	return nil, errors.New("it announces a reply, and has none")
}

// body tells when it has ended, or nobody reads on.
type body struct {
	io.ReadCloser
	done func(ended bool)
}

func (b *body) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if err != nil {
		b.finish(err == io.EOF)
	}
	return n, err
}

func (b *body) Close() error {
	b.finish(false)
	return nil // the connection is closed or kept
}

func (b *body) finish(ended bool) {
	if b.done != nil {
		b.done(ended)
		b.done = nil
	}
}
