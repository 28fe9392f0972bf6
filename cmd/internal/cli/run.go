package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/judge/price"
)

var runCommand = command{
	name:    "run",
	args:    "FILE…",
	summary: "ask a target for answers to cases, and grade them",
	long: `The target answers each case, and the judge grades the answer.

The target is that of --target, or else of the case or its eval file (execution.target),
or else of the project's .rubric.yaml (target), or else self. The judge is that of --judge,
or else the one that the grader names (target of llm-grader, judge_model of ADK's
criteria), or else the target's judge_target in targets.yaml, or else that of .rubric.yaml
(judge), or else offline. What only files name needs consent once; see rubric trust. A .rubric.yaml also sets samples, workers, profile, threshold,
max_calls, max_cost, rpm and tpm.

Several --target run every case once for each target, and results name the target.
--target is one of:
  self          the file's own expected output. This tests the rubric, not a system.
  mock:TEXT     the answer TEXT for every case.
  cli:COMMAND   a command. Placeholders are inserted as quoted words, so write no
                quotes around them. {PROMPT} is the case's messages as one text,
                with lines such as @[User]: if there are several. {PROMPT_FILE} is
                a file of that text, {MESSAGES_FILE} one of the messages as JSON.
  PROVIDER:MODEL  a model, asked over HTTP.
  replay:FILE   recorded answers. The name of a .jsonl file alone means the same.
  NAME          a target of targets.yaml.

--judge is one of:
  offline         needs no model. It decides quoted text, numbers, lengths,
                  JSON and patterns, and leaves every other criterion ungraded.
  cli:COMMAND     a command. It reads {"system", "user", "schema"} as JSON from
                  standard input and prints its reply.
  PROVIDER:MODEL  a model, asked over HTTP.
  NAME            a target of targets.yaml.
--replay answers from a recording, under the recorded judge's name. If the target is the results file of
that run, no judge or target is asked.

Several --judge form a panel. Each judge is asked --samples times, and each opinion
is one vote. A check follows the majority, and a tie is not satisfied. A score is the
median; of two middle scores the lower counts. More than half of all opinions must
exist. Disagreements are marked, and all opinions are recorded.

Providers, and the environment variables of their keys and addresses:
{list}
Variables of a .env file beside an eval file, or above it in its repository, count as in
rubric targets --help. A key is sent only to its provider and is never shown. Judgements of models are
cached (see rubric cache), so the same question is not asked again.

Prices are built in for some models (as of ` + price.BuiltInDate + `). The key prices of a
.rubric.yaml overrides them, and --prices FILE overrides both. Other prices are
reported as unknown. --max-cost sets a limit: a question is asked only if its highest
possible cost is left. That cost assumes one token for each 2.5 bytes of the question,
and 120 tokens for each criterion and once more. Under a limit, the higher of a
.rubric.yaml's price and the built-in price counts. Answers that are longer than
expected can exceed the limit. A failed attempt counts as far as the provider reports
its usage.

An ADK evalset is measured without running an agent. The expected conversations are
compared with those of --recorded, by the metrics of --config or of the
test_config.json next to the evalset. Without a recording, the expected conversations
are judged alone, with nothing to compare. A result file can be run by itself. A case
passes if every metric reaches its threshold. A case is ungraded if a metric was not
evaluated, for the reason shown, and no other metric fails. The case's score, which
--threshold applies to, is the mean of its metrics. The judge decides whether answers are safe, by six kinds of harm,
unless --moderation names an endpoint, which has its own kinds. FILE:ID,ID selects
cases, as in adk eval.

--resume continues from the file of --out, or from the journal that an interrupted
run left next to it. A result is reused if its case, target and judge are unchanged.
Targets and judges are compared by their names in the results. Their definitions in
targets.yaml and the contents of programs are not compared; after such a change, run
without --resume. Ungraded results are retried. A judge is asked only for opinions
that are missing and needed. The target is asked only if it gave no answer, or if a
program, a prompt with messages or a composite that compares tool calls needs what
results do not store; the case is then graded anew. Grades that ask no judge, such as a
comparison of tool calls, stay. Results of cases that are gone, have changed, or are
asked again without an answer move to FILE.earlier, which no run reads. A file with
results of other eval files, or of cases that --case leaves out, is not resumed.

Code graders run only with --allow-exec. WebAssembly graders (a WASI command, as in
script: [grader.wasm]) do not need it. They run in a sandbox without files, network,
environment or clock.

A case that could not be judged in full, and whose gates have not failed, is
ungraded: it has no score and does not count in the mean. The profiles agentv,
agentv-4 and agentv-head keep the numbers of the reference runner instead.

Errors outside cases and in the selected cases keep everything from running; see
rubric check. --ignore-errors leaves such cases out and lists them.

Exit status: 0 all cases pass, 1 some do not, 2 usage or an invalid file, 3 none
fails but some are left out or ungraded: a judge or target that fails, takes too long or cannot
be reached, a recording without an answer, or a reply that cannot be used.`,
	example: "rubric run my.eval.yaml\nrubric run my.eval.yaml --target answers.jsonl --out results.jsonl --out report.html\nrubric run my.eval.yaml --target 'cli:./agent {PROMPT}' --case 'refund-*'\nrubric run my.eval.yaml --target answers.jsonl --judge openai:gpt-4.1-mini\nrubric run my.eval.yaml --target my-model --record tape.jsonl --out results.jsonl\nrubric run my.eval.yaml --target results.jsonl --replay tape.jsonl\nrubric run my.evalset.json --recorded my.evalset_result.json",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &runOptions{}
		flags.StringArrayVar(&o.cases, "case", nil, "select cases by id or pattern (repeatable)")
		declareOptions(flags, &o.Settings, judgingOptions+" allow-exec")
		flags.BoolVar(&o.trust, "trust", false, "consent to the targets and judges that files name, for this run")
		flags.BoolVar(&o.dryRun, "dry-run", false, "print the planned questions, hosts and keys; contact nothing")
		flags.BoolVar(&o.ignoreErrors, "ignore-errors", false, "run files with errors, without the faulty cases")
		flags.IntVar(&o.maxWarnings, "max-warnings", -1, "run nothing if the files have more warnings (default: no limit)")
		flags.Lookup("max-warnings").DefValue = "0" // the description states the default
		flags.StringArrayVar(&o.outputs, "out", nil, "write results to a file: .jsonl, .json, .xml (JUnit), .html or .evalset_result.json (ADK) (repeatable)")
		flags.StringVar(&o.format, "format", "text", "output format: text, json, jsonl, junit, html or evalset-result")
		flags.BoolVar(&o.resume, "resume", false, "continue an interrupted run; needs --out with a .jsonl file")
		declareOptions(flags, &o.Settings, "threshold "+evalsetOptions+" moderation")
		return func(s *session, args []string) int { return s.run(args, o) }
	},
}

