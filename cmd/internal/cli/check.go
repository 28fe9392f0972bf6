package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/effective"
	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/metric"
)

var checkCommand = command{
	name:    "check",
	args:    "PATH…",
	summary: "lint eval files",
	long: `Each PATH is a file or a folder. In a folder, check reads every eval file, targets
file and file of JSONL cases, and skips the rest. A file that you name is always
checked. Folders whose names start with a dot (except .agentv), node_modules and
links to folders are skipped. - is standard input. Files of one dataset are compared
with each other. So are an ADK evalset and the test_config.json in its folder.

The nearest .rubric.yaml, in the file's folder or above, sets the severities of
rules under the key rules. --rule overrides it. In a file, the comment
# rubric: ignore ID -- reason silences a rule on its line or on the next line. The
comment # yaml-language-server: $schema=FILE names your own JSON Schema.

Exit status: 0 no errors (there may be warnings), 1 errors, 2 nothing could be
checked.`,
	example: "rubric check evals/\nrubric check --format github evals/   # in CI\nrubric check --fix my.eval.yaml",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &checkOptions{settings: &host.Settings{}, schemas: &host.Schemas{}}
		flags.StringVar(&o.format, "format", "text", "output format: text, json, sarif or github")
		flags.BoolVar(&o.fix, "fix", false, "apply the fixes that cannot change the meaning of a correct file")
		flags.BoolVar(&o.effective, "effective", false, "print what will be graded next to the source, instead of diagnostics")
		flags.BoolVarP(&o.quiet, "quiet", "q", false, "report errors only")
		flags.IntVar(&o.maxWarnings, "max-warnings", -1, "exit with status 1 if there are more warnings (default: no limit)")
		flags.StringArrayVar(&o.rules, "rule", nil, "set a rule's severity: ID=error, warning, info, hint or off (repeatable)")
		flags.Lookup("max-warnings").DefValue = "0" // the description states the default
		return func(s *session, args []string) int { return s.check(args, o) }
	},
}

type checkOptions struct {
	format      string
	fix, quiet  bool
	effective   bool
	maxWarnings int
	rules       []string // ID=SEVERITY
	severities  map[string]diag.Severity
	manyFiles   bool // more than one file is checked
	settings    *host.Settings
	schemas     *host.Schemas
}

// parseRules parses --rule.
func (o *checkOptions) parseRules() error {
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

// severitiesFor returns the severities for a file. --rule overrides the settings.
func (o *checkOptions) severitiesFor(path string) (map[string]diag.Severity, error) {
	all, err := o.settings.Severities(path)
	if len(o.severities) == 0 || err != nil {
		return all, err
	}
	all = maps.Clone(all)
	if all == nil {
		all = map[string]diag.Severity{}
	}
	maps.Copy(all, o.severities)
	return all, nil
}

func (s *session) check(paths []string, o *checkOptions) int {
	report, known := checkReporters[o.format]
	if !known {
		return s.commandError("--format must be `text`, `json`, `sarif` or `github`, not `%s`", o.format)
	}
	if o.effective && (o.format != "text" || o.fix) {
		return s.commandError("--effective cannot be combined with --format or --fix")
	}
	if o.effective {
		report = (*session).reportEffective
	}
	if len(paths) == 0 {
		return s.commandError("name a file or a folder, for example `rubric check .`")
	}
	if slices.Contains(paths, "-") && (len(paths) > 1 || o.fix) {
		return s.commandError("- (standard input) cannot be combined with other paths or with --fix")
	}
	if err := o.parseRules(); err != nil {
		return s.commandError("%s", err)
	}
	results, failed := s.checkFiles(paths, o)
	errs, warnings := 0, 0
	for i, r := range results {
		errs += len(withSeverity(diag.Error, r.diagnostics))
		warnings += len(withSeverity(diag.Warning, r.diagnostics))
		if o.quiet {
			results[i].diagnostics = withSeverity(diag.Error, r.diagnostics)
			results[i].hiddenCount = len(r.diagnostics) - len(results[i].diagnostics)
		}
	}
	if err := report(s, results); err != nil {
		return s.commandError("write the report: %s", err)
	}
	switch {
	case failed:
		return exitUsage
	case errs > 0:
		return exitFindings
	case o.maxWarnings >= 0 && warnings > o.maxWarnings:
		fmt.Fprintf(s.stderr, "rubric: %s, more than --max-warnings %d\n", diag.CountNoun(warnings, "warning"), o.maxWarnings)
		return exitFindings
	}
	return exitOK
}

func withSeverity(severity diag.Severity, all []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(all), func(d diag.Diagnostic) bool { return d.Severity != severity })
}

func quotePaths(paths []string) string {
	if len(paths) == 1 {
		return "`" + paths[0] + "`"
	}
	return "these " + fmt.Sprint(len(paths)) + " paths"
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
	_, err := io.WriteString(s.stdout, out.String())
	return err
}

// effectsOf returns the effects of a file. ADK files follow the ADK version of their
// settings.
func (o *checkOptions) effectsOf(a *analysis.Analysis, in analysis.Input) ([]effective.Effect, error) {
	if a.ADK() == adk.None {
		return effective.Describe(a, in, ""), nil
	}
	project, err := o.settings.Run(in.Path)
	return effective.Describe(a, in, cmp.Or(project.ADK, metric.Latest)), err
}
