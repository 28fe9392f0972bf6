package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var generateCommand = command{
	name:        "generate",
	summary:     "Draft criteria for cases that have none",
	example:     "rubric generate rubrics my.eval.yaml --diff",
	subcommands: []command{generateRubricsCommand},
}

var generateRubricsCommand = command{
	name:    "generate rubrics",
	args:    "FILE…",
	summary: "Draft criteria for cases that have none",
	example: "rubric generate rubrics my.eval.yaml --diff\nrubric generate rubrics my.eval.yaml --judge openai:gpt-4.1-mini",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &generateOptions{}
		flags.StringVar(&o.judge, "judge", offline.Name, "draft with `JUDGE`: offline, cli:COMMAND, PROVIDER:MODEL, or a name in targets.yaml")
		flags.StringVar(&o.judge, "target", offline.Name, "AgentV's name for --judge `JUDGE`")
		declareOptions(flags, &o.Settings, "targets")
		flags.StringArrayVar(&o.cases, "case", nil, "select cases by `ID` or pattern (repeatable)")
		flags.BoolVar(&o.diff, "diff", false, "print the changes as a unified diff, and write nothing")
		flags.BoolVar(&o.verbose, "verbose", false, "print each draft, and why other cases have none")
		declareOptions(flags, &o.Settings, "no-cache")
		return func(s *session, args []string) error { return s.generate(args, o) }
	},
}

type generateOptions struct {
	run.Settings
	judge         string
	cases         []string
	diff, verbose bool
}

func (s *session) generate(files []string, o *generateOptions) error {
	defer s.handleInterrupts()()
	drafters, err := interruptible(s, func(s *session) ([]*drafter, error) { return s.openDrafters(files, o) })
	if err != nil {
		return err
	}
	var status exitStatus
	for _, d := range drafters {
		s.draftFile(d, o)
		for _, err := range d.errs {
			status = max(status, exitStatus(s.exitCode(err)))
		}
	}
	return status.err()
}

// openDrafters reads the files.
func (s *session) openDrafters(files []string, o *generateOptions) (drafters []*drafter, err error) {
	schemas := &host.Schemas{}
	var all []*rubric.Case
	for _, path := range files {
		body, err := s.readEvalFile(path)
		if err != nil {
			return nil, err
		}
		in := host.NewInput(path, body)
		in.LoadSchema = schemas.ForFile(path)
		if in.Severities, err = host.Severities(path); err != nil {
			return nil, err
		}
		d := &drafter{path: path, body: body, analysis: analysis.Of(in)}
		for _, p := range d.analysis.Tree().Problems {
			if p.Kind == yaml.SyntaxProblem { // parts of a broken file may be missing
				return nil, fmt.Errorf("%s:%d: %s", path, d.analysis.Source().OffsetLine(p.Span.Start)+1, p.Message)
			}
		}
		if d.cases = draft.Cases(d.analysis); len(d.cases) == 0 {
			return nil, fmt.Errorf("%s has no cases that could have criteria", path)
		}
		drafters, all = append(drafters, d), append(all, d.cases...)
	}
	if err := checkCasePatterns(all, o.cases); err != nil {
		return nil, err
	}
	return drafters, nil
}

// draftFile drafts criteria for the cases of a file and writes them.
func (s *session) draftFile(d *drafter, o *generateOptions) {
	var err error
	if d.judge, err = s.openDraftJudge(d.path, o); err != nil {
		d.addError(fmt.Errorf("judge: %w", err))
		return
	}
	cases := d.casesToDraft(run.MatchIDs(o.cases...))
	if len(cases) > 0 && !o.diff { // before drafts cost money
		if err := disk.CheckWritable(d.path); err != nil {
			d.errs = append(d.errs, err)
			return
		}
	}
	d.draftCases(s.ctx, cases, s.newProgress())
	after := d.body
	if len(d.drafts) > 0 {
		var combined *analysis.Analysis
		if combined, err = draft.Combine(d.analysis, d.drafts); err == nil {
			after = combined.Source().Body
		}
	}
	switch {
	case err != nil:
		d.addError(fmt.Errorf("nothing was written: %w", err))
		return
	case o.diff:
		_, err = s.stdout.Write(diff.Diff("a/"+d.path, []byte(d.body), "b/"+d.path, []byte(after)))
	case after != d.body:
		err = disk.ReplaceText(d.path, d.body, after) // unless it has changed meanwhile
	}
	if err != nil {
		d.errs = append(d.errs, err)
		return
	}
	d.printSummary(s.stderr, o.verbose)
}

