package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
)

// backends open the judges and targets of a run.
type backends struct {
	*targets.Ports
	options    *runOptions
	recording  io.WriteCloser // nil without --record
	cacheUsage cacheUsage
	shared     sharedStores // of a queue
	runs       []*run.Run
}

// newBackends returns the backends of a run, with nothing open but the recording of --record.
func (s *session) newBackends(files []string, o *runOptions) (*backends, error) {
	var plan *run.Plan
	if o.dryRun || o.isCoordinator() { // workers ask
		plan = &run.Plan{}
	}
	ports, err := targets.NewPorts(o.Settings, plan, files...)
	if err != nil {
		return nil, err
	}
	ports.OnNote = s.printNote
	b := &backends{Ports: ports, options: o}
	if o.queue.URL != "" {
		ports.Share(&b.shared)
	}
	if !o.NoCache && o.isWorker {
		b.Cache = &b.shared
	} else if !o.NoCache {
		b.OnJudgement = b.cacheUsage.count
		if b.Cache, err = s.openCache(o.Cache); err != nil && o.Cache != "" {
			return nil, fmt.Errorf("--cache: %w", err)
		}
		b.cacheUsage.err = err
	}
	if plan != nil || o.Record == "" {
		return b, nil
	}
	b.recording, err = resultstore.OpenRecording(o.Record)
	return b, err
}

// ObjectStore opens a judgement cache in an object store. It is nil in the program rubric, as [QueueClient] is.
var ObjectStore func(ctx context.Context, address string) (judge.Store, error)

// openCache opens the judgement cache in a folder or an object store, or the user's.
func (s *session) openCache(address string) (judge.Store, error) {
	folder, isFile := strings.CutPrefix(address, "file://")
	switch {
	case address == "":
		store, err := judgecache.Default()
		if err != nil {
			return nil, err
		}
		return store, nil
	case isFile || !strings.Contains(address, "://"):
		return &judgecache.Store{Path: folder}, nil
	case ObjectStore == nil:
		return nil, errors.New("object stores need the program rubric-queue; see `rubric help cache`")
	}
	return ObjectStore(s.ctx, address)
}

// printNotes prints facts about the backends that are not in the results.
func (b *backends) printNotes(w io.Writer) {
	b.printUnanswered(w)
	b.cacheUsage.print(w)
	if b.Limit != nil && b.Limit.Refused() > 0 {
		fmt.Fprintf(w, "rubric: --max-calls reached: %s not asked\n", diag.CountNoun(b.Limit.Refused(), "question"))
	}
	if n := b.Budget.Refused(); n > 0 {
		fmt.Fprintf(w, "rubric: --max-cost reached: %s not asked\n", diag.CountNoun(n, "question"))
	}
}

func (b *backends) close() {
	for _, r := range b.runs {
		r.Close()
	}
	if b.recording != nil {
		b.recording.Close()
	}
}

// open opens the target and the judges of a suite.
func (b *backends) open(ctx context.Context, suite loadedSuite) (*run.Run, error) {
	ports := b.Host()
	if b.recording != nil {
		ports.Recorder = b.recording
	}
	file, err := suite.file(b.options)
	if err != nil {
		return nil, err
	}
	settings := b.options.Settings
	if judge := suite.variant.Judge; judge != "" {
		settings.Judges = []string{judge}
	}
	opened, err := run.Open(ctx, ports, settings, file)
	if err != nil {
		return nil, err
	}
	if suite.answers != nil {
		suite.answers.Share(opened)
	}
	b.runs = append(b.runs, opened)
	return opened, nil
}

// openError reports why a run could not start, and returns the exit status.
func (s *session) openError(err error) int {
	s.commandError("%s", run.WithAdvice(err, "--"))
	if errors.Is(err, judge.ErrUnreachable) {
		return exitUnreachable
	}
	return exitUsage
}

// printUnanswered suggests another target if expected outputs are missing.
func (b *backends) printUnanswered(w io.Writer) {
	if b.options.unanswered == 0 {
		return
	}
	hint := "NAME asks another target"
	for _, r := range b.runs {
		if len(r.Suite.Targets) > 0 {
			hint = r.Suite.Targets[0] + " asks the target that the file names"
		}
	}
	fmt.Fprintf(w, "rubric: %s without an expected output; --target %s\n", diag.CountNoun(b.options.unanswered, "case"), hint)
}
