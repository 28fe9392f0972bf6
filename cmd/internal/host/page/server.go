package page

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/rubric-ls/rubric/lsp"
)

// clientTimeout is how long a client may take to ask, and for how long a connection
// stays open for the next question.
const clientTimeout = 30 * time.Second

// Serve serves a page, and a language server at /lsp, to this machine until the
// context ends.
func Serve(ctx context.Context, l net.Listener, site, live http.Handler) error {
	routes := http.NewServeMux()
	routes.Handle("/", site)
	routes.Handle("/lsp", live)
	web := &http.Server{Handler: loopbackOnly(routes), ReadHeaderTimeout: clientTimeout, IdleTimeout: clientTimeout}
	stop := context.AfterFunc(ctx, func() { _ = web.Close() }) // which is what Serve waits for
	defer stop()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the playground: %w", err)
	}
	return nil
}

// loopbackOnly refuses requests under another name than this machine's own.
func loopbackOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !lsp.IsLoopback(r.Host) {
			http.Error(w, "only this machine is served, under its own name", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
