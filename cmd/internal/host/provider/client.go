// Package provider asks models over HTTP. core/judge/provider encodes the questions and decodes the
// answers; this package sends them, with limits and retries.
//
// A temporary failure is retried after a growing delay, or after the one that the provider asks
// for. A feature that a model does not support is left out from then on. A rejected key is not
// used again. Keys go to their own address only: they appear in no error and no answer, and
// follow no redirect to another host.
//
// Retries are implemented here. Libraries decide by the HTTP status and sleep by themselves. Here
// the decoded reply decides (half a body under a status of success is retried, an empty account
// is not), and waiting is injected, so no test sleeps. Limits are implemented here, because the workers of a queue
// share their state.
package provider

import (
	"bytes"
	"cmp"
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

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/judge"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/judge/provider/address"
)

const (
	maxReply     = 8 << 20 // bytes of a reply's body
	maxHeaders   = 1 << 20 // bytes of its status line and headers
	maxRedirects = 5       // redirects that are followed
)

// Client sends requests to providers. Its models share connections. Models of one provider and
// address with equal limits share those limits.
type Client struct {
	Timeout time.Duration // for one attempt
	Limits  Limits        // of providers without limits of their own
	Ledger  judge.Ledger  // by which processes share limits; may be nil

	// Wait waits for a duration, or returns the cause when the context ends.
	Wait func(context.Context, time.Duration) error
	// Now returns the time by which limits count.
	Now func() time.Time
	// Jitter returns the random share of a delay, from 0 to 1.
	Jitter func() float64

	http     *http.Client
	mu       sync.Mutex
	limiters map[string]*limiter // by provider, address and limits
}

// NewClient returns a client that uses the machine's clock and the environment's proxies.
func NewClient(timeout time.Duration, limits Limits) *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns = 0          // no limit but MaxIdleConnsPerHost
	transport.MaxIdleConnsPerHost = 100 // the maximum number of workers
	transport.MaxResponseHeaderBytes = maxHeaders
	transport.DisableCompression = true // decodeBody decompresses unasked compression
	transport.Proxy = environmentProxy
	transport.OnProxyConnectResponse = checkProxyConnect
	return &Client{
		Timeout: timeout, Limits: limits, Wait: host.Sleep, Now: time.Now, Jitter: rand.Float64,
		http: &http.Client{Transport: transport, CheckRedirect: checkRedirect}, limiters: map[string]*limiter{},
	}
}

// newRequest returns the request for an address, without a body.
func newRequest(at address.Address) (*http.Request, error) {
	req, err := http.NewRequest(http.MethodPost, at.URL, nil)
	if err != nil {
		return nil, errors.New("its address is not a URL")
	}
	req.Header.Set("User-Agent", "rubric")
	// net/http repeats a POST on a new connection only if the request has this key: a server
	// may close an idle connection at any time. A header without values is not sent.
	req.Header["Idempotency-Key"] = nil
	for name, value := range at.Header {
		if !isToken(name) {
			return nil, fmt.Errorf("`%s` is not a valid header name", name)
		}
		if strings.ContainsFunc(value, isControl) {
			return nil, fmt.Errorf("its header `%s` contains a control character", name) // not shown: it may be a key
		}
		req.Header.Set(name, value)
	}
	if user := req.URL.User; user != nil && req.Header.Get("Authorization") == "" {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
	return req, nil
}

// isToken reports whether HTTP allows name as the name of a header.
func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// send makes one attempt with a copy of template. A reply of any status is a reply. Without one,
// the error is a [*wire.Fault] or the cause of ctx.
func (c *Client) send(ctx context.Context, template *http.Request, question []byte, timeout time.Duration) (wire.Response, error) {
	timeoutCtx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("timed out after %s", timeout))
	defer cancel()
	req := template.WithContext(timeoutCtx)
	if req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(question)), nil }; question == nil {
		req.GetBody = func() (io.ReadCloser, error) { return http.NoBody, nil }
	}
	req.ContentLength = int64(len(question))
	req.Body, _ = req.GetBody()
	reply, err := c.roundTrip(req)
	switch {
	case ctx.Err() != nil:
		return wire.Response{}, context.Cause(ctx)
	case timeoutCtx.Err() != nil && err != nil:
		return wire.Response{}, &wire.Fault{Kind: wire.ConnectionLost, Message: context.Cause(timeoutCtx).Error()}
	case err != nil:
		return wire.Response{}, connectionFault(err)
	}
	return reply, nil
}

