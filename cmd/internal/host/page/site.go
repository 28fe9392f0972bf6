// Package page serves the playground: static files that are built into this program, the
// language server's WebSocket, and pages of stored results.
//
// The files are built from editors/playground and are not in the repository. A program built
// without them says so. Each file is stored compressed with gzip, and is sent as it is stored. The
// evaluator's WebAssembly module is one of them.
//
// Only this machine is served, and only under its own name: a foreign page whose domain resolves
// to this machine is refused. The WebSocket and the results also require a token. Nothing is fetched
// from elsewhere.
package page

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// clientTimeout limits the time to read a request's header, and the time that an idle connection
// stays open.
const clientTimeout = 30 * time.Second

// A Server has the page, a language server behind it, and pages of stored results.
type Server struct {
	Site      http.Handler // the page; nil for a program without it
	Live      http.Handler // the language server, at /lsp
	PublicURL string       // where links lead that the page copies; "" for this machine
	Token     string       // the first element of the paths of results; the page has it in the fragment
	// Results returns a page of results by its name, and an error if it is one that says why there is no other. A
	// query with `file` asks for the page as a file to save.
	Results func(name string, query url.Values) ([]byte, error)
}

// Serve serves all of it to this machine until ctx ends.
func (s Server) Serve(ctx context.Context, l net.Listener) error {
	routes := http.NewServeMux()
	routes.HandleFunc("/", s.serveFile)
	routes.HandleFunc("GET /address.txt", func(w http.ResponseWriter, _ *http.Request) {
		setHeaders(w.Header(), "address.txt", []byte(s.PublicURL))
		_, _ = io.WriteString(w, s.PublicURL) // the client has gone if this fails
	})
	routes.Handle("/lsp", s.Live)
	return ServeLoopback(ctx, l, routes)
}

func (s Server) serveFile(w http.ResponseWriter, r *http.Request) {
	given, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "only GET and HEAD are supported", http.StatusMethodNotAllowed)
	case subtle.ConstantTimeCompare([]byte(given), []byte(s.Token)) == 1:
		s.serveResults(w, name, r.URL.Query())
	case s.Site != nil:
		s.Site.ServeHTTP(w, r)
	default:
		notFound(w)
	}
}

// notFound writes a page for an address that has none, as with another token.
func notFound(w http.ResponseWriter) {
	setResultHeaders(w.Header())
	w.WriteHeader(http.StatusNotFound)
	_ = report.WriteProblem(w, "its address is wrong, or has the token of a program that has ended; open the address that `rubric` has printed, or start it again", nil)
}

// ServeLoopback serves pages to this machine, under its own name, until ctx ends.
func ServeLoopback(ctx context.Context, l net.Listener, pages http.Handler) error {
	loopbackOnly := func(w http.ResponseWriter, r *http.Request) {
		if !transport.IsLoopback(r.Host) {
			http.Error(w, "only this machine is served, under its own name", http.StatusForbidden)
			return
		}
		pages.ServeHTTP(w, r)
	}
	web := &http.Server{Handler: http.HandlerFunc(loopbackOnly), ReadHeaderTimeout: clientTimeout, IdleTimeout: clientTimeout}
	stop := context.AfterFunc(ctx, func() { _ = web.Close() }) // ends Serve below
	defer stop()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve pages: %w", err)
	}
	return nil
}

//go:embed all:site
var embedded embed.FS

// EmbeddedPath is where the built page must be, below the repository's root, when the program is
// built: every file as NAME.gz.
const EmbeddedPath = "cmd/internal/host/page/site"

// errNotEmbedded returns the error of a program without a part that only releases and
// `make build` contain.
func errNotEmbedded(part string) error {
	return fmt.Errorf("this rubric was built without its %s, as by `go install`; install a release from https://github.com/rubric-ls/rubric/releases, or run `make build` in a clone", part)
}

// EmbeddedModule returns the evaluator module that was built into this program.
func EmbeddedModule() ([]byte, error) {
	packed, err := readModule(embedded, "site/")
	if err != nil {
		return nil, errNotEmbedded("evaluator module")
	}
	return decompress(packed)
}

