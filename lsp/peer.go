package lsp

import (
	"context"
	"time"
)

// callTimeout is how long a client may take to answer what we ask.
const callTimeout = 10 * time.Second

// peer is the other end of a session, over whichever stack.
type peer interface {
	// call asks the client and waits for its answer, which is decoded into result
	// unless that is nil. It must not be called on the goroutine that reads.
	call(ctx context.Context, method string, params, result any) error
	// notify tells the client, and gives up silently when it is gone.
	notify(method string, params any)
}
