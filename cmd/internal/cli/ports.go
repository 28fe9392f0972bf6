package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/judgements"
	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/run"
)

type namedJudge struct {
	judge judge.Judge
	names []string // of a panel several
	seats int      // how many opinions a sample of it is
}

// panelSeparator stands between the judges of a panel in its name.
const panelSeparator = " + "

// name is what records call the judge.
func (j namedJudge) name() string { return strings.Join(j.names, panelSeparator) }

type namedTarget struct {
	target  run.Target
	name    string
	judge   string // whom its definition has judge it
	workers int    // cases at a time that its definition wants; 0: any
	asked   bool   // it is a model or a command, which a dry run does not ask
}

// doors are what a run opens judges and targets through.
type doors struct {
	*host.Ports
	o    *runOptions
	tape io.WriteCloser // nil if nothing is recorded
	kept tally
	bare bare
	plan plan // of a dry run

	calls judge.Limit
}

// openDoors opens nothing yet but the tape that judges are recorded on.
func (s *session) openDoors(files []string, o *runOptions) (*doors, error) {
	d := &doors{Ports: &host.Ports{Note: s.note, Limits: provider.Limits{Requests: o.rpm, Tokens: o.tpm}, Budget: &price.Budget{Most: o.maxCost}}, o: o}
	if err := d.price(files); err != nil {
		return nil, err
	}
	if o.timed {
		d.Timeout = o.timeout
	}
	if o.maxCalls > 0 {
		d.calls.Most = o.maxCalls
		d.Limit = d.calls.Before
	}
	if !o.noCache {
		store, err := judgements.Usual()
		if d.kept.fault = err; err == nil {
			d.Cache, d.Told = store, d.kept.hear
		}
	}
	if o.dryRun {
		d.dry()
		return d, nil
	}
	if o.record == "" {
		return d, nil
	}
	var err error
	d.tape, err = host.Tape(o.record)
	return d, err
}

// price reads what models cost: in the settings for the files, and in the file
// that --prices names.
func (d *doors) price(files []string) error {
	settings := &host.Settings{}
	for _, path := range files {
		prices, err := settings.Prices(path)
		if err != nil {
			return err
		}
		known := func(p host.ProjectPrices) bool { return p.File == prices.File }
		if prices.File != "" && !slices.ContainsFunc(d.ProjectPrices, known) {
			d.ProjectPrices = append(d.ProjectPrices, prices)
		}
	}
	if d.o.prices == "" {
		return nil
	}
	var err error
	if d.Prices, err = host.ReadPrices(d.o.prices); err != nil {
		return fmt.Errorf("--prices: %w", err)
	}
	return nil
}

// tell says what became of asking that is not in the results.
func (d *doors) tell(w io.Writer) {
	d.bare.tell(w)
	d.kept.tell(w)
	if n := d.calls.Unasked(); n > 0 {
		fmt.Fprintf(w, "rubric: the limit of --max-calls is reached: %s not asked\n", plural(n, "question"))
	}
	if n := d.Budget.Unasked(); n > 0 {
		fmt.Fprintf(w, "rubric: the limit of --max-cost is reached: %s not asked\n", plural(n, "question"))
	}
}

func (d *doors) close() {
	if d.tape != nil {
		d.tape.Close()
	}
}

// judge gives the judge that the options name, or else the target's definition,
// recording if asked to. Of a panel the whole is recorded, and replayed.
func (d *doors) judge(ctx context.Context, evalFile string, of namedTarget) (j namedJudge, err error) {
	names := d.o.judges
	if !d.o.judged && of.judge != "" {
		names = []string{of.judge}
	}
	if d.o.replay != "" {
		j, err = replayed(d.o.replay, len(names))
	} else {
		j, err = d.panel(ctx, names, evalFile)
	}
	if err != nil {
		return j, fmt.Errorf("the judge: %w", err)
	}
	if d.tape != nil {
		j.judge = judge.Record(j.judge, j.names, d.tape)
	}
	return j, nil
}

// panel gives the judge with one name, or the panel of several.
func (d *doors) panel(ctx context.Context, names []string, evalFile string) (namedJudge, error) {
	panel := namedJudge{seats: len(names)}
	var seats []judge.Seat
	for _, name := range names {
		contact := d.contact(ctx, name, evalFile)
		opened, name, err := d.Judge(ctx, name, evalFile, d.o.targetsFile)
		if err != nil {
			return panel, err
		}
		d.plan.reaches("judge", name, contact)
		seats, panel.names = append(seats, judge.Seat{Name: name, Judge: opened}), append(panel.names, name)
	}
	if panel.judge = seats[0].Judge; len(seats) > 1 {
		panel.judge = judge.Panel(seats...)
	}
	return panel, nil
}

// contact is what a dry run says that a target or judge would reach.
func (d *doors) contact(ctx context.Context, name, evalFile string) host.Contact {
	if !d.o.dryRun {
		return host.Contact{}
	}
	return d.Contact(ctx, name, evalFile, d.o.targetsFile)
}

// replayed gives who was recorded, by their own names: what they said is what they say. A
// recording that does not tell them may be of as many seats as the options do.
func replayed(path string, seats int) (namedJudge, error) {
	replay, names, err := host.Replay(path)
	return namedJudge{judge: replay, names: names, seats: max(seats, len(names))}, err
}

// target gives the target that the options name for an eval file; where
// conversations are measured it is who had them.
func (d *doors) target(ctx context.Context, of loaded) (namedTarget, error) {
	if of.trial != nil {
		return of.target, nil
	}
	o, evalFile := d.o, of.path
	kind, rest, cut := strings.Cut(o.target, ":")
	if !cut { // a target of targets.yaml may be called as a kind is
		kind = ""
	}
	switch {
	case o.target == "self":
		return namedTarget{target: d.bare.self(of), name: "self (expected output)"}, nil
	case kind == "mock":
		return namedTarget{target: run.Mock(rest), name: "mock"}, nil
	case kind == "cli":
		command := host.CommandTarget{Template: rest, Timeout: o.timeout, Keys: host.Keys(evalFile)}
		if err := command.Check(); err != nil {
			return namedTarget{}, err
		}
		t := namedTarget{target: host.Ask(command), name: host.NameOf(o.target, evalFile)}
		if o.dryRun {
			t.target, t.asked = run.Mock(""), true
			d.plan.reaches("target", t.name, d.contact(ctx, o.target, evalFile))
		}
		return t, nil
	case kind == "replay":
		return recorded(rest)
	case strings.HasSuffix(o.target, ".jsonl"):
		return recorded(o.target)
	}
	found, path, err := host.FindTarget(evalFile, o.targetsFile, o.target)
	if err != nil {
		return namedTarget{}, err
	}
	d.plan.reaches("target", found.Name, d.contact(ctx, o.target, evalFile))
	target, err := d.Target(ctx, found, path)
	return namedTarget{target, found.Name, found.JudgeTarget, found.Workers, found.Provider != "mock"}, err
}

func recorded(path string) (namedTarget, error) {
	answers, err := host.Answers(path)
	return namedTarget{target: answers.Respond, name: filepath.Base(path)}, err
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
	s.refuse("%s", err)
	if errors.Is(err, judge.ErrUnreachable) {
		return exitUnreachable
	}
	return exitUsage
}
