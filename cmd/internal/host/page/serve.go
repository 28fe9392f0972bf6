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

// patience is how long a client may take to ask, and for how long a connection
// stays open for the next question.
const patience = 30 * time.Second

// Serve serves a page, and a language server at /lsp, to this machine until the
// context ends.
func Serve(ctx context.Context, l net.Listener, site, live http.Handler) error {
	routes := http.NewServeMux()
	routes.Handle("/", site)
	routes.Handle("/lsp", live)
	web := &http.Server{Handler: own(routes), ReadHeaderTimeout: patience, IdleTimeout: patience}
	stop := context.AfterFunc(ctx, func() { _ = web.Close() }) // which is what Serve waits for
	defer stop()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the playground: %w", err)
	}
	return nil
}

// own refuses requests under another name than this machine's own.
func own(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		if !lsp.IsLoopback(in.Host) {
			http.Error(out, "only this machine is served, under its own name", http.StatusForbidden)
			return
		}
		next.ServeHTTP(out, in)
	})
}
