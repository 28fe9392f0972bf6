package cli

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/run"
)

var runCommand = command{
	name:    "run",
	args:    "FILE…",
	summary: "grade a target's answers to the cases of eval files",
	long: `The target answers each case and the judge grades the answer.

--target is ` + "`self`" + `, the file's own expected output (the default: a test of the
rubric, not of a system); ` + "`mock:TEXT`; `cli:COMMAND`" + `, with {PROMPT} and others filled
in as quoted words, so that they need no quotes; ` + "`replay:FILE`" + `, or just a JSONL file,
with recorded answers; or the name of a target in targets.yaml.

--judge is ` + "`offline`" + `, a lexical stand-in that needs no model; ` + "`cli:COMMAND`" + `, which is
given {"system", "user", "schema"} as JSON on standard input and prints its reply;
PROVIDER:MODEL, a model that is asked over HTTP; or the name of a target in
targets.yaml. The default is the judge_target of the target, if it has one, and
else ` + "`offline`" + `. --replay answers from a recording instead, under the name of whoever
was recorded; if the target is the results of that run, nobody is asked at all.

Several --judge are a panel: each is asked, --samples times, and every opinion is
one vote. A check is what most say, and not satisfied where as many say no as yes; a
score is the median, of two in the middle the lower; more than half of all opinions
have to be there. What they do not agree on is marked, and every opinion is kept.

Providers, and the variables of the environment that hold their keys and addresses:
` + host.ProviderTable() + `
Keys are sent to the provider and nowhere else, and shown nowhere. What a model
judged is kept (see ` + "`rubric cache`" + `): the same question is not asked again.

Prices are built in for some models, as of ` + price.BuiltInDate + `. The key prices of a .rubric.yaml
overrides them, and --prices FILE overrides both; a price that neither has is reported as
unknown. --max-cost keeps to a limit: a question is asked only if the most that it may
cost is left, a token for each 2.5 bytes of it and 120 for each criterion and once more.
Under a limit the higher of a .rubric.yaml's price and the built-in one counts. Answers that
are longer than expected can exceed the limit. A failed try counts as far as its provider
reports it.

An ADK evalset is measured, and no agent run: its expected conversations are held
against those of --recorded, by the metrics of --config or of the test_config.json
beside it. Without a recording the expected conversations are judged themselves,
and compared with nothing. A result file can be run by itself. A case passes if
every metric reaches its threshold. It is ungraded if one is not evaluated, for the
reason shown, and no other fails. Its score, which --threshold goes by, is the mean of theirs. The judge says
whether answers are safe, by six kinds of harm, unless --moderation names an
endpoint, which goes by its own. FILE:ID,ID names cases as ` + "`adk eval`" + ` does.

--resume goes on from what --out holds, or an interrupted run has left beside it. A
result whose case, target and judge are as they were is kept; the last two are told
by what results call them, and not by what targets.yaml says of them, and no program
is looked into: after one has changed, leave out --resume. What is ungraded is tried
again, and only who has not said what is needed is asked: no judge for an opinion
that is there, nor for one without which most have graded; and the target only if it
gave no answer or if a program, a prompt with messages or a composite that compares
tool calls is to look at what no result holds; then all of the case is graded anew.
What asks nobody, such as a comparison of tool calls, stays as it is. A result of a
case that is gone, or has changed, or is asked again and not answered, is set aside
in FILE.earlier, which no run reads. Where there are results of other files, or of
cases that --case leaves out, nothing is run.

Code graders of a file are run only with --allow-exec. Those that are WebAssembly
(a WASI command, as in script: [grader.wasm]) need no leave: they run in a sandbox
without files, network, environment or clock.

A case that could not be judged in full, and of which no gate failed, is ungraded: it
has no score and no part in the mean. The profiles agentv, agentv-4 and agentv-head
keep the reference runner's numbers instead.

Exit status: 0 all cases pass, 1 some do not, 2 usage or an invalid file, 3 none
fails but some are ungraded: a judge or target that fails, takes too long or cannot
be reached, a recording without an answer, a reply that cannot be used.`,
	example: "rubric run my.eval.yaml\nrubric run my.eval.yaml --target answers.jsonl --out results.jsonl --out report.html\nrubric run my.eval.yaml --target 'cli:./agent {PROMPT}' --case 'refund-*'\nrubric run my.eval.yaml --target answers.jsonl --judge openai:gpt-4.1-mini\nrubric run my.eval.yaml --target my-model --record tape.jsonl --out results.jsonl\nrubric run my.eval.yaml --target results.jsonl --replay tape.jsonl\nrubric run my.evalset.json --recorded my.evalset_result.json",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &runOptions{}
		o.declareFlags(flags)
		flags.BoolVar(&o.dryRun, "dry-run", false, "say what would be asked, and which hosts would get which keys; ask nobody")
		flags.BoolVar(&o.allowExec, "allow-exec", false, "run the programs that the files name as graders")
		flags.BoolVar(&o.ignoreErrors, "ignore-errors", false, "run files that check finds errors in, with what is left of them")
		flags.StringArrayVar(&o.outputs, "out", nil, "write the results to a file: .jsonl, .json, .xml (JUnit), .html or, as ADK does, .evalset_result.json (may be repeated)")
		flags.StringVar(&o.format, "format", "text", "what to print: text, json, jsonl, junit, html or evalset-result")
		flags.BoolVar(&o.resume, "resume", false, "go on with an interrupted run: needs --out with a .jsonl file")
		flags.Float64Var(&o.threshold, "threshold", 0, "the score, 0 to 1, from which a case whose gates hold counts as passing (default: its verdict)")
		o.declareEvalsetFlags(flags)
		flags.StringVar(&o.moderation, "moderation", "", "ask this endpoint about safety_v1, instead of the judge: openai or openai:MODEL")
		return func(s *session, args []string) int {
			o.markSetFlags(flags)
			return s.run(args, o)
		}
	},
}

