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

// checkHealth asks the target of a command whether it is ready. It is given as long as an
// answer, unless the check says otherwise.
func checkHealth(ctx context.Context, check *agentv.Healthcheck, target CommandTarget) error {
	if check == nil {
		return nil
	}
	wait := target.Timeout
	if own := toDuration(check.TimeoutSeconds, time.Second); own > 0 {
		wait = own
	}
	var err error
	switch {
	case check.Type == "http" && check.URL != "":
		err = getHealthURL(ctx, check.URL, wait)
	case check.Type == "command" && check.Template != "":
		err = runHealthCommand(ctx, CommandTarget{Template: check.Template, Dir: check.Dir, Timeout: wait, Env: target.Env, Keys: target.Keys})
	default:
		return errors.New(": its `healthcheck` needs a `type`, either `http` with a `url` or `command` with a `command_template`")
	}
	if err != nil {
		return unreachableError("its healthcheck failed: %w", err)
	}
	return nil
}

// runHealthCommand runs a command that only has to succeed.
func runHealthCommand(ctx context.Context, t CommandTarget) error {
	dir, err := newAnswerDir()
	if err != nil {
		return err
	}
	defer dir.remove()
	line, err := t.expandTemplate(Request{EvalID: "healthcheck"}, dir.path())
	if err != nil {
		return err
	}
	out := t.runLine(ctx, line)
	switch {
	case out.Err != nil:
		return fmt.Errorf("%w%s", out.Err, stderrTail(out.Stderr))
	case out.Exit != 0:
		return fmt.Errorf("the command exited with status %d%s", out.Exit, stderrTail(out.Stderr))
	}
	return nil
}

// getHealthURL gets a URL that only has to answer well. Its query may hold a key, so
// errors go without it.
func getHealthURL(ctx context.Context, address string, wait time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, wait, fmt.Errorf("timed out after %s", wait))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return errors.New("its `url` is not one")
	}
	displayURL := req.URL.Scheme + "://" + req.URL.Host + req.URL.Path
	reply, err := http.DefaultClient.Do(req)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		var call *url.Error
		if errors.As(err, &call) {
			err = call.Err
		}
		return fmt.Errorf("%s: %w", displayURL, err)
	}
	defer reply.Body.Close()
	if reply.StatusCode < 200 || reply.StatusCode > 299 {
		return fmt.Errorf("%s answered %s", displayURL, reply.Status)
	}
	return nil
}
