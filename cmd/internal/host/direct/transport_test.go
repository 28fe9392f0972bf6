package direct_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/direct"
)

// server answers the requests of each of its connections with these texts, one by one,
// and closes it after the last. One request is made at a time.
type server struct {
	replies     []string
	connections int
	wires       []net.Conn
}

// dial connects to the server, without a network.
func (s *server) dial(context.Context, string, string) (net.Conn, error) {
	mine, theirs := net.Pipe()
	s.connections++
	s.wires = append(s.wires, theirs)
	go s.serve(theirs)
	return mine, nil
}

func (s *server) hangUp() {
	for _, wire := range s.wires {
		wire.Close()
	}
}

func (s *server) serve(wire net.Conn) {
	defer wire.Close()
	in := bufio.NewReader(wire)
	for _, reply := range s.replies {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		if _, err := io.WriteString(wire, reply); err != nil {
			return
		}
	}
}

func post(ctx context.Context, body string) *http.Request {
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://model.example/v1/chat", strings.NewReader(body))
	return req
}

// said is what a reply holds, or that there is none.
func said(t http.RoundTripper, req *http.Request) string {
	reply, err := t.RoundTrip(req)
	if err != nil {
		return "none"
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return fmt.Sprintf("%d %q, then it breaks off", reply.StatusCode, body)
	}
	return fmt.Sprintf("%d %q", reply.StatusCode, body)
}

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"

// TestAsTheLibrary: a reply, whole or not, is to this transport what it is to net/http's.
func TestAsTheLibrary(t *testing.T) {
	for name, reply := range map[string]string{
		"length":       ok,
		"chunks":       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nfi\r\n2\r\nne\r\n0\r\n\r\n",
		"to the end":   "HTTP/1.1 200 OK\r\n\r\nfine",
		"nothing":      "HTTP/1.1 204 No Content\r\n\r\n",
		"refused":      "HTTP/1.1 429 Too Many\r\nRetry-After: 3\r\nContent-Length: 2\r\n\r\nno",
		"old":          "HTTP/1.0 200 OK\r\n\r\nfine",
		"announced":    "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + ok,
		"half":         "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\nfine",
		"half a chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nfi",
		"half a head":  "HTTP/1.1 200 OK\r\nContent-",
		"no HTTP":      "SSH-2.0-OpenSSH_9.2\r\n",
		"none":         "",
	} {
		library := &http.Transport{DialContext: (&server{replies: []string{reply}}).dial}
		ours := direct.Over(&http.Transport{DialContext: (&server{replies: []string{reply}}).dial})
		want, got := said(library, post(t.Context(), "question")), said(ours, post(t.Context(), "question"))
		if got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
}

// TestAgain: a connection has the next request if the reply before was read to its end,
// and neither side wanted it closed.
func TestAgain(t *testing.T) {
	closing := "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nfine"
	for name, c := range map[string]struct {
		replies []string
		read    int64 // bytes of each reply
		want    int   // connections that three requests need
	}{
		"whole":  {[]string{ok, ok, ok}, 100, 1},
		"half":   {[]string{ok, ok, ok}, 2, 3},
		"closed": {[]string{closing, ok}, 100, 3},
		"more":   {[]string{ok + "more", ok}, 100, 3},
		"gone":   {[]string{ok}, 100, 3}, // as the server does not say beforehand
	} {
		s := &server{replies: c.replies}
		transport := direct.Over(&http.Transport{DialContext: s.dial})
		for range 3 {
			reply, err := transport.RoundTrip(post(t.Context(), "question"))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			io.Copy(io.Discard, io.LimitReader(reply.Body, c.read))
			reply.Body.Close()
		}
		if n := s.connections; n != c.want {
			t.Errorf("%s: %d connections, not %d", name, n, c.want)
		}
	}
}

// TestOnce: what a server has begun to answer, or has closed a new connection on, is not
// asked again.
func TestOnce(t *testing.T) {
	for name, replies := range map[string][]string{"half": {ok, "HTTP/1.1 2"}, "new": {""}} {
		s := &server{replies: replies}
		transport := direct.Over(&http.Transport{DialContext: s.dial})
		for range len(replies) - 1 {
			said(transport, post(t.Context(), "question"))
		}
		if got := said(transport, post(t.Context(), "question")); got != "none" || s.connections != 1 {
			t.Errorf("%s: %s by %d connections", name, got, s.connections)
		}
	}
}

// TestUnasked: that a server has waited too long for a next request is no reply to one. On
// a new connection, and from one who does not hang up, it is.
func TestUnasked(t *testing.T) {
	late := "HTTP/1.1 408 Request Timeout\r\nContent-Length: 4\r\n"
	for name, c := range map[string]struct {
		replies []string
		want    string // is the last reply
		on      int    // connections
	}{
		"closing": {[]string{ok, late + "Connection: close\r\n\r\nlate", ok}, `200 "fine"`, 2},
		"old":     {[]string{"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nfine", "HTTP/1.0 408 Request Time-out\r\n\r\nlate"}, `200 "fine"`, 2},
		"open":    {[]string{ok, late + "\r\nlate", ok}, `408 "late"`, 1},
		"new":     {[]string{late + "Connection: close\r\n\r\nlate"}, `408 "late"`, 2},
		"another": {[]string{ok, "HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbusy"}, `503 "busy"`, 1},
	} {
		s := &server{replies: c.replies}
		transport := direct.Over(&http.Transport{DialContext: s.dial})
		said(transport, post(t.Context(), "question"))
		if got := said(transport, post(t.Context(), "question")); got != c.want || s.connections != c.on {
			t.Errorf("%s: %s by %d connections, not %d", name, got, s.connections, c.on)
		}
	}
}

// TestIdle: a connection that the server may have closed by now is not used.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{replies: []string{ok, ok, ok}}
		defer s.hangUp()
		transport := direct.Over(&http.Transport{DialContext: s.dial})
		for _, c := range []struct {
			after time.Duration
			want  int // connections by then
		}{{0, 1}, {time.Second / 2, 1}, {2 * time.Second, 2}, {time.Minute, 3}} {
			time.Sleep(c.after) // by the bubble's clock
			if got := said(transport, post(t.Context(), "question")); got != `200 "fine"` || s.connections != c.want {
				t.Errorf("after %s: %s by %d connections, not %d", c.after, got, s.connections, c.want)
			}
		}
	})
}

