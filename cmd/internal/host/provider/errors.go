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
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"

	wire "github.com/rubric-ls/rubric/core/judge/provider"
)

// connectionFault classifies a failed connection as temporary or not, and words it for users.
func connectionFault(err error) *wire.Fault {
	var call *url.Error
	if errors.As(err, &call) { // the message has the address, which may hold a key
		err = call.Err
	}
	blocked := func(message string) *wire.Fault { return &wire.Fault{Kind: wire.Blocked, Message: message} }
	var (
		redirect  redirectError
		refused   proxyError
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
	case errors.As(err, &refused):
		return refused.fault()
	case errors.As(err, &redirect):
		return blocked(redirect.Error())
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

const proxyLabel = "the proxy that the environment names"

// proxyError is the HTTP status with which a proxy refused to connect.
type proxyError int

func (e proxyError) Error() string { return e.fault().Message }

func (e proxyError) fault() *wire.Fault {
	switch {
	case e == http.StatusProxyAuthRequired:
		return &wire.Fault{Kind: wire.Blocked, Message: proxyLabel + " requires a valid user and password in its address (status 407)"}
	case e >= 500:
		return &wire.Fault{Kind: wire.ConnectionLost, Message: fmt.Sprintf("%s failed (status %d)", proxyLabel, e)}
	}
	return &wire.Fault{Kind: wire.Blocked, Message: fmt.Sprintf("%s refused to connect (status %d)", proxyLabel, e)}
}

// checkProxyConnect returns an error if a proxy did not connect to the server.
func checkProxyConnect(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
	if response.StatusCode != http.StatusOK {
		return proxyError(response.StatusCode)
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