func (s *session) run(files []string, o *runOptions) int {
	if err := o.validate(files); err != nil {
		return s.commandError("%s", err)
	}
	defer s.handleInterrupts()()
	var suites []loadedSuite
	var backends *backends
	var result report.Report
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
	defer journal.file.Close()
	code, err := s.gradeSuites(suites, result, journal, o)
	if err != nil {
		return s.commandError("%s", err)
	}
	journal.printSummary(s.stderr)
	backends.printNotes(s.stderr)
	if code == exitOK && o.hasLeftOut {
		return exitUnreachable
	}
	return code
}

// prepare reads the files and opens targets and judges, before anything costs money.
func (s *session) prepare(files []string, o *runOptions, result *report.Report) (suites []loadedSuite, backends *backends, code int) {
	if err := o.addProjectSettings(files); err != nil {
		return nil, nil, s.commandError("%s", err)
	}
	result.Threshold = o.Threshold
	suites, code = s.loadSuites(files, o)
	if code != exitOK {
		return nil, nil, code
	}
	suites, err := eachTarget(suites, o)
	if err != nil {
		return nil, nil, s.commandError("%s", err)
	}
	if o.needAllCases && len(suites) > 1 {
		return nil, nil, s.commandError("there are %d targets; choose one with --target", len(suites))
	}
	if err := s.requireConsent(suites, o); err != nil {
		return nil, nil, s.openError(err)
	}
	backends, err = s.openBackends(files, o)
	if err != nil {
		return nil, nil, s.commandError("%s", err)
	}
	if code = s.openSuites(suites, backends, result); code != exitOK {
		backends.close()
		return nil, nil, code
	}
	s.noteUnreadSettings(suites, o)
	return suites, backends, exitOK
}

// printNote prints a sentence that is not a result.
func (s *session) printNote(text string) { fmt.Fprintf(s.stderr, "rubric: %s\n", text) }

// noteUnreadSettings prints the settings of targets that are not supported.
func (s *session) noteUnreadSettings(suites []loadedSuite, o *runOptions) {
	printed := map[string]bool{}
	for _, suite := range suites {
		names := suite.run.DefinedNames()
		for _, line := range targets.UnreadSettings(suite.path, o.TargetsFile, names) {
			if !printed[line] {
				printed[line] = true
				s.printNote(line)
			}
		}
	}
}

// openSuites opens the targets and judges of all suites, before the first case costs
// money.
func (s *session) openSuites(suites []loadedSuite, backends *backends, result *report.Report) int {
	for i := range suites {
		opened, err := backends.open(s.ctx, suites[i])
		if err != nil {
			return s.openError(err)
		}
		for _, other := range suites[:i] {
			if other.path == suites[i].path && other.run.TargetName == opened.TargetName {
				return s.commandError("two targets have the name `%s` in results; run them one after the other", opened.TargetName)
			}
		}
		suites[i].run = opened
		if suites[i].evaluation == nil && slices.Contains(opened.JudgeNames, offline.Name) {
			result.Notice = offline.Notice
		}
	}
	return exitOK
}
