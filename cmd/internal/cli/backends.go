package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

type namedJudge struct {
	judge judge.Judge
	names []string // several for a panel
	seats int      // number of opinions in one sample
}

// panelSeparator separates the judges of a panel in its name.
const panelSeparator = " + "

// name returns the judge's name in records.
func (j namedJudge) name() string { return strings.Join(j.names, panelSeparator) }

type namedTarget struct {
	target    run.Target
	name      string
	judgeName string // the judge in the target's definition
	workers   int    // parallel cases in the definition; 0: not set
	external  bool   // a model or command, which a dry run does not contact
}

// backends open the judges and targets of a run.
type backends struct {
	*host.Ports
	options    *runOptions
	recording  io.WriteCloser // nil without --record
	cacheUsage cacheUsage
	selfTarget selfTarget
	plan       dryRunPlan // of a dry run

	callLimit judge.Limit
}

// openBackends prepares the backends and opens only the recording of --record.
func (s *session) openBackends(files []string, o *runOptions) (*backends, error) {
	b := &backends{Ports: &host.Ports{OnNote: s.printNote, Limits: provider.Limits{Requests: o.RPM, Tokens: o.TPM}, Budget: &price.Budget{Max: o.MaxCost}}, options: o}
	if err := b.loadPrices(files); err != nil {
		return nil, err
	}
	if o.IsSet("timeout") {
		b.Timeout = o.Timeout
	}
	if o.MaxCalls > 0 {
		b.callLimit.Max = o.MaxCalls
		b.Limit = b.callLimit.Wrap
	}
	if !o.NoCache {
		store, err := judgecache.Default()
		if b.cacheUsage.err = err; err == nil {
			b.Cache, b.OnJudgement = store, b.cacheUsage.count
		}
	}
	if o.dryRun {
		b.useDryRun()
		return b, nil
	}
	if o.Record == "" {
		return b, nil
	}
	var err error
	b.recording, err = host.OpenRecording(o.Record)
	return b, err
}

// loadPrices reads the prices of the projects' settings and of --prices.
func (b *backends) loadPrices(files []string) error {
	settings := &host.Settings{}
	for _, path := range files {
		prices, err := settings.Prices(path)
		if err != nil {
			return err
		}
		known := func(p host.ProjectPrices) bool { return p.File == prices.File }
		if prices.File != "" && !slices.ContainsFunc(b.ProjectPrices, known) {
			b.ProjectPrices = append(b.ProjectPrices, prices)
		}
	}
	if b.options.Prices == "" {
		return nil
	}
	var err error
	if b.Prices, err = host.ReadPrices(b.options.Prices); err != nil {
		return fmt.Errorf("--prices: %w", err)
	}
	return nil
}

// printNotes prints facts about the backends that are not in the results.
func (b *backends) printNotes(w io.Writer) {
	b.selfTarget.printHint(w)
	b.cacheUsage.print(w)
	if n := b.callLimit.Refused(); n > 0 {
		fmt.Fprintf(w, "rubric: --max-calls reached: %s not asked\n", plural(n, "question"))
	}
	if n := b.Budget.Refused(); n > 0 {
		fmt.Fprintf(w, "rubric: --max-cost reached: %s not asked\n", plural(n, "question"))
	}
}

func (b *backends) close() {
	if b.recording != nil {
		b.recording.Close()
	}
}

// openJudge opens the judge that the options or the target's definition name, and records
// it if asked. A panel is recorded and replayed as a whole.
func (b *backends) openJudge(ctx context.Context, evalFile string, target namedTarget) (j namedJudge, err error) {
	names := b.options.Judges
	if !b.options.IsSet("judge") && target.judgeName != "" {
		names = []string{target.judgeName}
	}
	if b.options.Replay != "" {
		j, err = openReplay(b.options.Replay, len(names))
	} else {
		j, err = b.openPanel(ctx, names, evalFile)
	}
	if err != nil {
		return j, fmt.Errorf("judge: %w", err)
	}
	if b.recording != nil {
		j.judge = judge.Record(j.judge, j.names, b.recording)
	}
	return j, nil
}

// openPanel opens one judge, or several as a panel.
func (b *backends) openPanel(ctx context.Context, names []string, evalFile string) (namedJudge, error) {
	named := namedJudge{seats: len(names)}
	var seats []judge.Seat
	for _, name := range names {
		contact := b.dryRunContact(ctx, name, evalFile)
		opened, name, err := b.OpenJudge(ctx, name, evalFile, b.options.TargetsFile)
		if err != nil {
			return named, err
		}
		b.plan.addContact("judge", name, contact)
		seats, named.names = append(seats, judge.Seat{Name: name, Judge: opened}), append(named.names, name)
	}
	if named.judge = seats[0].Judge; len(seats) > 1 {
		named.judge = judge.Panel(seats...)
	}
	return named, nil
}

