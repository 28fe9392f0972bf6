package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

var runVerb = verb{
	name:    "run",
	args:    "FILE…",
	summary: "grade a target's answers to the cases of eval files",
	long: `The target answers each case and the judge grades the answer.

--target is ` + "`self`" + `, the file's own expected output (the default: a test of the
rubric, not of a system); ` + "`mock:TEXT`; `cli:COMMAND`" + `, with {PROMPT} and others filled
in; ` + "`replay:FILE`" + `, or just a JSONL file, with recorded answers; or the name of a
target in targets.yaml.

--judge is ` + "`offline`" + `, a lexical stand-in that needs no model; ` + "`cli:COMMAND`" + `, which is
given {"system", "user", "schema"} as JSON on standard input and prints its reply;
PROVIDER:MODEL, a model that is asked over HTTP; or the name of a target in
targets.yaml. The default is the judge_target of the target, if it has one, and
else ` + "`offline`" + `. --replay answers from a recording instead.

Several --judge are a panel: each is asked, --samples times, and every opinion is
one vote. A check is what most say, and not satisfied where as many say no as yes; a
score is the median, of two in the middle the lower; more than half of all opinions
have to be there. What they do not agree on is marked, and every opinion is kept.

Providers, and the variables of the environment that hold their keys and addresses:
` + host.ProviderTable() + `
Keys are sent to the provider and nowhere else, and shown nowhere. What a model
judged is kept (see ` + "`rubric cache`" + `): the same question is not asked again.

What models cost is known of some, as of ` + price.Date + `; --prices says it of others, as does
the key prices in a .rubric.yaml; what is not known is called so. With --max-cost a question is asked only if the most
that it may cost is left, beside what has been spent and what those may cost that
are being asked: a token for each 2.5 bytes of it, and 120 for each criterion. So
the limit is gone beyond at most by what those take that are being asked, beyond
that. Of a try that failed only what the provider tells of it is counted.

An ADK evalset is measured, and no agent run: its expected conversations are held
against those of --recorded, by the metrics of --config or of the test_config.json
beside it. Without a recording the expected conversations are judged themselves,
and compared with nothing. A result file can be run by itself. A case passes if
every metric reaches its threshold; one that is not evaluated fails it, and says
why. Its score, which --threshold goes by, is the mean of theirs. The judge says
whether answers are safe, by six kinds of harm, unless --moderation names an
endpoint, which goes by its own. FILE:ID,ID names cases as ` + "`adk eval`" + ` does.

Code graders of a file are run only with --allow-exec. Those that are WebAssembly
(a WASI command, as in script: [grader.wasm]) need no leave: they run in a sandbox
without files, network, environment or clock.

Exit status: 0 all cases pass, 1 some do not, 2 usage or an invalid file, 3 a
judge or target could not be reached: a judge's command that fails or takes too
long, a model whose provider is away or takes no key, a recording without an answer
to a question, a target's command that is not there. A target that fails is its case's failure.`,
	example: "rubric run my.eval.yaml\nrubric run my.eval.yaml --target answers.jsonl --out results.jsonl --out report.html\nrubric run my.eval.yaml --target 'cli:./agent {PROMPT}' --case 'refund-*'\nrubric run my.eval.yaml --target answers.jsonl --judge openai:gpt-4.1-mini\nrubric run my.evalset.json --recorded my.evalset_result.json",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &runOptions{}
		o.asking(flags)
		flags.BoolVar(&o.dryRun, "dry-run", false, "say what would be asked, and ask nobody")
		flags.BoolVar(&o.allowExec, "allow-exec", false, "run the programs that the files name as graders")
		flags.BoolVar(&o.ignoreErrors, "ignore-errors", false, "run files that check finds errors in, with what is left of them")
		flags.StringArrayVar(&o.out, "out", nil, "write the results to a file: .jsonl, .json, .xml (JUnit), .html or, as ADK does, .evalset_result.json (may be repeated)")
		flags.StringVar(&o.format, "format", "text", "what to print: text, json, jsonl, junit, html or evalset-result")
		flags.BoolVar(&o.resume, "resume", false, "go on with an interrupted run: needs --out with a .jsonl file")
		flags.Float64Var(&o.threshold, "threshold", 0, "the score, 0 to 1, from which a case whose gates hold counts as passing (default: its verdict)")
		o.declare(flags)
		flags.StringVar(&o.moderation, "moderation", "", "ask this endpoint about safety_v1, instead of the judge: openai or openai:MODEL")
		return func(s *session, args []string) int {
			o.given(flags)
			return s.run(args, o)
		}
	},
}

type runOptions struct {
	evalsetOptions
	cases                 []string
	target, targetsFile   string
	judges                []string
	replay, record        string
	profile               string
	samples, workers      int
	timeout               time.Duration
	rpm, tpm, maxCalls    int
	maxCost               float64
	prices                string
	timed, judged, worked bool // timeout, judge and workers were given
	targeted, sampled     bool // target and samples were
	allowExec             bool
	noCache, dryRun       bool
	whole                 bool // all cases are needed at once
	ignoreErrors, resume  bool
	out                   []string
	format                string
	threshold             float64
	moderate              metric.Moderate  // who is asked about safety; nil: the judge
	box                   *sandbox.Sandbox // where graders that are WebAssembly run
}

