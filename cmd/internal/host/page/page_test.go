package page_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gorilla/websocket"

	"github.com/rubric-ls/rubric/cmd/internal/host/page"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// built is a page as it is stored.
func built(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for name, body := range map[string]string{"index.html": "<!doctype html>", "assets/page-1a2b.js": "export {}", "assets/endpoint-worker-1a.js": "a", "assets/grader-worker-1a.js": "g", "assets/rubric-1a.wasm": "\x00asm"} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := io.WriteString(w, body); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		files[name+".gz"] = &fstest.MapFile{Data: packed.Bytes()}
	}
	return files
}

// serve serves the page with a live server behind it, and gives its address.
func serve(t *testing.T) (address string) {
	t.Helper()
	l, err := transport.Listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	live := &transport.WebSocket{Server: &lsp.Server{Name: "rubric"}, Token: "secret", Context: ctx}
	ended := make(chan error, 1)
	go func() {
		ended <- page.Server{Site: page.Site(built(t)), Live: live, Token: live.Token, PublicURL: "https://example.com/playground/", Results: results}.Serve(ctx, l)
	}()
	t.Cleanup(func() {
		stop()
		live.Wait()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// results has a page, a text and a case.
func results(name string, query url.Values) ([]byte, error) {
	if query.Get("run") == "gone" || !slices.Contains([]string{"", page.Version, page.Case, page.Open}, name) {
		return []byte("why"), errors.New("why")
	}
	return []byte("stored"), nil
}

// ask sends a request with headers, "Host" among them, and gives the response
// with its body.
func ask(t *testing.T, method, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	in, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if in.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			in.Host = headers[i+1]
		}
	}
	out, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(in)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Body.Close()
	body, err := io.ReadAll(out.Body)
	if err != nil {
		t.Fatal(err)
	}
	if out.Header.Get("Content-Encoding") == "gzip" && len(body) > 0 {
		reader, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if body, err = io.ReadAll(reader); err != nil {
			t.Fatal(err)
		}
	}
	return out, string(body)
}

func TestFiles(t *testing.T) {
	at := "http://" + serve(t)
	for _, c := range []struct {
		path, accepts   string
		body, kind, how string
	}{
		{"/", "", "<!doctype html>", "text/html; charset=utf-8", ""},
		{"/index.html", "br", "<!doctype html>", "text/html; charset=utf-8", ""},
		{"/", "gzip, deflate, br", "<!doctype html>", "text/html; charset=utf-8", "gzip"},
		{"/assets/page-1a2b.js", "deflate,gzip;q=0.5", "export {}", "text/javascript; charset=utf-8", "gzip"},
		{"/assets/rubric-1a.wasm", "", "\x00asm", "application/wasm", ""},
		{"/assets/rubric-small-2b.wasm", "", "\x00asm", "application/wasm", ""},
	} {
		out, body := ask(t, "GET", at+c.path, "Accept-Encoding", c.accepts)
		if out.StatusCode != 200 || body != c.body || out.Header.Get("Content-Type") != c.kind || out.Header.Get("Content-Encoding") != c.how {
			t.Errorf("%s as %q: %d, %q, %v", c.path, c.accepts, out.StatusCode, body, out.Header)
		}
		again, body := ask(t, "GET", at+c.path, "Accept-Encoding", c.accepts, "If-None-Match", out.Header.Get("ETag"))
		if again.StatusCode != http.StatusNotModified || body != "" {
			t.Errorf("%s again: %d, %q", c.path, again.StatusCode, body)
		}
	}
	if out, body := ask(t, "HEAD", at+"/"); out.StatusCode != 200 || body != "" {
		t.Errorf("HEAD: %d, %q", out.StatusCode, body)
	}
	for path, status := range map[string]int{"/none": 404, "/assets": 404, "/index.html.gz": 404} {
		if out, _ := ask(t, "GET", at+path); out.StatusCode != status {
			t.Errorf("%s: %d", path, out.StatusCode)
		}
	}
	if out, _ := ask(t, "POST", at+"/"); out.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", out.StatusCode)
	}
}