// readModule returns the compressed evaluator. The page has a smaller one too, to load
// faster from other hosts; here the whole one takes its place.
func readModule(files fs.FS, folder string) ([]byte, error) {
	names, err := fs.Glob(files, folder+"assets/rubric-*.wasm.gz")
	if err != nil || len(names) == 0 {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(files, names[0])
}

// EmbeddedSite returns a handler for the page that was built into this program.
func EmbeddedSite() (http.Handler, error) {
	files, _ := fs.Sub(embedded, "site") // fails for an invalid path only
	if _, err := fs.Stat(files, "index.html.gz"); err != nil {
		return nil, errNotEmbedded("playground")
	}
	return Site(files), nil
}

// pagePolicy is the content security policy of the page: it connects only to its own server. It
// is sent with every file, so pasted content cannot change it.
const pagePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
	"img-src 'self' data: blob:; font-src 'self'; manifest-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// workerPolicies are the policies of two workers. The endpoint worker asks the model at the address that
// the user enters, so it may connect to any https address and to this machine. The grader worker
// runs users' graders and may connect nowhere.
var workerPolicies = map[string]string{
	"endpoint-worker-": "default-src 'none'; connect-src https: http://localhost:* http://127.0.0.1:*",
	"grader-worker-":   "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
}

// Policies returns the content security policy of the page, and those of its workers by the start
// of their file's name, for other hosts than this program.
func Policies() (ofPage string, ofWorkers map[string]string) {
	return pagePolicy, maps.Clone(workerPolicies)
}

func filePolicy(name string) string {
	for worker, own := range workerPolicies {
		if strings.HasPrefix(name, "assets/"+worker) {
			return own
		}
	}
	return pagePolicy
}

// Site returns a handler for a directory in which every file is stored as NAME.gz. A client that
// does not accept gzip gets the file uncompressed.
func Site(files fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := cmp.Or(strings.TrimPrefix(path.Clean(r.URL.Path), "/"), "index.html")
		body, err := fs.ReadFile(files, name+".gz")
		if isModule, _ := path.Match("assets/rubric-*.wasm", name); isModule && err != nil {
			body, err = readModule(files, "")
		}
		if err != nil {
			notFound(w)
			return
		}
		header := w.Header()
		header.Set("Vary", "Accept-Encoding")
		setHeaders(header, name, body)
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			header.Set("Content-Encoding", "gzip")
		} else if body, err = decompress(body); err != nil {
			http.Error(w, "the build of the page is incomplete", http.StatusInternalServerError)
			return
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
	})
}

func decompress(body []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

// ownTypes are types that not every machine knows.
var ownTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json"}

// setHeaders sets the headers of a file. Files with a hash in their name never change; others are
// revalidated each time.
func setHeaders(header http.Header, name string, body []byte) {
	sum := sha256.Sum256(body)
	header.Set("Content-Type", cmp.Or(ownTypes[path.Ext(name)], mime.TypeByExtension(path.Ext(name))))
	header.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	header.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	setSafetyHeaders(header, filePolicy(name))
}

func setSafetyHeaders(header http.Header, policy string) {
	header.Set("Content-Security-Policy", policy)
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// The names below the token that are no pages.
const (
	Version = "version"   // a text, which changes with the results
	Case    = "case.json" // what the playground opens a case of a run from
	Open    = "open"      // leads to the playground, and opens [Case] there
)

func (s Server) serveResults(w http.ResponseWriter, name string, query url.Values) {
	header := w.Header()
	setResultHeaders(header)
	body, err := s.Results(name, query)
	switch {
	case name == Version, name == Case && err != nil:
		header.Set("Content-Type", "text/plain; charset=utf-8")
	case name == Case:
		header.Set("Content-Type", "application/json")
	case name == Open && err == nil:
		query.Set("live", s.Token)
		header.Set("Location", "/#"+query.Encode())
		w.WriteHeader(http.StatusFound)
		return
	case query.Has("file") && err == nil:
		header.Set("Content-Disposition", `attachment; filename="rubric.html"`)
	}
	if err != nil {
		w.WriteHeader(http.StatusNotFound)
	}
	_, _ = w.Write(body) // the client has gone if this fails
}

func setResultHeaders(header http.Header) {
	setSafetyHeaders(header, "frame-ancestors 'none'")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "text/html; charset=utf-8")
}
