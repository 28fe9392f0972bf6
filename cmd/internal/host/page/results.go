package page

import (
	"context"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/rubric-ls/rubric/core/report"
)

// Version is the name of a page that is only a text, which changes with the results.
const Version = "version"

// ServeResults serves pages to this machine until ctx ends. The first element of their paths is the token, and
// the second the page's name. draw returns a page, and an error if it is one that says why there is no other.
// A query with `file` asks for the page as a file to save.
func ServeResults(ctx context.Context, l net.Listener, token string, draw func(name string, query url.Values) ([]byte, error)) error {
	return ServeLoopback(ctx, l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		setSafetyHeaders(header, "frame-ancestors 'none'")
		header.Set("Cache-Control", "no-store")
		given, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch {
		case subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1:
			header.Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusUnauthorized)
			_ = report.WriteProblem(w, "the token in the address is missing or wrong; open the address that `rubric view` has printed, or start it again", nil)
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, "only GET and HEAD are supported", http.StatusMethodNotAllowed)
			return
		}
		query := r.URL.Query()
		body, err := draw(name, query)
		header.Set("Content-Type", "text/html; charset=utf-8")
		switch {
		case err != nil:
			w.WriteHeader(http.StatusNotFound)
		case name == Version:
			header.Set("Content-Type", "text/plain; charset=utf-8")
		case query.Has("file"):
			header.Set("Content-Disposition", `attachment; filename="rubric.html"`)
		}
		_, _ = w.Write(body) // the client has gone if this fails
	}))
}
