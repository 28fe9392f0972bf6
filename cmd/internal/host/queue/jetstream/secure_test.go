package jetstream_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/rubric-ls/rubric/cmd/internal/host/queue"
)

// must returns a value that a test cannot do without.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// An authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	dir  string
}

func newAuthority(dir string) *authority {
	a := &authority{dir: dir}
	a.cert, a.key = a.sign(&x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}, "ca")
	return a
}

// sign writes a certificate to name.pem and its key to name.key. The first signs itself.
func (a *authority) sign(c *x509.Certificate, name string) (*x509.Certificate, *ecdsa.PrivateKey) {
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	c.SerialNumber, c.Subject = must(rand.Int(rand.Reader, big.NewInt(1<<60))), pkix.Name{CommonName: name}
	c.NotBefore, c.NotAfter = time.Now().Add(-24*time.Hour), time.Now().Add(24*time.Hour)
	parent, parentKey := a.cert, a.key
	if parent == nil {
		parent, parentKey = c, key
	}
	der := must(x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, parentKey))
	a.write(name+".pem", "CERTIFICATE", der)
	a.write(name+".key", "PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(key)))
	return must(x509.ParseCertificate(der)), key
}

func (a *authority) write(name, kind string, der []byte) {
	if err := os.WriteFile(a.path(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		panic(err)
	}
}

func (a *authority) path(name string) string { return filepath.Join(a.dir, name) }

// serverTLS requires certificates of clients.
func (a *authority) serverTLS() *tls.Config {
	a.sign(&x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, "server")
	a.sign(&x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}, "client")
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return &tls.Config{
		Certificates: []tls.Certificate{must(tls.LoadX509KeyPair(a.path("server.pem"), a.path("server.key")))},
		ClientAuth:   tls.RequireAndVerifyClientCert, ClientCAs: pool, MinVersion: tls.VersionTLS12,
	}
}

// addAccount makes a server know an operator with one account, and writes a user's credentials to user.creds and those of
// a user whom no account has to stranger.creds.
func (a *authority) addAccount(o *server.Options) {
	operator, account := must(nkeys.CreateOperator()), must(nkeys.CreateAccount())
	operatorClaims := jwt.NewOperatorClaims(must(operator.PublicKey()))
	o.TrustedOperators = []*jwt.OperatorClaims{must(jwt.DecodeOperatorClaims(must(operatorClaims.Encode(operator))))}
	claims := jwt.NewAccountClaims(must(account.PublicKey()))
	claims.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: -1, MemoryStorage: -1, Streams: -1, Consumer: -1}
	system := must(nkeys.CreateAccount())
	systemClaims := jwt.NewAccountClaims(must(system.PublicKey()))
	resolver := &server.MemAccResolver{}
	for _, c := range []*jwt.AccountClaims{claims, systemClaims} {
		if err := resolver.Store(c.Subject, must(c.Encode(operator))); err != nil {
			panic(err)
		}
	}
	o.AccountResolver, o.SystemAccount = resolver, systemClaims.Subject
	for name, signer := range map[string]nkeys.KeyPair{"user.creds": account, "stranger.creds": must(nkeys.CreateAccount())} {
		user := must(nkeys.CreateUser())
		token := must(jwt.NewUserClaims(must(user.PublicKey())).Encode(signer))
		if err := os.WriteFile(a.path(name), must(jwt.FormatUserConfig(token, must(user.Seed()))), 0o600); err != nil {
			panic(err)
		}
	}
}

// TestSecureServer: a server with TLS takes coordinators and workers that know its authority, and have a certificate and
// credentials. It refuses others, and errors say why.
func TestSecureServer(t *testing.T) {
	a := newAuthority(t.TempDir())
	options := &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true, TLS: true, TLSVerify: true, TLSConfig: a.serverTLS(), TLSTimeout: 60}
	a.addAccount(options)
	s := must(server.NewServer(options))
	go s.Start()
	t.Cleanup(func() { stopServer(s) })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	complete := queue.Options{
		URL: strings.Replace(s.ClientURL(), "nats://", "tls://", 1), Plan: strings.Repeat("0123456789abcdef", 4),
		CA: a.path("ca.pem"), Certificate: a.path("client.pem"), Key: a.path("client.key"), Credentials: a.path("user.creds"),
	}
	for _, c := range []struct {
		name, want string
		change     func(*queue.Options)
	}{
		{"no authority", "certificate", func(o *queue.Options) { o.CA = "" }},
		{"another authority", "certificate", func(o *queue.Options) { o.CA = a.path("client.pem") }},
		{"no certificate", "", func(o *queue.Options) { o.Certificate, o.Key = "", "" }},
		{"no credentials", "Authorization Violation", func(o *queue.Options) { o.Credentials = "" }},
		{"a stranger's credentials", "Authorization Violation", func(o *queue.Options) { o.Credentials = a.path("stranger.creds") }},
		{"no TLS", "", func(o *queue.Options) { *o = queue.Options{URL: s.ClientURL(), Plan: o.Plan} }},
	} {
		o := complete
		c.change(&o)
		co, err := client.Coordinate(t.Context(), o, false)
		if err == nil {
			co.Close()
		}
		if err == nil || !strings.HasPrefix(err.Error(), "the queue cannot be reached: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := client.Join(t.Context(), o); err == nil {
			t.Errorf("%s: a worker joins", c.name)
		}
	}
	c := coordinate(t, client, complete, false)
	work(t, join(t, client, complete), 2, func(context.Context, queue.Task) {})
	runAll(t, c, 20)
	if err := c.Finish(); err != nil {
		t.Error(err)
	}
}