// TestPolicy: only the page's own code runs in it.
func TestPolicy(t *testing.T) {
	out, _ := ask(t, "GET", "http://"+serve(t)+"/")
	policy := out.Header.Get("Content-Security-Policy")
	for _, never := range []string{"unsafe-inline", "'unsafe-eval'", "*;script", "http: "} {
		if strings.Contains(policy, never) {
			t.Errorf("%s in %s", never, policy)
		}
	}
	for _, always := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval';", "base-uri 'none'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, always) {
			t.Errorf("%s is not in %s", always, policy)
		}
	}
}

// TestWorkersPolicies: the page connects to nobody else, the worker that asks models
// only to where they may be, and that of graders to nobody.
func TestWorkersPolicies(t *testing.T) {
	at := "http://" + serve(t)
	for path, want := range map[string]string{
		"/":                             "connect-src 'self';",
		"/assets/page-1a2b.js":          "connect-src 'self';",
		"/assets/endpoint-worker-1a.js": "default-src 'none'; connect-src https: http://localhost:* http://127.0.0.1:*",
		"/assets/grader-worker-1a.js":   "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
	} {
		if out, _ := ask(t, "GET", at+path); !strings.Contains(out.Header.Get("Content-Security-Policy")+";", want) {
			t.Errorf("%s: %s", path, out.Header.Get("Content-Security-Policy"))
		}
	}
}

// TestResults: results are only below the token, and a case leads to the page with what it opens.
func TestResults(t *testing.T) {
	at := "http://" + serve(t)
	for _, c := range []struct {
		path           string
		status         int
		kind, location string
	}{
		{"/secret/", 200, "text/html; charset=utf-8", ""},
		{"/secret/none", 404, "text/html; charset=utf-8", ""},
		{"/secret/version", 200, "text/plain; charset=utf-8", ""},
		{"/secret/case.json?run=a", 200, "application/json", ""},
		{"/secret/case.json?run=gone", 404, "text/plain; charset=utf-8", ""},
		{"/secret/open", 302, "text/html; charset=utf-8", "/#live=secret"},
		{"/secret/open?run=a%2Fb%26c&case=%23", 302, "text/html; charset=utf-8", "/#case=%23&live=secret&run=a%2Fb%26c"},
		{"/secret/open?run=gone", 404, "text/html; charset=utf-8", ""},
		{"/wrong/", 404, "text/html; charset=utf-8", ""},
		{"/wrong/case.json?run=a", 404, "text/html; charset=utf-8", ""},
		{"/case.json?run=a", 404, "text/html; charset=utf-8", ""},
	} {
		out, body := ask(t, "GET", at+c.path)
		if out.StatusCode != c.status || out.Header.Get("Content-Type") != c.kind || out.Header.Get("Location") != c.location {
			t.Errorf("%s: %d %v", c.path, out.StatusCode, out.Header)
		}
		if isStored := strings.HasPrefix(c.path, "/secret/") && c.status == 200; (body == "stored") != isStored && c.status != 302 {
			t.Errorf("%s: %s", c.path, body)
		}
		if out.Header.Get("Cache-Control") != "no-store" || out.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", c.path, out.Header)
		}
	}
	if out, _ := ask(t, "POST", at+"/secret/"); out.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", out.StatusCode)
	}
}

// TestAddress: the page reads where its links lead from the server, each time.
func TestAddress(t *testing.T) {
	out, body := ask(t, "GET", "http://"+serve(t)+"/address.txt")
	if body != "https://example.com/playground/" || out.Header.Get("Cache-Control") != "no-cache" || !strings.HasPrefix(out.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%s %v", body, out.Header)
	}
}