// TestStopped: who does not want to wait any more need not, and the server is told.
func TestStopped(t *testing.T) {
	for _, sent := range []string{"", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfi"} {
		ctx, cancel := context.WithCancel(t.Context())
		told := make(chan error)
		dial := func(context.Context, string, string) (net.Conn, error) {
			mine, theirs := net.Pipe()
			go func() {
				in := bufio.NewReader(theirs)
				req, _ := http.ReadRequest(in)
				io.Copy(io.Discard, req.Body)
				io.WriteString(theirs, sent)
				cancel()
				_, err := in.ReadByte()
				told <- err
			}()
			return mine, nil
		}
		reply, err := direct.Over(&http.Transport{DialContext: dial}).RoundTrip(post(ctx, "question"))
		if sent != "" && err == nil {
			_, err = io.ReadAll(reply.Body)
		}
		if err == nil {
			t.Errorf("after %q: no error", sent)
		}
		if err := <-told; err != io.EOF {
			t.Errorf("after %q the server is told %v", sent, err)
		}
	}
}

// TestEarly: a reply to a large request is had though the server does not read that.
func TestEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refusing := func(context.Context, string, string) (net.Conn, error) {
			mine, theirs := net.Pipe()
			go func() {
				http.ReadRequest(bufio.NewReader(theirs))
				io.WriteString(theirs, "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
			}()
			return mine, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // by the bubble's clock
		defer cancel()
		if got := said(direct.Over(&http.Transport{DialContext: refusing}), post(ctx, strings.Repeat("question ", 10_000))); got != `413 "no"` {
			t.Error(got)
		}
	})
}

// TestEndless: a head or announcements without an end are not read for ever.
func TestEndless(t *testing.T) {
	for name, c := range map[string]struct{ once, again string }{
		"a head":        {"HTTP/1.1 200 OK\r\n", "X: y\r\n"},
		"announcements": {"", "HTTP/1.1 103 Early Hints\r\n\r\n"},
	} {
		dial := func(context.Context, string, string) (net.Conn, error) {
			mine, theirs := net.Pipe()
			go func() {
				defer theirs.Close()
				http.ReadRequest(bufio.NewReader(theirs))
				_, err := io.WriteString(theirs, c.once)
				for err == nil {
					_, err = io.WriteString(theirs, c.again)
				}
			}()
			return mine, nil
		}
		if got := said(direct.Over(&http.Transport{DialContext: dial}), post(t.Context(), "")); got != "none" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestRest: what needs TLS or a proxy is the other transport's.
func TestRest(t *testing.T) {
	hello := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) })
	signed := httptest.NewTLSServer(hello)
	defer signed.Close()
	rest := signed.Client().Transport.(*http.Transport)
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, signed.URL, nil)
	if got := said(direct.Over(rest), req); got != fmt.Sprintf("200 %q", strings.TrimPrefix(signed.URL, "https://")) {
		t.Errorf("with TLS: %s", got)
	}
	proxy := httptest.NewServer(hello)
	defer proxy.Close()
	through, _ := url.Parse(proxy.URL)
	proxied := direct.Over(&http.Transport{Proxy: http.ProxyURL(through)})
	if got := said(proxied, post(t.Context(), "question")); got != `200 "model.example"` {
		t.Errorf("through a proxy: %s", got)
	}
}

// TestMany: requests at a time each have the reply to their own question.
func TestMany(t *testing.T) {
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		question, _ := io.ReadAll(r.Body)
		w.Write(question)
	}))
	defer echo.Close()
	transport := direct.Over(http.DefaultTransport.(*http.Transport))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				question := strings.Repeat(fmt.Sprintf("%d/%d ", i, j), 1+j*j)
				req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, echo.URL, strings.NewReader(question))
				if got := said(transport, req); got != fmt.Sprintf("200 %q", question) {
					t.Errorf("to %.10q: %.40s", question, got)
				}
			}
		})
	}
	all.Wait()
}

// BenchmarkRoundTrip is a question and its reply by this transport, and by net/http's.
func BenchmarkRoundTrip(b *testing.B) {
	reply := strings.Repeat("reply ", 100)
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, reply)
	}))
	defer at.Close()
	library := http.DefaultTransport.(*http.Transport).Clone()
	library.MaxIdleConnsPerHost = 100
	question := strings.Repeat("question ", 300)
	for _, by := range []struct {
		name string
		http.RoundTripper
	}{{"direct", direct.Over(library)}, {"library", library}} {
		b.Run(by.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(2)
			b.RunParallel(func(each *testing.PB) {
				for each.Next() {
					req, _ := http.NewRequestWithContext(b.Context(), http.MethodPost, at.URL, strings.NewReader(question))
					got, err := by.RoundTrip(req)
					if err != nil {
						b.Error(err)
						return
					}
					io.Copy(io.Discard, got.Body)
					got.Body.Close()
				}
			})
		})
	}
}
