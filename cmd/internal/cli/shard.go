package cli

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// shardOptions are the options of a run that is divided into shards.
type shardOptions struct {
	shardText string // of --shard; "" runs all cases
	balance   string // results of an earlier run
	shard     run.Shard
	plan      *run.ShardPlan
}

// validateShard reads --shard, and replaces the folder of --out by the shard's result file there.
func (o *runOptions) validateShard() (err error) {
	switch {
	case o.shardText == "" && o.balance != "":
		return errors.New("--balance needs --shard")
	case o.shardText == "":
		return nil
	}
	if o.shard, err = run.ParseShard(o.shardText, os.Getenv); err != nil {
		return fmt.Errorf("--shard %w", err)
	}
	if o.dryRun && len(o.outputs) == 0 {
		return nil
	}
	if len(o.outputs) != 1 || formatOf(o.outputs[0]) != "" || o.folders {
		return errors.New("--shard needs one --out, with the folder for the shard's results; `rubric runs merge` writes all other formats")
	}
	o.outputs[0] = resultstore.ShardPath(o.outputs[0], o.shard)
	return nil
}

// A suiteShard is the part of a suite that a shard runs.
type suiteShard struct {
	positions []int // of its cases in the whole suite, in the order of its records
	total     int   // cases of all shards
	records   []resultstore.ShardRecord

	unreachable bool // for a case, the judge or the target could not be reached
}

// selects yields the shard's cases of those of the whole suite.
func (p *suiteShard) selects(cases iter.Seq[*rubric.Case]) iter.Seq[*rubric.Case] {
	return func(yield func(*rubric.Case) bool) {
		position, left := -1, p.positions
		for c := range cases {
			if position++; len(left) == 0 {
				return
			}
			if position == left[0] {
				if left = left[1:]; !yield(c) {
					return
				}
			}
		}
	}
}

// divide reduces suites to the cases of --shard.
func (s *session) divide(suites []loadedSuite, o *runOptions) (failed error) {
	if o.shardText == "" {
		return nil
	}
	if o.plan, failed = s.planOf(suites, o, o.shard.Count); failed != nil {
		return failed
	}
	own := 0
	for i := range suites {
		suites[i].shard = &suiteShard{positions: o.plan.Positions(i, o.shard), total: o.plan.Cases(i)}
		own += len(suites[i].shard.positions)
	}
	s.printNote(fmt.Sprintf("shard %s of plan %.12s: %s", o.shard, o.plan.Fingerprint, diag.CountNoun(own, "case")))
	if o.dryRun {
		return nil
	}
	return os.MkdirAll(filepath.Dir(o.outputs[0]), 0o777)
}

// planOf plans the shards of a run. A plan of one shard identifies the run.
func (s *session) planOf(suites []loadedSuite, o *runOptions, count int) (plan *run.ShardPlan, failed error) {
	var planner run.ShardPlanner
	if o.balance != "" {
		if planner.Earlier, failed = resultstore.ReadCosts(o.balance); failed != nil {
			return nil, fmt.Errorf("--balance: %w", failed)
		}
		if len(planner.Earlier) == 0 {
			s.printNote(fmt.Sprintf("there are no results in %s, so each shard has equally many cases", o.balance))
		}
	}
	for _, suite := range suites {
		cases, _ := suite.selectedCases(o, &failed)
		planner.AddSuite(filepath.ToSlash(suite.path), suite.run.Runner, suite.suite, run.InOrder(suite.suite, cases))
	}
	settings := reportSettings(o)
	if o.queue.URL != "" && (o.MaxCalls > 0 || o.MaxCost > 0) { // all workers must obey the same limits
		settings["max-calls"], settings["max-cost"] = o.MaxCalls, o.MaxCost
	}
	return planner.Plan(count, fmt.Sprint(settings)), failed
}

// reportOptions are the options that decide about a report besides the records.
var reportOptions = []string{"threshold", "min-pass-rate", "min-mean"}

// reportSettings returns the values of [reportOptions] that are set.
func reportSettings(o *runOptions) map[string]any {
	settings := map[string]any{}
	for _, name := range reportOptions {
		if o.IsSet(name) {
			settings[name] = run.FindOption(name).Value(o.Settings)
		}
	}
	return settings
}

