package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

var runsMergeCommand = command{
	name:    "runs merge",
	args:    "FOLDER…",
	summary: "Merge the shards of a run",
	example: "rubric runs merge shards/* --out results.jsonl --out junit.xml",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &runOptions{}
		o.Settings = o.WithDefaults()
		flags.StringArrayVar(&o.outputs, "out", nil, "write results to `FILE`: .jsonl, .json, .xml (JUnit), .html or .md; repeatable")
		formatVar(flags, &o.format, "text", "json", "jsonl", "junit", "markdown", "github", "html")
		flags.BoolVar(&o.verbose, "verbose", false, "print passing cases in full, too")
		flags.BoolVar(&o.failed, "failed", false, "print only cases that do not pass")
		flags.BoolVarP(&o.quiet, "quiet", "q", false, "print only totals")
		return func(s *session, args []string) int { return s.runsMerge(args, o) }
	},
}

// runsMerge joins the results of shards.
func (s *session) runsMerge(folders []string, o *runOptions) int {
	shards, err := resultstore.ReadShards(folders)
	if err != nil {
		return s.commandError("%s", err)
	}
	if err := o.validateMerge(shards); err != nil {
		return s.commandError("%s", err)
	}
	reader, err := resultstore.OpenShards(shards)
	if err != nil {
		return s.commandError("%s", err)
	}
	defer reader.Close()
	code, err := s.gradeSuites(mergedSuites(shards[0], reader), report.Report{Threshold: o.Threshold}, &resumeJournal{shards: shards}, o)
	if err != nil {
		return s.commandError("%s", err)
	}
	if code == exitOK && slices.ContainsFunc(shards, func(f *resultstore.ShardFile) bool { return f.LeftOut }) {
		return exitUnreachable
	}
	return code
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
			return reader.ReadSuite(i, func(line []byte, _ resultstore.ShardRecord) error {
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
