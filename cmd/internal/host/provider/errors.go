package provider

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
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
