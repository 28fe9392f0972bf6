package direct

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Transport is an [http.RoundTripper] that keeps its connections for the next request.
type Transport struct {
	rest *http.Transport
	mu   sync.Mutex
	idle map[string][]*connection // by address; those used last stand last
}

// Over is a transport that dials as another does, and leaves to it what it does not do
// itself.
func Over(rest *http.Transport) *Transport {
	return &Transport{rest: rest, idle: map[string][]*connection{}}
}

// maxIdle is how long a connection is kept that nobody uses: less than most servers keep
// theirs, for what is asked on one that they have closed is asked twice.
const maxIdle = time.Second

// RoundTrip is [http.RoundTripper]'s. The reply's body has to be closed, and read to its
// end if the connection is to be used again. A server may close one that nobody uses at
// any time: a request to which nothing came back there, or only that the server has given
// up waiting for one, is sent again, on a new one.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if !t.takes(req) {
		return t.rest.RoundTrip(req)
	}
	at := req.URL.Host
	if req.URL.Port() == "" {
		at = strings.TrimSuffix(at, ":") + ":80"
	}
	if c := t.take(at); c != nil {
		reply, err := t.on(c, at, req)
		again := err != nil && !c.heard || err == nil && unasked(reply)
		if !again || req.Context().Err() != nil || req.GetBody == nil {
			return reply, err
		}
		if reply != nil {
			reply.Body.Close()
		}
		req = req.WithContext(req.Context())
		if req.Body, err = req.GetBody(); err != nil {
			return nil, err
		}
	}
	wire, err := t.rest.DialContext(req.Context(), "tcp", at)
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	return t.on(connected(wire), at, req)
}

// unasked reports whether a reply on a used connection is what a server says that gives up
// waiting for a next request, most likely before there was one. [http.Transport], which
// reads on meanwhile, knows it by the same status.
func unasked(reply *http.Response) bool {
	return reply.StatusCode == http.StatusRequestTimeout && reply.Close
}

// on sends a request on a connection, which is kept for the next one.
func (t *Transport) on(c *connection, at string, req *http.Request) (*http.Response, error) {
	return c.exchange(req, func() { t.keep(at, c) })
}

// maxBody is of a request that is written whole before its reply is read. On a larger one
// a server that has replied already, and reads no more, would be waited for.
const maxBody = 64 << 10

// takes reports whether a request is sent in the clear, and to the server itself, and is
// no large one.
func (t *Transport) takes(req *http.Request) bool {
	if req.ContentLength > maxBody || req.URL.Scheme != "http" || req.URL.Host == "" || strings.ContainsFunc(req.URL.Host, func(r rune) bool { return r >= 0x80 }) {
		return false
	}
	proxy, err := t.proxy(req)
	return proxy == nil && err == nil
}

func (t *Transport) proxy(req *http.Request) (*url.URL, error) {
	if t.rest.Proxy == nil {
		return nil, nil
	}
	return t.rest.Proxy(req)
}

// take takes the connection that was used last. If nobody has used that one for too
// long, nobody has used the others either.
func (t *Transport) take(at string) *connection {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.idle[at]
	if len(kept) == 0 {
		return nil
	}
	last := kept[len(kept)-1]
	if time.Since(last.since) < maxIdle {
		t.idle[at] = kept[:len(kept)-1]
		return last
	}
	for _, c := range kept {
		c.wire.Close()
	}
	delete(t.idle, at)
	return nil
}

func (t *Transport) keep(at string, c *connection) {
	c.since = time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.idle[at] = append(t.idle[at], c)
}