// dryRunContact returns what a dry run reports as contacted.
func (b *backends) dryRunContact(ctx context.Context, name, evalFile string) host.Access {
	if !b.options.dryRun {
		return host.Access{}
	}
	return b.Access(ctx, name, evalFile, b.options.TargetsFile)
}

// openReplay opens a recording under the names of the recorded judges. If the recording
// has no names, seats is the size of the panel.
func openReplay(path string, seats int) (namedJudge, error) {
	replay, names, err := host.ReadReplay(path)
	return namedJudge{judge: replay, names: names, seats: max(seats, len(names))}, err
}

// openTarget opens the target that the options name for an eval file. For recorded
// conversations it returns their source.
func (b *backends) openTarget(ctx context.Context, suite loadedSuite) (namedTarget, error) {
	if suite.evaluation != nil {
		return suite.target, nil
	}
	o, evalFile := b.options, suite.path
	kind, rest, cut := strings.Cut(o.Targets[0], ":")
	if !cut { // a target in targets.yaml may have the name of a kind
		kind = ""
	}
	switch {
	case o.Targets[0] == "self":
		return namedTarget{target: b.selfTarget.respond(suite), name: "self (expected output)"}, nil
	case kind == "mock":
		return namedTarget{target: run.MockTarget(rest), name: "mock"}, nil
	case kind == "cli":
		command := host.CommandTarget{Template: rest, Timeout: o.Timeout, Keys: host.EnvFileKeys(evalFile)}
		if err := command.Check(); err != nil {
			return namedTarget{}, err
		}
		t := namedTarget{target: host.CommandRunTarget(command), name: host.RedactCommand(o.Targets[0], evalFile)}
		if o.dryRun {
			t.target, t.external = run.MockTarget(""), true
			b.plan.addContact("target", t.name, b.dryRunContact(ctx, o.Targets[0], evalFile))
		}
		return t, nil
	case kind == "replay":
		return openAnswers(rest)
	case strings.HasSuffix(o.Targets[0], ".jsonl"):
		return openAnswers(o.Targets[0])
	}
	definition, path, err := host.FindTarget(evalFile, o.TargetsFile, o.Targets[0])
	if err != nil {
		return namedTarget{}, err
	}
	b.plan.addContact("target", definition.Name, b.dryRunContact(ctx, o.Targets[0], evalFile))
	target, err := b.OpenTarget(ctx, definition, path)
	return namedTarget{target, definition.Name, definition.JudgeTarget, definition.Workers, definition.Provider != "mock"}, err
}

func openAnswers(path string) (namedTarget, error) {
	answers, err := host.ReadAnswers(path)
	return namedTarget{target: answers.Respond, name: filepath.Base(path)}, err
}

// newSandbox returns the sandbox for WebAssembly graders. --timeout limits their time.
func (o *runOptions) newSandbox() *sandbox.Sandbox {
	limits := sandbox.Defaults
	if o.IsSet("timeout") {
		limits.Time = o.Timeout
	}
	return sandbox.New(limits, wasi.CacheFolder())
}

// openError reports why a run could not start, and returns the exit status.
func (s *session) openError(err error) int {
	s.commandError("%s", err)
	if errors.Is(err, judge.ErrUnreachable) {
		return exitUnreachable
	}
	return exitUsage
}

// A selfTarget answers with the expected output and counts the cases that have none.
type selfTarget struct {
	mu         sync.Mutex
	missing    int
	targetName string // a target that could answer instead
}

// respond returns the target for a suite.
func (t *selfTarget) respond(suite loadedSuite) run.Target {
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		submission, err := run.SelfTarget(ctx, c)
		if err != nil {
			t.addMissing(suite.suite.Target)
		}
		return submission, err
	}
}

func (t *selfTarget) addMissing(target string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.missing++
	if target != "" {
		t.targetName = target
	}
}

// printHint suggests another target if expected outputs are missing.
func (t *selfTarget) printHint(w io.Writer) {
	if t.missing == 0 {
		return
	}
	hint := "NAME asks another target"
	if t.targetName != "" {
		hint = t.targetName + " asks the target that the file names"
	}
	fmt.Fprintf(w, "rubric: %s without an expected output; --target %s\n", plural(t.missing, "case"), hint)
}
