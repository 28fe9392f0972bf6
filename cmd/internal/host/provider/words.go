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

	"github.com/rubric-ls/rubric/core/judge/wire"
)

// inWords is what a failed connection comes to: something that passes, or
// something that nobody should go on with.
func inWords(err error) *wire.Fault {
	var call *url.Error
	if errors.As(err, &call) { // which has the address, and that may hold a key
		err = call.Err
	}
	barred := func(message string) *wire.Fault { return &wire.Fault{Kind: wire.Barred, Message: message} }
	var (
		redirect  redirected
		refused   barredByProxy
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
		f := inWords(hop.Err)
		f.Message = theProxy + ": " + f.Message
		return f
	case errors.As(err, &refused):
		return refused.fault()
	case errors.As(err, &redirect):
		return barred(redirect.Error())
	case errors.As(err, &authority):
		return barred("its certificate is signed by nobody this machine trusts; a company's own authority has to be installed, or named in SSL_CERT_FILE")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return barred("its certificate is not valid today, or this machine's clock is wrong")
	case errors.As(err, &hostname):
		return barred("its certificate is for another host than `" + hostname.Host + "`")
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return barred("it does not speak TLS; its address may have to begin with http://")
	case errors.As(err, &failed):
		return barred("its certificate cannot be trusted: " + failed.Err.Error())
	case errors.As(err, &alert):
		return barred("TLS failed: " + alert.Error())
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return &wire.Fault{Kind: wire.Absent, Message: "there is no host `" + lookup.Name + "`"}
	case errors.Is(err, syscall.ECONNREFUSED):
		at := "its address"
		if errors.As(err, &hop) && hop.Addr != nil {
			at = "`" + hop.Addr.String() + "`"
		}
		return &wire.Fault{Kind: wire.Absent, Message: "nothing listens at " + at}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return &wire.Fault{Kind: wire.Away, Message: "the connection broke off"}
	}
	return &wire.Fault{Kind: wire.Away, Message: err.Error()}
}

const theProxy = "the proxy that the environment names"

// barredByProxy is the status with which a proxy leads nowhere.
type barredByProxy int

func (b barredByProxy) Error() string { return b.fault().Message }

func (b barredByProxy) fault() *wire.Fault {
	switch {
	case b == http.StatusProxyAuthRequired:
		return &wire.Fault{Kind: wire.Barred, Message: theProxy + " wants a user and a password in its address, or others (status 407)"}
	case b >= 500:
		return &wire.Fault{Kind: wire.Away, Message: fmt.Sprintf("%s failed (status %d)", theProxy, b)}
	}
	return &wire.Fault{Kind: wire.Barred, Message: fmt.Sprintf("%s does not lead there (status %d)", theProxy, b)}
}

// led is whether a proxy has connected to where it was told.
func led(_ context.Context, _ *url.URL, _ *http.Request, said *http.Response) error {
	if said.StatusCode != http.StatusOK {
		return barredByProxy(said.StatusCode)
	}
	return nil
}

// proxy is the one that the environment names. Its address may hold a password,
// which the usual error would show.
func proxy(req *http.Request) (*url.URL, error) {
	at, err := http.ProxyFromEnvironment(req)
	if err != nil {
		return nil, errors.New(theProxy + " is no URL")
	}
	return at, nil
}
