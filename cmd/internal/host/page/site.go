package page

import (
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

//go:embed all:site
var embedded embed.FS

// EmbeddedPath is where the built page is put before it is built in, below the
// repository's root: every file as NAME.gz and NAME.br.
const EmbeddedPath = "cmd/internal/host/page/site"

var errNotEmbedded = errors.New("this rubric was built without its playground; `make build` builds one with it")

// EmbeddedSite is the page that was built into this program.
func EmbeddedSite() (http.Handler, error) {
	files, err := fs.Sub(embedded, "site")
	if err != nil {
		return nil, fmt.Errorf("embedded playground: %w", err)
	}
	if _, err := fs.Stat(files, "index.html.gz"); err != nil {
		return nil, errNotEmbedded
	}
	return Site(files), nil
}

// pagePolicy is what the page may do: it connects to nobody but who serves it. Nothing
// that somebody pastes can change that, since it is said with every file.
const pagePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
	"img-src 'self' data: blob:; font-src 'self'; manifest-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Two workers have policies of their own. The one that asks the model whose address
// somebody has typed connects to where that may be: any https address, and this
// machine. The one in which somebody's graders run connects nowhere.
var workerPolicies = map[string]string{
	"asker-":         "default-src 'none'; connect-src https: http://localhost:* http://127.0.0.1:*",
	"grader-worker-": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
}

// filePolicy is the policy of a file.
func filePolicy(name string) string {
	for worker, own := range workerPolicies {
		if strings.HasPrefix(name, "assets/"+worker) {
			return own
		}
	}
	return pagePolicy
}

// Site serves a folder in which every file is kept as NAME.gz and NAME.br.
func Site(files fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "the page is only read", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		header := w.Header()
		header.Set("Vary", "Accept-Encoding")
		for _, enc := range acceptedEncodings(r.Header.Get("Accept-Encoding")) {
			body, err := fs.ReadFile(files, name+enc.suffix)
			if err != nil {
				continue
			}
			setHeaders(header, name, body)
			if r.Header.Get("If-None-Match") == header.Get("ETag") {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			enc.write(w, r, body)
			return
		}
		http.NotFound(w, r)
	})
}

// setHeaders says what a file is, and what may be done with it. Files with their
// hash in their name never change; the others are asked about each time.
func setHeaders(header http.Header, name string, body []byte) {
	kind := mime.TypeByExtension(path.Ext(name))
	switch path.Ext(name) { // which not every machine knows
	case ".js":
		kind = "text/javascript; charset=utf-8"
	case ".wasm":
		kind = "application/wasm"
	case ".webmanifest":
		kind = "application/manifest+json"
	}
	sum := sha256.Sum256(body)
	header.Set("Content-Type", kind)
	header.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	header.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	header.Set("Content-Security-Policy", filePolicy(name))
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// encoding is a way in which files are kept.
type encoding struct {
	suffix string
	write  func(http.ResponseWriter, *http.Request, []byte)
}

// acceptedEncodings are those in which a client takes a file, the smallest first. A
// client that takes none gets it as it was.
func acceptedEncodings(accepted string) (all []encoding) {
	if acceptsEncoding(accepted, "br") {
		all = append(all, encoding{".br", writeCompressed("br")})
	}
	if acceptsEncoding(accepted, "gzip") {
		return append(all, encoding{".gz", writeCompressed("gzip")})
	}
	return append(all, encoding{".gz", writeUncompressed})
}

// acceptsEncoding reports whether a client accepts an encoding. Weights are not looked at
// but for a refusal.
func acceptsEncoding(accepted, name string) bool {
	for one := range strings.SplitSeq(accepted, ",") {
		given, weight, _ := strings.Cut(strings.ReplaceAll(one, " ", ""), ";")
		if given == name || given == "*" {
			return strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != "" || weight == ""
		}
	}
	return false
}

// writeCompressed writes a file as it is kept.
func writeCompressed(name string) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, r *http.Request, body []byte) {
		w.Header().Set("Content-Encoding", name)
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		if r.Method == http.MethodGet {
			_, _ = w.Write(body) // whoever has gone needs no answer
		}
	}
}

func writeUncompressed(w http.ResponseWriter, r *http.Request, body []byte) {
	if r.Method == http.MethodHead {
		return
	}
	reader, err := gzip.NewReader(strings.NewReader(string(body)))
	if err != nil {
		http.Error(w, "the page was not built in whole", http.StatusInternalServerError)
		return
	}
	_, _ = io.Copy(w, reader)
}
