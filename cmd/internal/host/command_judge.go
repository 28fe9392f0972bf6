package host

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
)

// CommandJudge is a judge that is a command line. It is given {"system", "user",
// "schema"} as JSON on standard input and prints its reply.
type CommandJudge struct {
	Line    string
	Dir     string
	Timeout time.Duration
	Keys    []string // that nothing tells, besides those of the environment
}

// Ask runs the command. One that cannot be run, fails or takes too long could
// not be reached; one that prints rubbish has answered.
func (j CommandJudge) Ask(ctx context.Context, q judge.Question) (judge.Answer, error) {
	stdin, err := json.Marshal(map[string]any{"system": q.System, "user": q.User, "schema": q.Schema})
	if err != nil {
		return judge.Answer{}, err
	}
	out := RunCommand(ctx, Command{Argv: ShellArgv(j.Line), Dir: j.Dir, Stdin: stdin, Timeout: j.Timeout, Inherit: true, Keys: j.Keys})
	switch {
	case ctx.Err() != nil:
		return judge.Answer{}, context.Cause(ctx)
	case out.Err != nil:
		return judge.Answer{}, fmt.Errorf("the judge's command %w: %w", judge.ErrUnreachable, out.Err)
	case out.Exit != 0:
		return judge.Answer{}, fmt.Errorf("the judge's command %w: it exited with status %d%s", judge.ErrUnreachable, out.Exit, stderrTail(out.Stderr))
	}
	return judge.Answer{Text: strings.TrimSpace(strings.ToValidUTF8(string(out.Stdout), "\uFFFD")), Model: "cli"}, nil
}
