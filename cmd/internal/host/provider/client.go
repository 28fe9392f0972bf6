package provider

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/rubric-ls/rubric/core/judge/wire"
	"github.com/rubric-ls/rubric/core/judge/wire/address"
)

const (
	maxReply     = 8 << 20 // bytes that a reply may have
	maxHeaders   = 1 << 20 // bytes that its status line and headers may have
	maxRedirects = 5       // redirects that are followed
)

// Client sends requests to providers. Its models share connections, and those of
// one provider and address that are limited alike these limits.
type Client struct {
	Timeout time.Duration // for one try
	Limits  Limits        // of each provider that has none of its own

	// Wait waits for a time, or until the context is done, with its cause.
	Wait func(context.Context, time.Duration) error
	// Now is the time that limits count by.
	Now func() time.Time
	// Jitter is from 0 to 1: how much of a wait is left to chance.
	Jitter func() float64

	transport *http.Transport
	mu        sync.Mutex
	limiters  map[string]*limiter // by provider, address and limits
}

// NewClient is a client that waits by the machine's clock, and goes through the
// proxies that the environment names.
func NewClient(timeout time.Duration, limits Limits) *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns = 0          // MaxIdleConnsPerHost is the limit
	transport.MaxIdleConnsPerHost = 100 // as many as there may be workers
	transport.MaxResponseHeaderBytes = maxHeaders
	transport.DisableCompression = true  // a reply that is compressed even so is unpacked here
	transport.WriteBufferSize = 32 << 10 // most questions, in one piece
	transport.Proxy = environmentProxy
	transport.OnProxyConnectResponse = checkProxyConnect
	return &Client{
		Timeout: timeout, Limits: limits, Wait: sleep, Now: time.Now, Jitter: rand.Float64,
		transport: transport, limiters: map[string]*limiter{},
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// newRequest is what every question to an address is sent as, but for the question.
func newRequest(at address.Address) (*http.Request, error) {
	req, err := http.NewRequest(http.MethodPost, at.URL, nil)
	if err != nil {
		return nil, errors.New("its address is no URL")
	}
	req.Header.Set("User-Agent", "rubric")
	// net/http repeats a POST on a new connection only if the request has this key: a server
	// may close an idle connection at any time. A header without values is not sent.
	req.Header["Idempotency-Key"] = nil
	for name, value := range at.Header {
		if !isToken(name) {
			return nil, fmt.Errorf("`%s` is no name of a header", name)
		}
		if strings.ContainsFunc(value, isControl) {
			return nil, fmt.Errorf("its header `%s` holds what no header may", name) // which may be a key
		}
		req.Header.Set(name, value)
	}
	if user := req.URL.User; user != nil && req.Header.Get("Authorization") == "" {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
	return req, nil
}

// isToken reports whether HTTP allows a name for a header.
func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// send makes one try, as a request that it leaves as it is. A reply of any status is a
// reply; that there is none is a [*wire.Fault], or the cause of ctx.
func (c *Client) send(ctx context.Context, template *http.Request, question []byte, timeout time.Duration) (wire.Reply, error) {
	timeoutCtx, cancel := context.WithTimeoutCause(ctx, timeout, timeoutError(timeout))
	defer cancel()
	req := template.WithContext(timeoutCtx)
	req.ContentLength = int64(len(question))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(question)), nil }
	req.Body, _ = req.GetBody()
	reply, err := c.roundTrip(req)
	switch {
	case ctx.Err() != nil:
		return wire.Reply{}, context.Cause(ctx)
	case timeoutCtx.Err() != nil && err != nil:
		return wire.Reply{}, &wire.Fault{Kind: wire.ConnectionLost, Message: context.Cause(timeoutCtx).Error()}
	case err != nil:
		return wire.Reply{}, connectionFault(err)
	}
	return reply, nil
}

// roundTrip sends a request, and again to where the server has moved it.
func (c *Client) roundTrip(req *http.Request) (wire.Reply, error) {
	for range maxRedirects {
		response, err := c.transport.RoundTrip(req)
		if err != nil {
			return wire.Reply{}, err
		}
		moved, err := redirectRequest(req, response)
		if via, _ := environmentProxy(req); via != nil && response.StatusCode == http.StatusProxyAuthRequired {
			err = proxyError(response.StatusCode)
		}
		if err == nil && moved == nil {
			return readReply(response)
		}
		response.Body.Close()
		if err != nil {
			return wire.Reply{}, err
		}
		req = moved
	}
	return wire.Reply{}, errors.New("it redirects in circles")
}

// readReply reads a reply to its end.
func readReply(response *http.Response) (wire.Reply, error) {
	defer response.Body.Close()
	body := bodyPool.Get().(*bytes.Buffer)
	defer bodyPool.Put(body)
	body.Reset()
	plain, err := decodeBody(response)
	switch {
	case err != nil && response.StatusCode >= 400: // which says enough
		return wire.Reply{Status: response.StatusCode, Header: response.Header}, nil
	case err != nil:
		return wire.Reply{}, err
	}
	_, err = body.ReadFrom(io.LimitReader(plain, maxReply+1))
	if body.Len() > maxReply {
		err = fmt.Errorf("its reply has more than %d MiB", maxReply>>20)
	}
	text := strings.TrimPrefix(body.String(), "\uFEFF") // which says that it is UTF-8, and is no JSON
	return wire.Reply{Status: response.StatusCode, Header: response.Header, Body: text}, err
}

// decodeBody is the text of a reply that may be compressed though nobody asked for that, as
// servers behind some gateways have it.
func decodeBody(response *http.Response) (io.Reader, error) {
	switch packed := strings.ToLower(response.Header.Get("Content-Encoding")); packed {
	case "", "identity":
		return response.Body, nil
	case "gzip", "x-gzip":
		return gzip.NewReader(response.Body)
	default:
		return nil, fmt.Errorf("its reply is compressed, as `%s`, which nobody asked for", packed)
	}
}

// bodyPool are buffers that nobody uses.
var bodyPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// timeoutError is that there was no reply for so long.
type timeoutError time.Duration

func (e timeoutError) Error() string { return fmt.Sprintf("timed out after %s", time.Duration(e)) }

// redirectError is a redirect that is not followed.
type redirectError struct{ host string }

func (e redirectError) Error() string {
	return fmt.Sprintf("it redirects to `%s`; neither the request nor its key is sent there", e.host)
}

// redirectRequest is the request that a redirect asks for; nil if the reply is none. It goes only
// to where the key is for, and only as the same request: Go's client would hand most
// providers' keys to any host, and turn a POST into a GET.
func redirectRequest(req *http.Request, response *http.Response) (*http.Request, error) {
	keepsMethod := false
	switch response.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		keepsMethod = true
	default:
		return nil, nil
	}
	to, err := response.Location()
	if err != nil {
		return nil, nil // a failure like any other
	}
	if !keepsMethod || to.Scheme != req.URL.Scheme || to.Host != req.URL.Host {
		return nil, redirectError{to.Scheme + "://" + to.Host}
	}
	moved := req.WithContext(req.Context())
	moved.URL = to
	moved.Body, err = req.GetBody()
	return moved, err
}
