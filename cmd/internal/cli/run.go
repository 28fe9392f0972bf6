package cli

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

var runCommand = command{
	name:    "run",
	args:    "[PATH]…",
	summary: "Ask a target for answers to cases, and grade them",
	example: "rubric run my.eval.yaml --judge openai:gpt-4.1-mini --out results.jsonl",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &runOptions{}
		selectionFlags(flags, o)
		declareOptions(flags, &o.Settings, judgingOptions+" prompt trials allow-exec")
		flags.BoolVar(&o.eachJudge, "each-judge", false, "compare the judges, instead of forming a panel")
		flags.BoolVar(&o.dryRun, "dry-run", false, "print calls, hosts, keys and costs; ask nothing")
		declareOptions(flags, &o.Settings, "min-pass-rate min-mean max-warnings")
		flags.StringArrayVar(&o.outputs, "out", nil, "write to `FILE`: .jsonl, .json, .xml (JUnit), .html, .md, .evalset_result.json, or a folder; repeatable")
		formatVar(flags, &o.format, "text", "json", "jsonl", "junit", "markdown", "github", "html", "evalset-result", resultstore.AgentVFormat)
		flags.BoolVar(&o.verbose, "verbose", false, "print passing cases in full, too")
		flags.BoolVar(&o.failed, "failed", false, "print only cases that do not pass")
		flags.BoolVarP(&o.quiet, "quiet", "q", false, "print only totals")
		flags.StringVar(&o.shardText, "shard", "", "run the part `I/N` of the cases; for auto, a scheduler says which")
		flags.StringVar(&o.balance, "balance", "", "share out cases by their times and costs in `RUN`, a result file or a folder of shards")
		queueFlags(flags, o)
		flags.BoolVar(&o.resume, "resume", false, "continue the interrupted run of --out FILE.jsonl")
		declareOptions(flags, &o.Settings, "threshold "+evalsetOptions+" moderation")
		return func(s *session, args []string) int { return s.run(args, o) }
	},
}

func (s *session) run(args []string, o *runOptions) int {
	files, err := s.findRunFiles(args)
	if err == nil {
		err = o.validate(files)
	}
	if err != nil {
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
	if err := s.divide(suites, o); err != nil {
		return s.commandError("%s", err)
	}
	if o.dryRun {
		return s.dryRun(suites, backends, o)
	}
	journal, err := s.openResumeJournal(suites, o)
	if err != nil {
		return s.commandError("%s", err)
	}
	defer journal.file.Close()
	endTelemetry, err := s.openTelemetry(o)
	if err != nil {
		return s.commandError("%s", err)
	}
	defer endTelemetry()
	finish := func() error { return nil }
	if o.isCoordinator() {
		if finish, err = s.coordinate(suites, o, &backends.shared); err != nil {
			return s.commandError("%s", err)
		}
	}
	code, err := s.gradeSuites(suites, result, journal, o)
	if err == nil && o.plan != nil {
		code, err = s.finishShard(suites, o, code)
	}
	if err == nil {
		journal.printSummary(s.stderr)
		backends.printNotes(s.stderr)
	}
	if err = errors.Join(err, finish()); err != nil {
		return s.commandError("%s", err)
	}
	if code == exitOK && o.hasLeftOut && o.plan == nil {
		return exitUnreachable
	}
	return code
}

// prepare reads the files and opens targets and judges, before anything costs money.
func (s *session) prepare(files []string, o *runOptions, result *report.Report) (suites []loadedSuite, backends *backends, code int) {
	o.givenMinimums = o.Minimums()
	if err := o.addProjectSettings(files); err != nil {
		return nil, nil, s.commandError("%s", err)
	}
	if err := s.resolveAutoJudge(files, o); err != nil {
		return nil, nil, s.commandError("--judge %s: %s", targets.AutoJudgeName, err)
	}
	result.Threshold = o.Threshold
	suites, code = s.loadSuites(files, o)
	if code != exitOK {
		return nil, nil, code
	}
	err := s.checkMinimumTags(suites, o)
	if err != nil {
		return nil, nil, s.commandError("%s", err)
	}
	if len(o.examples) > 0 {
		suites[0], err = suites[0].withExamples(o)
	} else {
		suites, err = eachTarget(suites, o)
	}
	if err == nil && len(o.Prompts) > 0 {
		if suites, err = eachPrompt(suites, o); err != nil {
			err = fmt.Errorf("--prompt: %w", err)
		}
	}
	if err == nil && o.eachJudge {
		suites, err = eachJudge(suites, o)
	}
	if err != nil {
		return nil, nil, s.commandError("%s", err)
	}
	if o.needAllCases && len(suites) > 1 {
		return nil, nil, s.commandError("there are %d targets; choose one with --target", len(suites))
	}
	if err := s.requireConsent(suites, o); err != nil {
		return nil, nil, s.openError(err)
	}
	backends, err = s.newBackends(files, o)
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
			switch {
			case other.path != suites[i].path || other.run.Variant() != opened.Variant():
			case other.variant.Target != suites[i].variant.Target:
				return s.commandError("two targets have the name `%s` in results; run them one after the other", opened.TargetName)
			default:
				return s.commandError("two judges have the name `%s` in results; run them one after the other", opened.JudgeName)
			}
		}
		suites[i].run = opened
	}
	return exitOK
}

// runSuite runs the cases of one file and calls visit for the last event of each case in the file's
// order, after its record was stored.
func (s *session) runSuite(suite loadedSuite, resume *run.Resume, o *runOptions, visit func(run.Event) error) (failed error) {
	if suite.stored != nil {
		return suite.stored(visit)
	}
	line := s.newProgress()
	defer line.Clear()
	cases, total := suite.selectedCases(o, &failed)
	for e, err := range resume.Run(s.ctx, suite.run.Runner, suite.suite, cases, total) {
		if err != nil {
			return err
		}
		line.Show(e)
		if o.observe != nil {
			o.observe(e)
		}
		if e.Stage != run.Done {
			continue
		}
		suite.shard.add(e)
		if suite.answers != nil {
			suite.answers.AddRecord(suite.run.Runner, e.Case, e.Record)
		}
		line.Clear()
		if strings.HasSuffix(e.Record.Error, run.NoExpectedOutput) {
			o.unanswered++
		}
		if err := visit(e); err != nil {
			return err
		}
		line.Redraw()
	}
	return failed
}

// selectedCases yields the selected cases, with those that they depend on, and returns their number. If a case cannot be
// read, it stops and sets failed.
func (l loadedSuite) selectedCases(o *runOptions, failed *error) (cases iter.Seq[*rubric.Case], total int) {
	if part := l.shard; part != nil {
		l.shard = nil
		cases, _ := l.selectedCases(o, failed)
		return part.selects(run.InOrder(l.suite, cases)), len(part.positions)
	}
	if l.stream != nil {
		return l.stream.cases(l.skipOwn, failed), l.stream.countCases(l.skipOwn)
	}
	selected, _ := run.WithDependencies(l.suite.Cases, o.selects())
	selected = slices.DeleteFunc(selected, func(c *rubric.Case) bool { return l.skipOwn && c.Target != "" })
	return slices.Values(selected), len(selected)
}