func (c *Client) roundTrip(req *http.Request) (wire.Response, error) {
	response, err := c.http.Do(req)
	if err != nil {
		return wire.Response{}, err
	}
	if response.StatusCode == http.StatusProxyAuthRequired {
		if via, _ := environmentProxy(req); via != nil {
			response.Body.Close()
			return wire.Response{}, proxyFault(response.StatusCode)
		}
	}
	return readResponse(response)
}

// checkRedirect allows redirects only to the same host and with the same method: Go's client would
// send most providers' keys to any host, and turn a POST into a GET.
func checkRedirect(req *http.Request, before []*http.Request) error {
	status, first := req.Response.StatusCode, before[0].URL
	keepsMethod := status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
	switch {
	case !keepsMethod || req.URL.Scheme != first.Scheme || req.URL.Host != first.Host:
		return blocked(fmt.Sprintf("it redirects to `%s://%s`; neither the request nor its key is sent there", req.URL.Scheme, req.URL.Host))
	case len(before) >= maxRedirects:
		return errors.New("it redirects too often")
	}
	req.Header.Del("Referer") // the address may hold a key
	return nil
}

func readResponse(response *http.Response) (wire.Response, error) {
	defer response.Body.Close()
	plain, err := decodeBody(response)
	switch {
	case err != nil && response.StatusCode >= 400: // the status suffices
		return wire.Response{Status: response.StatusCode, Header: response.Header}, nil
	case err != nil:
		return wire.Response{}, err
	}
	body, err := io.ReadAll(io.LimitReader(plain, maxReply+1))
	if len(body) > maxReply {
		err = fmt.Errorf("its reply has more than %d MiB", maxReply>>20)
	}
	text := strings.TrimPrefix(string(body), "\uFEFF") // a byte order mark is not JSON
	return wire.Response{Status: response.StatusCode, Header: response.Header, Body: text}, err
}

// decodeBody decompresses a reply. Servers behind some gateways compress even unasked.
func decodeBody(response *http.Response) (io.Reader, error) {
	switch packed := strings.ToLower(response.Header.Get("Content-Encoding")); packed {
	case "", "identity":
		return response.Body, nil
	case "gzip", "x-gzip":
		return gzip.NewReader(response.Body)
	default:
		return nil, fmt.Errorf("its reply has the unsupported encoding `%s`", packed)
	}
}

// Request is a request that is no question to a model, such as one to a server of agents.
type Request struct {
	Method  string
	Address address.Address
	Body    []byte
	Timeout time.Duration // for one attempt; the client's by default
	// Once says that the server acts on the request, so that it is sent again only if the server has
	// refused it for now (statuses 429 and 503).
	Once bool
	// Redact removes secrets from the response; nil if there are none.
	Redact func(string) string
}

// Exchange sends a request, again after temporary failures, and returns the response of a successful
// status. Otherwise the error wraps a [*wire.Fault], unless it is the cause of ctx.
func (c *Client) Exchange(ctx context.Context, r Request) (wire.Response, error) {
	template, err := newRequest(r.Address)
	if err != nil {
		return wire.Response{}, err
	}
	if template.Method = r.Method; r.Once {
		delete(template.Header, "Idempotency-Key")
	}
	for try := 0; ; try++ {
		reply, err := c.send(ctx, template, r.Body, cmp.Or(r.Timeout, c.Timeout))
		if r.Redact != nil {
			reply.Body = r.Redact(reply.Body)
		}
		if err == nil && (reply.Status < 200 || reply.Status > 299) {
			err = wire.StatusFault(reply)
		}
		fault, ok := errors.AsType[*wire.Fault](err)
		if !ok {
			return reply, err
		}
		delay, retry := DefaultRetry.nextDelay(fault, try, c.Jitter())
		if !retry || r.Once && fault.Status != http.StatusTooManyRequests && fault.Status != http.StatusServiceUnavailable {
			return reply, fault
		}
		if err := c.Wait(ctx, delay); err != nil {
			return reply, err
		}
	}
}
