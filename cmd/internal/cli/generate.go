package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/yaml"
)

var generateCommand = command{
	name:        "generate",
	summary:     "draft criteria for cases without any, in place",
	example:     "rubric generate rubrics my.eval.yaml --diff",
	subcommands: []command{generateRubricsCommand},
}

var generateRubricsCommand = command{
	name:    "generate rubrics",
	args:    "FILE…",
	summary: "draft criteria for cases without any, in place",
	long: `Cases with an expected outcome and no criteria are given some: by default the
statements of the expected outcome and the reference answer, for which no model is
asked; with --judge or --target, those that a model writes, 3 to 7 of them. A reply
that cannot be used, or that a rule finds a fault with, is asked for again up to
twice, with the fault named.

Files are only added to, in their own style, and replaced as a whole or not at all;
each draft is tried before that. A case that no draft can be made for costs the
others nothing. What has criteria stays as it is, so that a second call does
nothing more.

Exit status: 0, 2 usage, an invalid file or a case that no draft could be made
for, 3 the judge could not be reached.`,
	example: "rubric generate rubrics my.eval.yaml --diff\nrubric generate rubrics my.eval.yaml --judge openai:gpt-4.1-mini --case 'refund-*'",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &generateOptions{}
		flags.StringVar(&o.judge, "judge", offline.Name, "who drafts: offline, cli:COMMAND, PROVIDER:MODEL, or a name in targets.yaml")
		flags.StringVar(&o.target, "target", "", "the same, by the name that the reference implementation has for it")
		flags.StringVar(&o.targetsFile, "targets", "", "the targets file, instead of the nearest")
		flags.StringArrayVar(&o.cases, "case", nil, "only the cases with this id or pattern (may be repeated)")
		flags.BoolVar(&o.diff, "diff", false, "print what would be changed as a unified diff, and write nothing")
		flags.BoolVar(&o.verbose, "verbose", false, "print each draft, and why other cases have none")
		flags.BoolVar(&o.noCache, "no-cache", false, "ask models again what they have been asked before, and keep nothing")
		return func(s *session, args []string) int {
			switch {
			case len(args) == 0:
				return s.commandError("name an eval file, for example `rubric generate rubrics my.eval.yaml`")
			case o.target != "" && flags.Changed("judge"):
				return s.commandError("--target and --judge both say who drafts")
			case o.target != "":
				o.judge = o.target
			}
			return s.generate(args, o)
		}
	},
}

type generateOptions struct {
	judge, target, targetsFile string
	cases                      []string
	diff, verbose, noCache     bool
}

func (s *session) generate(files []string, o *generateOptions) int {
	defer s.handleInterrupts()()
	var drafters []*drafter
	if code := s.runInterruptible(func(s *session) (code int) {
		drafters, code = s.openDrafters(files, o)
		return code
	}); code != exitOK {
		return code
	}
	code := exitOK
	for _, d := range drafters {
		s.draftFile(d, o)
		for _, err := range d.errs {
			s.commandError("%s", err)
			if code = max(code, exitUsage); errors.Is(err, judge.ErrUnreachable) {
				code = exitUnreachable
			}
		}
	}
	return code
}

// openDrafters read the files.
func (s *session) openDrafters(files []string, o *generateOptions) (drafters []*drafter, code int) {
	settings, schemas := &host.Settings{}, &host.Schemas{}
	for _, path := range files {
		set, body, err := openFile(path)
		switch {
		case err != nil:
			return nil, s.commandError("%s", err)
		case set != nil:
			return nil, s.commandError("%s is an ADK file; criteria are drafted for AgentV's", path)
		}
		in := host.NewInput(path, body)
		in.LoadSchema = schemas.ForFile(path)
		if in.Severities, err = settings.Severities(path); err != nil {
			return nil, s.commandError("%s", err)
		}
		d := &drafter{path: path, body: body, analysis: analysis.Of(in)}
		for _, p := range d.analysis.Tree().Problems {
			if p.Kind == yaml.SyntaxProblem { // what is read of such a file is not all that is there
				return nil, s.commandError("%s:%d: %s", path, d.analysis.Source().OffsetLine(p.Span.Start)+1, p.Message)
			}
		}
		if len(d.allCases()) == 0 {
			return nil, s.commandError("%s has no cases", path)
		}
		drafters = append(drafters, d)
	}
	var all []*rubric.Case
	for _, d := range drafters {
		all = append(all, d.allCases()...)
	}
	if err := checkCasePatterns(all, o.cases); err != nil {
		return nil, s.commandError("%s", err)
	}
	return drafters, exitOK
}

// draftFile drafts for the cases of a file, and writes what was drafted.
func (s *session) draftFile(d *drafter, o *generateOptions) {
	var err error
	if d.judge, err = s.openDraftJudge(d.path, o); err != nil {
		d.addError(fmt.Errorf("the judge: %w", err))
		return
	}
	cases := d.casesToDraft(run.MatchIDs(o.cases...))
	if len(cases) > 0 && !o.diff { // before drafts are paid for
		if err := host.CheckWritable(d.path); err != nil {
			d.errs = append(d.errs, err)
			return
		}
	}
	d.draftCases(s.ctx, cases, s.draftProgress())
	after, err := d.combined()
	switch {
	case err != nil:
		d.addError(fmt.Errorf("nothing was written: %w", err))
		return
	case o.diff:
		_, err = s.stdout.Write(diff.Diff("a/"+d.path, []byte(d.body), "b/"+d.path, []byte(after)))
	case after != d.body:
		err = d.write(after)
	}
	if err != nil {
		d.errs = append(d.errs, err)
		return
	}
	d.printSummary(s.stderr, o.verbose)
}

// openDraftJudge is who drafts; nil if nobody is asked.
func (s *session) openDraftJudge(evalFile string, o *generateOptions) (judge.Judge, error) {
	if o.judge == offline.Name {
		return nil, nil
	}
	ports := &host.Ports{OnNote: s.printNote}
	if !o.noCache {
		if store, err := judgecache.Default(); err == nil {
			ports.Cache = store
		}
	}
	j, _, err := ports.OpenJudge(s.ctx, o.judge, evalFile, o.targetsFile)
	return j, err
}

// draftProgress shows on a terminal how many drafts are done.
func (s *session) draftProgress() func(done, of int) {
	if !isTerminal(s.stderr) {
		return func(int, int) {}
	}
	return func(done, of int) {
		line := ""
		if done < of {
			line = fmt.Sprintf("%d of %s drafted for", done, plural(of, "case"))
		}
		io.WriteString(rawWriter(s.stderr), "\r\x1b[K"+line)
	}
}
