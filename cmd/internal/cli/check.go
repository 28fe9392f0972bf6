package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/effective"
	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/run"
)

var checkCommand = command{
	name:    "check",
	args:    "[PATH]…",
	summary: "Lint eval files",
	example: "rubric check\nrubric check evals/\nrubric check --format github evals/   # in CI\nrubric check --fix my.eval.yaml",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &checkOptions{schemas: &host.Schemas{}}
		formatVar(flags, &o.format, "text", "json", "sarif", "github")
		flags.BoolVar(&o.fix, "fix", false, "apply the fixes that cannot change the meaning of a correct file")
		flags.BoolVar(&o.unsafeFixes, "unsafe-fixes", false, "apply the other fixes too, which guess what was meant, such as a misspelt key")
		flags.BoolVar(&o.diff, "diff", false, "print the fixes as a unified diff, and write nothing")
		flags.BoolVar(&o.effective, "effective", false, "print what will be graded next to the source, instead of diagnostics")
		flags.StringVar(&o.baseline, "baseline", "", "do not report the findings that `FILE` lists")
		flags.StringVar(&o.newBaseline, "write-baseline", "", "write the findings into `FILE` for --baseline, and exit with status 0")
		flags.BoolVarP(&o.quiet, "quiet", "q", false, "report errors only")
		declareOptions(flags, &o.limits, "max-warnings")
		flags.StringArrayVar(&o.rules, "rule", nil, "set a severity as `ID=SEVERITY`: error, warning, info, hint or off (repeatable)")
		return func(s *session, args []string) error { return s.check(args, o) }
	},
}

type checkOptions struct {
	format      string
	fix, quiet  bool
	unsafeFixes bool // with those that guess
	diff        bool // fixes are printed, not written
	effective   bool
	baseline    string       // a file of findings that are not reported
	newBaseline string       // a file to write them to
	limits      run.Settings // --max-warnings
	rules       []string     // ID=SEVERITY
	severities  map[string]diag.Severity
	manyFiles   bool // more than one file is checked
	schemas     *host.Schemas
}

func (s *session) check(paths []string, o *checkOptions) error {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	if err := o.validate(paths); err != nil {
		return err
	}
	report := checkReporters[o.format]
	switch {
	case o.diff:
		report = func(*session, []checkedFile) error { return nil }
	case o.effective:
		report = (*session).reportEffective
	}
	results, failed := s.checkFiles(paths, o)
	switch {
	case o.newBaseline != "" && len(results) > 0:
		if err := s.writeBaseline(o.newBaseline, results); err != nil {
			return err
		}
		if failed {
			return exitUsage
		}
		return nil
	case o.baseline != "":
		if err := s.applyBaseline(o.baseline, results); err != nil {
			return err
		}
	}
	errs, excess := 0, o.excessWarnings(results)
	for i, r := range results {
		errs += len(withSeverity(diag.Error, r.diagnostics))
		if o.quiet {
			results[i].diagnostics = withSeverity(diag.Error, r.diagnostics)
			results[i].hiddenCount = len(r.diagnostics) - len(results[i].diagnostics)
		}
	}
	if err := report(s, results); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	switch {
	case failed:
		return exitUsage
	case errs > 0:
		return exitFindings
	}
	if len(excess) > 0 {
		s.printNotes(excess)
		return exitFindings
	}
	return nil
}

// validate checks the combination of options, and parses --rule.
func (o *checkOptions) validate(paths []string) error {
	o.fix = o.fix || o.unsafeFixes || o.diff
	switch {
	case o.diff && o.format != "text":
		return errors.New("--diff cannot be combined with --format")
	case o.effective && (o.format != "text" || o.fix):
		return errors.New("--effective cannot be combined with --format or --fix")
	case slices.Contains(paths, "-") && (len(paths) > 1 || o.fix):
		return errors.New("- (standard input) cannot be combined with other paths or with --fix")
	case o.newBaseline != "" && (o.baseline != "" || o.effective || o.diff):
		return errors.New("--write-baseline cannot be combined with --baseline, --effective or --diff")
	}
	o.severities = map[string]diag.Severity{}
	for _, rule := range o.rules {
		id, name, ok := strings.Cut(rule, "=")
		if !ok {
			return fmt.Errorf("--rule must be ID=SEVERITY, not `%s`", rule)
		}
		severity, err := lint.ParseSeverity(id, name)
		if err != nil {
			return fmt.Errorf("--rule: %w", err)
		}
		o.severities[id] = severity
	}
	return nil
}

// excessWarnings says which files, by their settings file, have more warnings than --max-warnings.
func (o *checkOptions) excessWarnings(results []checkedFile) (notes []string) {
	warnings, limits := map[string]int{}, map[string]run.Settings{}
	for _, r := range results {
		found := withSeverity(diag.Warning, r.diagnostics)
		if len(found) == 0 {
			continue
		}
		project, _ := host.RunSettings(r.path) // its fault is reported with the file
		if o.limits.IsSet("max-warnings") {
			project.Path = ""
		}
		limits[project.Path] = o.limits.Or(project.Settings)
		warnings[project.Path] += len(found)
	}
	for _, path := range slices.Sorted(maps.Keys(limits)) {
		limit := limits[path]
		if n := warnings[path]; limit.IsSet("max-warnings") && n > limit.MaxWarnings {
			notes = append(notes, fmt.Sprintf("%s, more than --max-warnings %d", diag.CountNoun(n, "warning"), limit.MaxWarnings))
		}
	}
	return notes
}

func withSeverity(severity diag.Severity, all []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(all), func(d diag.Diagnostic) bool { return d.Severity != severity })
}

// reportEffective prints what will be graded next to the source of each file.
func (s *session) reportEffective(results []checkedFile) error {
	var out strings.Builder
	for i, r := range results {
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "%s\n%s", r.path, effective.Render(r.source, r.effects))
	}
	return s.printText(out.String())
}