func (s *session) run(files []string, o *runOptions) int {
	if err := o.validate(files); err != nil {
		return s.commandError("%s", err)
	}
	defer s.handleInterrupts()()
	o.sandbox = o.newSandbox()
	defer o.sandbox.Close()
	var suites []loadedSuite
	var backends *backends
	result := report.Report{Threshold: o.threshold}
	if code := s.runInterruptible(func(s *session) (code int) {
		suites, backends, code = s.prepare(files, o, &result)
		return code
	}); code != exitOK {
		return code
	}
	defer backends.close()
	if o.dryRun {
		return s.dryRun(suites, backends, o)
	}
	journal, err := s.openResumeJournal(suites, o)
	if err != nil {
		return s.commandError("%s", err)
	}
	defer journal.close()
	if o.canStream() {
		code, err := s.streamResults(suites, result, journal, o)
		if err != nil {
			return s.commandError("%s", err)
		}
		journal.printSummary(s.stderr)
		backends.printNotes(s.stderr)
		return code
	}
	code, err := s.collectResults(suites, result, journal, o)
	if err != nil {
		return s.commandError("%s", err)
	}
	journal.printSummary(s.stderr)
	backends.printNotes(s.stderr)
	return code
}

// prepare reads the files and opens whom they are to be graded by, before anybody is
// paid.
func (s *session) prepare(files []string, o *runOptions, result *report.Report) (suites []loadedSuite, backends *backends, code int) {
	suites, code = s.loadSuites(files, o)
	if code != exitOK {
		return nil, nil, code
	}
	backends, err := s.openBackends(files, o)
	if err != nil {
		return nil, nil, s.commandError("%s", err)
	}
	if o.moderation != "" {
		if o.moderator, err = backends.OpenModerator(s.ctx, o.moderation); err != nil {
			backends.close()
			return nil, nil, s.commandError("--moderation: %s", err)
		}
	}
	if code = s.openSuites(suites, backends, o, result); code != exitOK {
		backends.close()
		return nil, nil, code
	}
	s.noteUnreadSettings(suites, o)
	return suites, backends, exitOK
}

// printNote prints a sentence that is not a result.
func (s *session) printNote(text string) { fmt.Fprintf(s.stderr, "rubric: %s\n", text) }

// noteUnreadSettings tells what targets say and nothing reads, before anybody is asked without it.
func (s *session) noteUnreadSettings(suites []loadedSuite, o *runOptions) {
	printed := map[string]bool{}
	for _, suite := range suites {
		for _, line := range host.UnreadSettings(suite.path, o.targetsFile, append([]string{o.target}, suite.judge.names...)) {
			if !printed[line] {
				printed[line] = true
				s.printNote(line)
			}
		}
	}
}

// collectResults grades the cases of all files and then delivers what is to be told of them
// together. It gives the exit status.
func (s *session) collectResults(suites []loadedSuite, result report.Report, journal *resumeJournal, o *runOptions) (code int, err error) {
	var spools []*host.Spool
	var sum outcome
	defer func() {
		for _, spool := range spools {
			spool.Close()
		}
	}()
	for _, suite := range suites {
		spool := &host.Spool{}
		spools = append(spools, spool)
		err := s.forEachRecord(suite, journal, o, func(rec *run.Record) error {
			sum.add(result, rec)
			return spool.Add(rec)
		}, journal.flush)
		if err != nil {
			return exitUsage, err
		}
		result.Suites = append(result.Suites, report.Suite{Name: suite.suite.Name, Path: suite.path, Records: spool.Records(), Conversations: suite.visitConversations(o)})
	}
	if sum.usedOffline {
		result.Notice = offline.Notice
	}
	result.Unreachable = sum.unreachable.String()
	s.noteUnreachable(result.Unreachable, o.format)
	complete := func() (err error) {
		for _, spool := range spools {
			err = cmp.Or(err, spool.Err())
		}
		return err
	}
	if err := s.writeReports(result, complete, journal, o); err != nil {
		return exitUsage, err
	}
	if s.ctx.Err() != nil {
		sum.exitCode = max(sum.exitCode, exitFindings)
	}
	return sum.exitCode, nil
}

// openSuites opens the targets and judges of all suites, before the first case is paid
// for.
func (s *session) openSuites(suites []loadedSuite, backends *backends, o *runOptions, result *report.Report) int {
	for i := range suites {
		var err error
		if suites[i].target, err = backends.openTarget(s.ctx, suites[i]); err != nil {
			return s.openError(err)
		}
		if suites[i].judge, err = backends.openJudge(s.ctx, suites[i].path, suites[i].target); err != nil {
			return s.openError(err)
		}
		if suites[i].evaluation != nil && suites[i].judge.seats > 1 {
			return s.commandError("--judge: %s is an evalset, which one judge measures", suites[i].path)
		}
		if suites[i].evaluation != nil {
			o.setSampleCount(suites[i])
		} else if slices.Contains(suites[i].judge.names, offline.Name) {
			result.Notice = offline.Notice
		}
	}
	return exitOK
}

// workersFor is how many cases to work on at a time: as the person says, or else
// as the target's definition does.
func (o *runOptions) workersFor(t namedTarget) int {
	if o.workersSet || t.workers == 0 {
		return o.workers
	}
	return t.workers
}
