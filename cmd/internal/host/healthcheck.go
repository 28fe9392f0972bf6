package host

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
)

// healthy asks the target of a command whether it is ready. It is given as long as an
// answer, unless the check says otherwise.
func healthy(ctx context.Context, h *agentv.Healthcheck, of CommandTarget) error {
	if h == nil {
		return nil
	}
	wait := of.Timeout
	if own := duration(h.TimeoutSeconds, time.Second); own > 0 {
		wait = own
	}
	var err error
	switch {
	case h.Type == "http" && h.URL != "":
		err = visit(ctx, h.URL, wait)
	case h.Type == "command" && h.Template != "":
		err = attempt(ctx, CommandTarget{Template: h.Template, Dir: h.Dir, Timeout: wait, Env: of.Env, Keys: of.Keys})
	default:
		return errors.New(": its `healthcheck` needs a `type`, either `http` with a `url` or `command` with a `command_template`")
	}
	if err != nil {
		return unreachable("its healthcheck failed: %w", err)
	}
	return nil
}

// attempt runs a command that only has to succeed.
func attempt(ctx context.Context, t CommandTarget) error {
	dir, err := newAnswerDir()
	if err != nil {
		return err
	}
	defer dir.remove()
	line, err := t.fill(Request{EvalID: "healthcheck"}, dir.file())
	if err != nil {
		return err
	}
	out := t.run(ctx, line)
	switch {
	case out.Err != nil:
		return fmt.Errorf("%w%s", out.Err, tail(out.Stderr))
	case out.Exit != 0:
		return fmt.Errorf("the command exited with status %d%s", out.Exit, tail(out.Stderr))
	}
	return nil
}

// visit gets a URL that only has to answer well. Its query may hold a key, so
// errors go without it.
func visit(ctx context.Context, address string, wait time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, wait, fmt.Errorf("timed out after %s", wait))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return errors.New("its `url` is not one")
	}
	shown := req.URL.Scheme + "://" + req.URL.Host + req.URL.Path
	reply, err := http.DefaultClient.Do(req)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		var call *url.Error
		if errors.As(err, &call) {
			err = call.Err
		}
		return fmt.Errorf("%s: %w", shown, err)
	}
	defer reply.Body.Close()
	if reply.StatusCode < 200 || reply.StatusCode > 299 {
		return fmt.Errorf("%s answered %s", shown, reply.Status)
	}
	return nil
}
