package provider

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
)

// connectionFault classifies a failed connection as temporary or not, and words it for users.
func connectionFault(err error) *wire.Fault {
	if call, ok := errors.AsType[*url.Error](err); ok { // the message has the address, which may hold a key
		err = call.Err
	}
	var (
		known     *wire.Fault
		authority x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
		hostname  x509.HostnameError
		record    tls.RecordHeaderError
		failed    *tls.CertificateVerificationError
		alert     tls.AlertError
		lookup    *net.DNSError
		hop       *net.OpError
	)
	switch {
	case errors.As(err, &hop) && hop.Op == "proxyconnect":
		f := connectionFault(hop.Err)
		f.Message = proxyLabel + ": " + f.Message
		return f
	case errors.As(err, &known):
		return known
	case errors.As(err, &authority):
		return blocked("its certificate is not signed by an authority that this machine trusts; install a company's own authority, or name it in SSL_CERT_FILE")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return blocked("its certificate is not valid today, or this machine's clock is wrong")
	case errors.As(err, &hostname):
		return blocked("its certificate is for another host than `" + hostname.Host + "`")
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return blocked("it does not speak TLS; its address may have to begin with http://")
	case errors.As(err, &failed):
		return blocked("its certificate cannot be trusted: " + failed.Err.Error())
	case errors.As(err, &alert):
		return blocked("TLS failed: " + alert.Error())
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return &wire.Fault{Kind: wire.Unreachable, Message: "there is no host `" + lookup.Name + "`"}
	case errors.Is(err, syscall.ECONNREFUSED):
		at := "its address"
		if errors.As(err, &hop) && hop.Addr != nil {
			at = "`" + hop.Addr.String() + "`"
		}
		return &wire.Fault{Kind: wire.Unreachable, Message: "nothing listens at " + at}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return &wire.Fault{Kind: wire.ConnectionLost, Message: "the connection broke off"}
	}
	return &wire.Fault{Kind: wire.ConnectionLost, Message: err.Error()}
}

func blocked(message string) *wire.Fault { return &wire.Fault{Kind: wire.Blocked, Message: message} }

const proxyLabel = "the proxy that the environment names"

// proxyFault describes the HTTP status with which a proxy refused to connect.
func proxyFault(status int) *wire.Fault {
	switch {
	case status == http.StatusProxyAuthRequired:
		return blocked(proxyLabel + " requires a valid user and password in its address (status 407)")
	case status >= 500:
		return &wire.Fault{Kind: wire.ConnectionLost, Message: fmt.Sprintf("%s failed (status %d)", proxyLabel, status)}
	}
	return blocked(fmt.Sprintf("%s refused to connect (status %d)", proxyLabel, status))
}

// checkProxyConnect returns an error if a proxy did not connect to the server.
func checkProxyConnect(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
	if response.StatusCode != http.StatusOK {
		return proxyFault(response.StatusCode)
	}
	return nil
}

// environmentProxy returns the proxy that the environment names. The standard error would show
// its address, which may hold a password.
func environmentProxy(req *http.Request) (*url.URL, error) {
	at, err := http.ProxyFromEnvironment(req)
	if err != nil {
		return nil, errors.New(proxyLabel + " is no URL")
	}
	return at, nil
}

const redactedKey = "[key]"

// publicNames are headers and URL parameters that are not secret. Answers may contain their
// values, such as a site's name or a date that is a version.
var publicNames = []string{"http-referer", "referer", "origin", "x-title", "user-agent", "accept", "anthropic-version", "anthropic-beta", "openai-beta", "api-version"}

// authSchemes may precede a key in a header, and are not part of it.
var authSchemes = []string{"bearer", "basic", "token"}

// modelRedactor redacts the secrets of a model's definition: providers quote keys in errors, and
// an answer may quote anything.
func modelRedactor(m wire.Model) *strings.Replacer {
	found := []string{m.Key}
	for name, value := range m.Headers {
		if !slices.Contains(publicNames, strings.ToLower(name)) {
			found = append(found, value)
			if scheme, key, _ := strings.Cut(value, " "); slices.Contains(authSchemes, strings.ToLower(scheme)) {
				found = append(found, key)
			}
		}
	}
	if at, err := url.Parse(m.Base); err == nil {
		password, _ := at.User.Password()
		found = append(found, at.User.Username(), password)
		for name, values := range at.Query() {
			if !slices.Contains(publicNames, strings.ToLower(name)) {
				found = append(found, values...)
			}
		}
	}
	return NewRedactor(found)
}