// openDraftJudge opens the judge that drafts, or returns nil if drafts need none.
func (s *session) openDraftJudge(evalFile string, o *generateOptions) (judge.Judge, error) {
	if o.judge == offline.Name {
		return nil, nil
	}
	ports := &targets.Ports{OnNote: s.printNote, TargetsFile: o.TargetsFile}
	if !o.NoCache {
		if store, err := judgecache.Default(); err == nil {
			ports.Cache = store
		}
	}
	opened, err := ports.OpenJudge(s.ctx, evalFile, o.judge)
	return opened.Judge, err
}

// maxParallelDrafts is the number of drafts that a judge is asked for in parallel.
const maxParallelDrafts = 3

// A drafter drafts criteria for the cases of one file.
type drafter struct {
	path, body string
	analysis   *analysis.Analysis
	cases      []*rubric.Case
	judge      judge.Judge // nil: no model is asked

	drafts   []draft.Draft
	declined []error // reasons why cases need no draft
	errs     []error // errors of drafts that failed
}

// draftCases drafts criteria for the cases.
func (d *drafter) draftCases(ctx context.Context, cases []*rubric.Case, progress *report.Progress) {
	defer progress.Clear()
	drafts, errs := make([]draft.Draft, len(cases)), make([]error, len(cases))
	var mu sync.Mutex
	done := 0
	parallel(len(cases), maxParallelDrafts, func(i int) {
		if errs[i] = context.Cause(ctx); errs[i] == nil {
			drafts[i], errs[i] = draft.New(ctx, d.judge, d.analysis, cases[i])
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		progress.Draw(fmt.Sprintf("drafted for %d of %s", done, diag.CountNoun(len(cases), "case")))
	})
	for i, err := range errs {
		if err == nil {
			d.drafts = append(d.drafts, drafts[i])
		} else {
			d.addError(err)
		}
	}
}

// addError records an error with the path of the file.
func (d *drafter) addError(err error) { d.errs = append(d.errs, fmt.Errorf("%s: %w", d.path, err)) }

// casesToDraft returns the cases that need drafts. The newest AgentV version makes
// several cases of one test; each test is drafted once.
func (d *drafter) casesToDraft(selects func(*rubric.Case) bool) (all []*rubric.Case) {
	seen := map[text.Span]bool{}
	for _, c := range d.cases {
		if !selects(c) || seen[c.Span] {
			continue
		}
		seen[c.Span] = true
		if err := draft.CheckDraftable(d.analysis, c); err != nil {
			d.declined = append(d.declined, err)
		} else {
			all = append(all, c)
		}
	}
	return all
}

// printSummary prints the drafts and the reasons for missing ones.
func (d *drafter) printSummary(w io.Writer, verbose bool) {
	why := ""
	switch {
	case len(d.drafts) == 0 && len(d.declined) > 0 && !verbose:
		why = "; --verbose shows why"
	case len(d.drafts) > 0 && d.judge == nil:
		why = " from the words of the file, without a model; review them, or draft with --judge"
	}
	fmt.Fprintf(w, "%s: criteria drafted for %s%s\n", d.path, diag.CountNoun(len(d.drafts), "case"), why)
	for _, draft := range d.drafts {
		if verbose {
			fmt.Fprintf(w, "  %s\n", tableCell(draft.Case.ID))
			for _, c := range draft.Criteria {
				required := ""
				if c.Required {
					required = ", required"
				}
				fmt.Fprintf(w, "    %s (weight %v%s): %s\n", tableCell(c.ID), c.Weight, required, tableCell(c.ExpectedOutcome))
			}
		}
		notes := draft.Notes
		if verbose {
			notes = slices.Concat(notes, draft.Remarks)
		}
		for _, note := range notes {
			fmt.Fprintf(w, "  %s: %s\n", tableCell(draft.Case.ID), tableCell(note))
		}
	}
	if verbose {
		for _, err := range d.declined {
			fmt.Fprintf(w, "  %s\n", tableCell(err.Error()))
		}
	}
}
