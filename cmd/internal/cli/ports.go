package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/run"
)

type namedJudge struct {
	judge judge.Judge
	name  string
}

type namedTarget struct {
	target run.Target
	name   string
}

// openJudge gives the judge that the options name, recording if asked to.
func (s *session) openJudge(o *runOptions) (namedJudge, func(), error) {
	asked := namedJudge{offline.Judge{}, offline.Name}
	nothing := func() {}
	switch line, isCommand := strings.CutPrefix(o.judge, "cli:"); {
	case o.replay != "":
		replay, err := host.Replay(o.replay)
		if err != nil {
			return asked, nothing, err
		}
		asked = namedJudge{replay, "replay:" + filepath.Base(o.replay)}
	case isCommand:
		asked = namedJudge{host.CommandJudge{Line: line, Timeout: o.timeout}, o.judge}
	case o.judge != offline.Name:
		return asked, nothing, fmt.Errorf("--judge is `offline` or `cli:COMMAND`, not `%s`", o.judge)
	}
	if o.record == "" {
		return asked, nothing, nil
	}
	tape, err := host.Tape(o.record)
	if err != nil {
		return asked, nothing, err
	}
	asked.judge = judge.Record(asked.judge, tape)
	return asked, func() { tape.Close() }, nil
}

// openTarget gives the target that the options name for a suite.
func (s *session) openTarget(suite loaded, o *runOptions) (namedTarget, error) {
	kind, rest, _ := strings.Cut(o.target, ":")
	switch {
	case o.target == "self":
		return namedTarget{run.Self, "self (expected output)"}, nil
	case kind == "mock":
		return namedTarget{run.Mock(rest), "mock"}, nil
	case kind == "cli":
		return namedTarget{host.Ask(host.CommandTarget{Template: rest, Timeout: o.timeout}), o.target}, nil
	case kind == "replay":
		return recorded(rest)
	case strings.HasSuffix(o.target, ".jsonl"):
		return recorded(o.target)
	}
	found, path, err := host.FindTarget(suite.path, o.targetsFile, o.target)
	if err != nil {
		return namedTarget{}, err
	}
	limit := time.Duration(0)
	if o.timed {
		limit = o.timeout
	}
	target, err := host.OpenTarget(s.ctx, found, path, limit)
	return namedTarget{target, found.Name}, err
}

func recorded(path string) (namedTarget, error) {
	answers, err := host.Answers(path)
	return namedTarget{answers.Respond, filepath.Base(path)}, err
}

// sandbox is where graders that are WebAssembly run, for as long as programs may
// if that was said.
func (o *runOptions) sandbox() *sandbox.Sandbox {
	limits := sandbox.Defaults
	if o.timed {
		limits.Time = o.timeout
	}
	return sandbox.New(limits, wasi.CacheFolder())
}

// unable reports what kept a run from starting.
func (s *session) unable(err error) int {
	s.misuse("run: %s", err)
	if errors.Is(err, judge.ErrUnreachable) {
		return exitUnreachable
	}
	return exitUsage
}
