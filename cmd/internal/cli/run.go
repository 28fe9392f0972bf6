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
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

var runCommand = command{
	name:    "run",
	args:    "[PATH]…",
	summary: "Ask a target for answers to cases, and grade them",
	example: "rubric run my.eval.yaml --judge openai:gpt-4.1-mini --out results.jsonl",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &runOptions{}
		selectionFlags(flags, o)
		declareOptions(flags, &o.Settings, judgingOptions+" prompt trials allow-exec")
		flags.BoolVar(&o.eachJudge, "each-judge", false, "compare the judges, instead of forming a panel")
		flags.BoolVar(&o.dryRun, "dry-run", false, "print calls, hosts, keys and costs; ask nothing")
		declareOptions(flags, &o.Settings, "min-pass-rate min-mean max-warnings")
		flags.StringArrayVar(&o.outputs, "out", nil, "write to `FILE`: .jsonl, .json, .xml (JUnit), .html, .md, .evalset_result.json, or a folder; repeatable")
		formats := []string{"text", "json", "jsonl", "junit", "markdown", "github", "html", "evalset-result"}
		formats = append(formats, generic.Map(run.Formats(), func(f run.Format) string { return f.Name })...)
		formatVar(flags, &o.format, append(formats, resultstore.AgentVFormat)...)
		flags.BoolVar(&o.verbose, "verbose", false, "print passing cases in full, too")
		flags.BoolVar(&o.failed, "failed", false, "print only cases that do not pass")
		flags.BoolVarP(&o.quiet, "quiet", "q", false, "print only totals, and why cases are ungraded")
		flags.StringVar(&o.shardText, "shard", "", "run the part `I/N` of the cases; for auto, a scheduler says which")
		flags.StringVar(&o.balance, "balance", "", "share out cases by their times and costs in `RUN`, a result file or a folder of shards")
		queueFlags(flags, o)
		flags.BoolVar(&o.resume, "resume", false, "continue the interrupted run of --out FILE.jsonl")
		declareOptions(flags, &o.Settings, "threshold "+evalsetOptions+" moderation")
		return func(s *session, args []string) error { return s.run(args, o) }
	},
}

func (s *session) run(args []string, o *runOptions) error {
	files, unread, err := s.findRunFiles(args)
	o.leftOut = append(o.leftOut, unread...)
	if err == nil {
		err = o.validate(files)
	}
	if err != nil {
		return err
	}
	defer s.handleInterrupts()()
	backends, err := interruptible(s, func(s *session) (*backends, error) { return s.prepare(files, o) })
	if err != nil {
		return err
	}
	defer backends.close()
	suites := backends.suites
	if err := s.divide(suites, o); err != nil {
		return err
	}
	if o.dryRun {
		return s.dryRun(backends)
	}
	journal, err := s.openResumeJournal(suites, o)
	if err != nil {
		return err
	}
	defer journal.file.Close()
	endTelemetry, err := s.openTelemetry(o)
	if err != nil {
		return err
	}
	defer endTelemetry()
	finish := func() error { return nil }
	if o.isCoordinator() {
		if finish, err = s.coordinate(suites, o, &backends.shared); err != nil {
			return err
		}
	}
	status, err := s.gradeSuites(suites, journal, o)
	if err == nil && o.plan != nil {
		status, err = s.finishShard(suites, o, status)
	}
	if err == nil {
		journal.printSummary(s.stderr)
		backends.printNotes(s.stderr)
		s.noteUnstored(o)
	}
	if err = errors.Join(err, finish()); err != nil {
		return err
	}
	if status == 0 && len(o.leftOut) > 0 && o.plan == nil {
		return exitUnreachable
	}
	return status.err()
}

// prepare reads the files and opens targets and judges, before anything costs money.
func (s *session) prepare(files []string, o *runOptions) (*backends, error) {
	o.givenMinimums = o.Minimums()
	if err := o.addProjectSettings(files); err != nil {
		return nil, err
	}
	if err := s.resolveAutoJudge(files, o); err != nil {
		return nil, fmt.Errorf("--judge %s: %w", targets.AutoJudgeName, err)
	}
	suites, err := s.loadSuites(files, o)
	if err == nil {
		err = s.checkMinimumTags(suites, o)
	}
	if err == nil {
		suites, err = variants(suites, o)
	}
	if err != nil {
		return nil, err
	}
	if o.needAllCases && len(suites) > 1 {
		return nil, fmt.Errorf("there are %d targets; choose one with --target", len(suites))
	}
	if err := s.requireConsent(suites, o); err != nil {
		return nil, run.WithAdvice(err, "--")
	}
	backends, err := s.newBackends(files, o)
	if err != nil {
		return nil, err
	}
	backends.suites = suites
	if err := backends.openSuites(s.ctx); err != nil {
		backends.close()
		return nil, run.WithAdvice(err, "--")
	}
	var unread []string
	for _, suite := range suites {
		unread = append(unread, targets.UnreadSettings(suite.path, o.TargetsFile, suite.run.DefinedNames())...)
	}
	s.printNotes(unread)
	return backends, nil
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
		if p := suite.shard; p != nil {
			p.unreachable = p.unreachable || e.Record.Unreachable
			p.records = append(p.records, resultstore.ShardRecord{Position: p.positions[e.Index], Duration: e.Record.DurationMS})
		}
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
		left := slices.DeleteFunc(slices.Clone(l.stream.limited), l.leavesOut)
		return l.stream.cases(l.leavesOut, failed), l.stream.selectedCount - len(l.stream.limited) + len(left)
	}
	selected, _ := run.WithDependencies(l.suite.Cases, o.selects())
	selected = slices.DeleteFunc(selected, l.leavesOut)
	return slices.Values(selected), len(selected)
}

// leavesOut reports whether a case is for other targets of the run.
func (l loadedSuite) leavesOut(c *rubric.Case) bool {
	return l.skipOwn && c.Target != "" || l.variant.Target != "" && len(c.Targets) > 0 && !slices.Contains(c.Targets, l.variant.Target)
}