// NewRedactor redacts secrets in texts: as they are, as JSON escapes them, and as URLs escape
// them.
func NewRedactor(secrets []string) *strings.Replacer {
	longest := slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, secret := range longest { // longest first, in case one secret is the prefix of another
		if len(secret) < 8 { // `none` and the like are not secret and occur everywhere
			continue
		}
		quoted, _ := json.Marshal(secret)
		// Most secrets look the same in all forms; with one pair, Replace returns a text without it uncopied.
		for _, form := range slices.Compact([]string{secret, strings.Trim(string(quoted), `"`), url.QueryEscape(secret)}) {
			pairs = append(pairs, form, redactedKey)
		}
	}
	return strings.NewReplacer(pairs...)
}

// RetryPolicy says how often an attempt that failed temporarily is repeated, and after how long.
type RetryPolicy struct {
	Retries      int
	InitialDelay time.Duration // before the first retry
	MaxDelay     time.Duration // before any retry, unless the provider asks for more; see [MaxRetryAfter]
	Factor       float64       // by which delays grow
	Statuses     []int         // HTTP statuses to retry; nil means those of temporary faults
}

// MaxRetryAfter is the longest delay that a provider may ask for.
const MaxRetryAfter = 5 * time.Minute

// DefaultRetry is the policy of the reference implementation.
var DefaultRetry = RetryPolicy{Retries: 3, InitialDelay: time.Second, MaxDelay: time.Minute, Factor: 2}

// nextDelay returns how long to wait after attempt try (from 0) failed, and whether to try again.
// Half of our own delay is random, and a provider's delay is extended at random, so that requests
// that failed together do not return together.
func (p RetryPolicy) nextDelay(f *wire.Fault, try int, jitter float64) (time.Duration, bool) {
	temporary := f.IsTemporary()
	if len(p.Statuses) > 0 && f.Status != 0 {
		temporary = slices.Contains(p.Statuses, f.Status)
	}
	if !temporary || try >= p.Retries || f.RetryAfter > MaxRetryAfter {
		return 0, false
	}
	own := min(float64(p.InitialDelay)*math.Pow(p.Factor, float64(try)), float64(p.MaxDelay))
	if f.RetryAfter > 0 {
		return f.RetryAfter + time.Duration(jitter*float64(p.InitialDelay)), true
	}
	return time.Duration(own * (1 + jitter) / 2), true
}

// Limits are the requests and tokens per minute for a provider; 0 means no limit.
type Limits struct {
	Requests int
	Tokens   int
}

// limiter lets requests to one provider pass within its limits, and none while the provider has
// asked to pause.
type limiter struct {
	limits   Limits
	schedule judge.Shared[schedule]
}

// schedule holds times until which the allowance of a limit is used up: a limit whose time is past allows a whole burst.
type schedule struct {
	Requests time.Time `json:"requests"`
	Tokens   time.Time `json:"tokens"`
	Paused   time.Time `json:"paused"`
}

// use uses up an allowance, and returns how long to wait until it allows that. A negative n returns it.
func use(until *time.Time, now time.Time, n, perMinute, burst int) time.Duration {
	if perMinute <= 0 {
		return 0
	}
	if until.Before(now) {
		*until = now
	}
	take := func(n int) time.Duration {
		return time.Duration(float64(n) / float64(perMinute) * float64(time.Minute))
	}
	*until = until.Add(take(min(n, burst))) // a larger request would never be sent
	return until.Sub(now) - take(burst)
}

// reserve uses up allowances for requests and tokens, and returns how long to wait for them.
func (l *limiter) reserve(ctx context.Context, c *Client, requests, tokens int) (delay time.Duration, err error) {
	err = l.schedule.Change(ctx, func(s *schedule, now time.Time) {
		if now.IsZero() {
			now = c.Now()
		}
		delay = max(s.Paused.Sub(now), use(&s.Requests, now, requests, l.limits.Requests, max(1, l.limits.Requests/60)),
			use(&s.Tokens, now, tokens, l.limits.Tokens, l.limits.Tokens))
	})
	return delay, err
}

// wait waits until a request with so many tokens may be sent. A cancelled wait uses nothing up.
func (l *limiter) wait(ctx context.Context, c *Client, tokens int) error {
	tokens = max(0, tokens)
	delay, err := l.reserve(ctx, c, 1, tokens)
	if err != nil || delay <= 0 {
		return cmp.Or(err, context.Cause(ctx))
	}
	if err = c.Wait(ctx, delay); err != nil {
		_, _ = l.reserve(context.WithoutCancel(ctx), c, -1, -min(tokens, l.limits.Tokens))
	}
	return err
}

// pause stops all requests for a while.
func (l *limiter) pause(ctx context.Context, c *Client, d time.Duration) {
	_ = l.schedule.Change(ctx, func(s *schedule, now time.Time) {
		if now.IsZero() {
			now = c.Now()
		}
		if until := now.Add(d); until.After(s.Paused) {
			s.Paused = until
		}
	})
}