// finishShard stores what [session.runsMerge] needs besides the records, and returns the exit status.
// Whether cases pass is a matter of the whole run. A shard whose judge or target could not be reached is worth
// another attempt.
func (s *session) finishShard(suites []loadedSuite, o *runOptions, status exitStatus) (exitStatus, error) {
	if status == exitInterrupted {
		return status, nil
	}
	f := resultstore.ShardFile{Shard: o.shard.Index, Count: o.shard.Count, Plan: o.plan.Fingerprint, Settings: reportSettings(o), LeftOut: o.leftOut}
	unreachable := false
	for _, suite := range suites {
		unreachable = unreachable || suite.shard.unreachable
		f.Suites = append(f.Suites, resultstore.ShardSuite{
			Name: suite.suite.Name, Path: suite.path, Variant: suite.variant, TargetName: suite.run.TargetName,
			Cases: suite.shard.total, Records: suite.shard.records,
		})
	}
	status = 0
	if unreachable {
		status = exitUnreachable
	}
	return status, resultstore.WriteShardFile(o.outputs[0], f)
}

var runsMergeCommand = command{
	name:    "runs merge",
	args:    "FOLDER…",
	summary: "Merge the shards of a run",
	example: "rubric runs merge shards --out results.jsonl --out junit.xml",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &runOptions{}
		o.Settings = o.WithDefaults()
		flags.StringArrayVar(&o.outputs, "out", nil, "write results to `FILE`: .jsonl, .json, .xml (JUnit), .html or .md; repeatable")
		formatVar(flags, &o.format, "text", "json", "jsonl", "junit", "markdown", "github", "html")
		flags.BoolVar(&o.verbose, "verbose", false, "print passing cases in full, too")
		flags.BoolVar(&o.failed, "failed", false, "print only cases that do not pass")
		flags.BoolVarP(&o.quiet, "quiet", "q", false, "print only totals, and why cases are ungraded")
		return func(s *session, args []string) error { return s.runsMerge(args, o) }
	},
}

// runsMerge joins the results of shards.
func (s *session) runsMerge(folders []string, o *runOptions) error {
	shards, err := resultstore.ReadShards(folders)
	if err != nil {
		return err
	}
	if err := o.validateMerge(shards); err != nil {
		return err
	}
	reader, err := resultstore.OpenShards(shards)
	if err != nil {
		return err
	}
	defer reader.Close()
	for _, f := range shards {
		o.leftOut = generic.AppendNew(o.leftOut, f.LeftOut...)
	}
	status, err := s.gradeSuites(mergedSuites(shards[0], reader), &resumeJournal{shards: shards}, o)
	if err != nil {
		return err
	}
	if status == 0 && len(o.leftOut) > 0 {
		return exitUnreachable
	}
	return status.err()
}

// validateMerge checks the options and sets those of the report as the run had them.
func (o *runOptions) validateMerge(shards []*resultstore.ShardFile) error {
	for _, path := range o.outputs {
		if slices.ContainsFunc(shards, func(f *resultstore.ShardFile) bool { return disk.SameFile(f.Path, path) }) {
			return fmt.Errorf("--out %s has the results of a shard; choose another file", path)
		}
		if format := formatOf(path); format == "" || format == "evalset-result" {
			return fmt.Errorf("--out %s: the name must end in .jsonl, .json, .xml, .html or .md; `rubric run --resume` writes other formats of a merged .jsonl file", path)
		}
	}
	if err := o.checkDetail(); err != nil {
		return err
	}
	for name, value := range shards[0].Settings {
		if !slices.Contains(reportOptions, name) {
			return fmt.Errorf("the shards are of a later version of rubric: it has an option `%s`", name)
		}
		if err := run.FindOption(name).Set(&o.Settings, name, value); err != nil {
			return err
		}
	}
	return o.checkWritable()
}

// mergedSuites returns the suites of a run whose shards a reader has.
func mergedSuites(f *resultstore.ShardFile, reader *resultstore.ShardReader) (suites []loadedSuite) {
	for i, about := range f.Suites {
		suite := loadedSuite{path: about.Path, variant: about.Variant, suite: &rubric.Suite{Name: about.Name}, run: &run.Run{}}
		suite.run.TargetName, suite.run.Prompt = about.TargetName, &run.Prompt{Name: about.Prompt}
		suite.stored = func(visit func(run.Event) error) error {
			return reader.ReadSuite(i, func(line []byte) error {
				rec, err := resultstore.DecodeRecord(line)
				if err != nil {
					return err
				}
				return visit(run.Event{Stage: run.Done, Case: &rubric.Case{ID: rec.EvalID, Tags: rec.Tags}, Record: &rec})
			})
		}
		suites = append(suites, suite)
	}
	return suites
}