// faults are misuses that can be told before anything is read.
func (o *runOptions) faults(files []string) error {
	_, known := report.Formats()[o.format]
	switch {
	case len(files) == 0:
		return fmt.Errorf("name an eval file, for example `rubric run my.eval.yaml`")
	case !known:
		return fmt.Errorf("--format is `text`, `json`, `jsonl`, `junit`, `html` or `evalset-result`, not `%s`", o.format)
	case !score.Profile(o.profile).Known():
		return fmt.Errorf("--profile is %s, not `%s`", score.ProfileNames, o.profile)
	case o.dryRun && (o.resume || o.format != "text" && o.format != "json"):
		return fmt.Errorf("--dry-run prints text or json, and does not go with --resume")
	case o.rpm < 0 || o.tpm < 0 || o.maxCalls < 0 || !(o.maxCost >= 0):
		return fmt.Errorf("--rpm, --tpm, --max-calls and --max-cost are not below 0")
	case o.samples < 1 || o.workers < 1:
		return fmt.Errorf("--samples and --workers are at least 1")
	case o.threshold < 0 || o.threshold > 1:
		return fmt.Errorf("--threshold is a score from 0 to 1, not %v", o.threshold)
	case o.timeout <= 0:
		return fmt.Errorf("--timeout is a time such as `30s`, not `%s`", o.timeout)
	case o.resume && journalPath(o.out) == "":
		return fmt.Errorf("--resume needs --out with a .jsonl file, where the interrupted run keeps what it has")
	}
	if err := cmp.Or(o.commandFaults(), o.fault()); err != nil {
		return err
	}
	if err := o.clash(files); err != nil {
		return err
	}
	for _, path := range o.out {
		if formatOf(path) == "" {
			return fmt.Errorf("--out %s: the name has to end in .jsonl, .json, .xml, .html or .evalset_result.json", path)
		}
	}
	return nil
}

// commandFaults are what is wrong with the commands of the options.
func (o *runOptions) commandFaults() error {
	if template, isCommand := strings.CutPrefix(o.target, "cli:"); isCommand {
		if err := (host.CommandTarget{Template: template}).Check(); err != nil {
			return fmt.Errorf("--target: %w", err)
		}
	}
	for i, judge := range o.judges {
		if line, isCommand := strings.CutPrefix(judge, "cli:"); isCommand && strings.TrimSpace(line) == "" {
			return errors.New("--judge: there is no command")
		}
		if slices.Contains(o.judges[:i], judge) {
			return fmt.Errorf("--judge: `%s` sits on the panel twice; --samples has a judge asked more than once", judge)
		}
	}
	return nil
}

func (s *session) run(files []string, o *runOptions) int {
	if err := o.faults(files); err != nil {
		return s.refuse("%s", err)
	}
	defer s.interruptible()()
	defer runtime.KeepAlive(make([]byte, ballast))
	suites, code := s.load(files, o)
	if code != exitOK {
		return code
	}
	doors, err := openDoors(files, o)
	if err != nil {
		return s.refuse("%s", err)
	}
	defer doors.close()
	if o.moderation != "" {
		if o.moderate, err = doors.Moderator(s.ctx, o.moderation); err != nil {
			return s.refuse("--moderation: %s", err)
		}
	}
	o.box = o.sandbox()
	defer o.box.Close()
	result := report.Report{Threshold: o.threshold}
	if code := s.open(suites, doors, o, &result); code != exitOK {
		return code
	}
	if o.dryRun {
		return s.plan(suites, doors, o)
	}
	book, err := s.openBook(o)
	if err != nil {
		return s.refuse("%s", err)
	}
	defer book.close()
	if o.streams(suites) {
		code, err := s.stream(suites, result, book, o)
		if err != nil {
			return s.misuse("run: %s", err)
		}
		doors.kept.tell(s.stderr)
		return code
	}
	for _, suite := range suites {
		records, err := s.runSuite(suite, book, o)
		if err != nil {
			return s.refuse("%s", err)
		}
		if suite.trial != nil && standIn(records) {
			result.Notice = offline.Notice
		}
		result.Suites = append(result.Suites, report.Suite{Name: suite.suite.Name, Path: suite.path, Records: records, Conversations: suite.conversations()})
	}
	if err := s.deliver(result, book, o); err != nil {
		return s.refuse("%s", err)
	}
	doors.kept.tell(s.stderr)
	return status(result, s.ctx.Err() != nil)
}

// ballast is memory that a run claims and never touches, so that it takes up no
// room. The collector counts it among what is in use and waits for as much to be
// allocated again: it does a quarter less work than for the few cases that are held.
const ballast = 32 << 20