// TestOwn: requests under another host name are refused, because any name can be made to resolve
// to this machine.
func TestOwn(t *testing.T) {
	address := serve(t)
	_, port, _ := net.SplitHostPort(address)
	for name, status := range map[string]int{
		"localhost:" + port: 200, "127.0.0.1:" + port: 200, "evil.example:" + port: 403, "127.0.0.1.evil.example": 403, "localhostile": 403,
	} {
		if out, _ := ask(t, "GET", "http://"+address+"/", "Host", name); out.StatusCode != status {
			t.Errorf("%s: %d", name, out.StatusCode)
		}
	}
}

// TestForeign: requests by which other pages reach a local server get nothing, and no
// answer lets another origin read it.
func TestForeign(t *testing.T) {
	address := serve(t)
	_, port, _ := net.SplitHostPort(address)
	for _, c := range []struct {
		name, sent string
		status     int
	}{
		{"a foreign name", "GET / HTTP/1.1\r\nHost: evil.example\r\n", 403},
		{"a name that leads here", "GET / HTTP/1.1\r\nHost: rebound.example:" + port + "\r\n", 403},
		{"a dot at the end", "GET / HTTP/1.1\r\nHost: localhost.:" + port + "\r\n", 403},
		{"a name that ends as ours", "GET / HTTP/1.1\r\nHost: evil-localhost:" + port + "\r\n", 403},
		{"a user before ours", "GET / HTTP/1.1\r\nHost: evil@localhost\r\n", 400},
		{"all addresses", "GET / HTTP/1.1\r\nHost: 0.0.0.0:" + port + "\r\n", 403},
		{"another loopback", "GET / HTTP/1.1\r\nHost: 127.0.0.2:" + port + "\r\n", 403},
		{"no name", "GET / HTTP/1.1\r\nHost: \r\n", 403},
		{"a foreign name in the path", "GET http://evil.example/ HTTP/1.1\r\nHost: localhost:" + port + "\r\n", 403},
		{"two names", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n", 400},
		{"a folder above", "GET /../../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n", http.StatusTemporaryRedirect}, // to a path that is not there
		{"a folder above, encoded", "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n", 404},
		{"a slash, encoded", "GET /..%2f..%2fetc/passwd HTTP/1.1\r\nHost: localhost\r\n", 404},
		{"a backslash", "GET /..\\..\\etc\\passwd HTTP/1.1\r\nHost: localhost\r\n", 404},
		{"a NUL", "GET /index.html%00.js HTTP/1.1\r\nHost: localhost\r\n", 404},
		{"a file as it is stored", "GET /index.html.gz HTTP/1.1\r\nHost: localhost\r\n", 404},
		{"a preflight", "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n", 405},
		{"PUT", "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n", 405},
		{"DELETE", "DELETE / HTTP/1.1\r\nHost: localhost\r\n", 405},
		{"TRACE", "TRACE / HTTP/1.1\r\nHost: localhost\r\n", 405},
		{"another page's read", "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n", 200},
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, c.sent+"Connection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		out, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if out.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", c.name, out.StatusCode, c.status)
		}
		for header := range out.Header {
			if strings.HasPrefix(header, "Access-Control-") {
				t.Errorf("%s: %s is sent", c.name, header)
			}
		}
		conn.Close()
	}
}

// TestLive: the language server answers only a page with the token.
func TestLive(t *testing.T) {
	address := serve(t)
	for _, c := range []struct {
		origin, query string
		status        int
	}{
		{"http://" + address, "?token=secret", http.StatusSwitchingProtocols},
		{"http://" + address, "", http.StatusUnauthorized},
		{"http://" + address, "?token=wrong", http.StatusUnauthorized},
		{"https://evil.example", "?token=secret", http.StatusForbidden},
		{"null", "?token=secret", http.StatusForbidden},
	} {
		socket, out, err := websocket.DefaultDialer.Dial("ws://"+address+"/lsp"+c.query, http.Header{"Origin": {c.origin}})
		if out == nil || out.StatusCode != c.status {
			t.Errorf("%s%s: %v, %v", c.origin, c.query, out, err)
		}
		if err == nil {
			_ = socket.Close()
		}
	}
}