// open opens the targets and judges of all suites, before the first case is paid
// for.
func (s *session) open(suites []loaded, doors *doors, o *runOptions, result *report.Report) int {
	for i := range suites {
		var err error
		if suites[i].target, err = doors.target(s.ctx, suites[i]); err != nil {
			return s.unable(err)
		}
		if suites[i].judge, err = doors.judge(s.ctx, suites[i].path, suites[i].target); err != nil {
			return s.unable(err)
		}
		if suites[i].trial != nil && suites[i].judge.seats > 1 {
			return s.refuse("--judge: %s is an evalset, which one judge measures", suites[i].path)
		}
		if suites[i].trial != nil {
			o.askedBy(suites[i])
		} else if slices.Contains(suites[i].judge.names, offline.Name) {
			result.Notice = offline.Notice
		}
	}
	return exitOK
}

// workersFor is how many cases to work on at a time: as the person says, or else
// as the target's definition does.
func (o *runOptions) workersFor(t namedTarget) int {
	if o.worked || t.workers == 0 {
		return o.workers
	}
	return t.workers
}

// runner is everything that all suites of a call share.
func (o *runOptions) runner(suite loaded) run.Runner {
	r := run.Runner{
		Target: suite.target.target, TargetName: suite.target.name, Judge: suite.judge.judge, JudgeName: suite.judge.name(), Seats: suite.judge.seats,
		Schema: host.JSONSchema, Profile: score.Profile(o.profile), Workers: o.workersFor(suite.target), Samples: o.samples, Clock: time.Now,
		Sandbox: host.Sandboxed(suite.path, o.box), EvalFile: filepath.ToSlash(suite.path),
	}
	if suite.trial != nil {
		r.Measure, r.Profile = suite.trial.Measure(metric.Ports{Judge: suite.judge.judge, Moderate: o.moderate, Profile: suite.profile}), run.ProfileOf(suite.profile)
	}
	if o.allowExec {
		r.Exec = host.Exec(suite.path, o.timeout)
	}
	return r
}

// runSuite grades the cases of one file, those from an earlier run excepted.
func (s *session) runSuite(suite loaded, b *book, o *runOptions) ([]run.Record, error) {
	done, keep := b.known(suite.suite, o.runner(suite)), run.Only(o.cases...)
	earlier := len(done) > 0
	suite.done = done
	var records []run.Record
	err := s.eachRecord(suite, b, o, func(c *rubric.Case, rec *run.Record) error {
		if records = append(records, *rec); earlier {
			done[c] = rec
		}
		return nil
	})
	if !earlier {
		return records, err
	}
	records = nil
	for _, c := range suite.suite.Cases {
		if rec := done[c]; rec != nil && keep(c) {
			records = append(records, *rec)
		}
	}
	return records, err
}

// eachRecord grades the cases of one file that are not done, and gives each record
// in the file's order, once it is in the journal.
func (s *session) eachRecord(suite loaded, b *book, o *runOptions, take func(*rubric.Case, *run.Record) error) error {
	progress := s.progress()
	defer progress(nil)
	var failed error
	for e := range o.events(s.ctx, suite, &failed) {
		progress(&e)
		if e.Stage != run.Done || stopped(*e.Record, s) {
			continue
		}
		if err := b.add(*e.Record); err != nil {
			return err
		}
		progress(nil)
		if err := take(e.Case, e.Record); err != nil {
			return err
		}
	}
	return failed
}

// events are those of a file's run. What keeps it from going on is put in failed.
func (o *runOptions) events(ctx context.Context, suite loaded, failed *error) iter.Seq[run.Event] {
	if p := suite.pieces; p != nil {
		return o.runner(suite).Stream(ctx, suite.suite, p.cases(failed), p.total)
	}
	keep := run.Only(o.cases...)
	return o.runner(suite).Run(ctx, suite.suite, func(c *rubric.Case) bool { return keep(c) && suite.done[c] == nil })
}

// stopped tells a case that the interrupted run did not get to judge.
func stopped(rec run.Record, s *session) bool { return s.ctx.Err() != nil && rec.Error != "" }

// progress draws a line on a terminal, and nothing anywhere else; nil ends it.
func (s *session) progress() func(*run.Event) {
	if !isTerminal(s.stderr) {
		return func(*run.Event) {}
	}
	line := report.Progress{Out: s.stderr, Width: width(s.stderr), Clock: time.Now}
	return func(e *run.Event) {
		if e == nil {
			line.Clear()
			return
		}
		line.Show(*e)
	}
}

// status is the exit status that a report stands for.
func status(r report.Report, interrupted bool) int {
	code := exitOK
	if interrupted {
		code = exitFindings
	}
	for _, suite := range r.Suites {
		for _, rec := range suite.Records {
			code = max(code, standing(r, rec))
		}
	}
	return code
}

// clash finds a file that would be written and is read too, or written twice:
// what a person wrote would be gone.
func (o *runOptions) clash(files []string) error {
	read := append([]string{o.replay, o.targetsFile, o.prices, strings.TrimPrefix(o.target, "replay:")}, files...)
	read = append(read, o.reads(files)...)
	written := append([]string{o.record}, o.out...)
	for i, path := range written {
		for _, other := range append(read, written[:i]...) {
			if path != "" && other != "" && host.SameFile(path, other) {
				return fmt.Errorf("%s would be written, and is a file that this run reads or writes already", path)
			}
		}
	}
	return nil
}
