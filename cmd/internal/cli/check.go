package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

var checkCommand = command{
	name:    "check",
	args:    "PATH…",
	summary: "say what is wrong with eval files before a judge is paid",
	long: `Each PATH is a file or a folder. Below a folder every file that is an eval, a
targets file or a set of JSONL cases is checked, and others are left alone; a
file that is named is checked whatever it looks like. Folders that start with a
dot (other than .agentv) and node_modules are skipped, and so are links to
folders. - reads standard input. Files of one dataset are held against each other,
and so are an evalset of ADK's and the test_config.json in its folder.

The nearest .rubric.yaml, beside a file or above it, may change the severity of
rules, under the key rules; --rule wins over it. A comment in a file,
# rubric: ignore ID -- reason, silences a rule on its line or on the next. A
comment # yaml-language-server: $schema=FILE names a JSON Schema of your own.

Exit status: 0 no errors (warnings may be), 1 errors, 2 nothing could be checked.`,
	example: "rubric check evals/\nrubric check --format github evals/   # in CI\nrubric check --fix my.eval.yaml",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &checkOptions{settings: &host.Settings{}, schemas: &host.Schemas{}}
		flags.StringVar(&o.format, "format", "text", "how to report: text, json, sarif or github")
		flags.BoolVar(&o.fix, "fix", false, "apply the fixes that cannot change what a correct file means")
		flags.BoolVar(&o.effective, "effective", false, "print what will be graded beside the source, instead of findings")
		flags.BoolVarP(&o.quiet, "quiet", "q", false, "report errors only")
		flags.IntVar(&o.maxWarnings, "max-warnings", -1, "the most warnings with which the exit status is still 0 (default: any number)")
		flags.StringArrayVar(&o.rules, "rule", nil, "a rule's severity, as ID=error, warning, info, hint or off (may be repeated)")
		flags.Lookup("max-warnings").DefValue = "0" // no default to show: it says so itself
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
	manyFiles   bool // files are checked
	settings    *host.Settings
	schemas     *host.Schemas
}

// parseRules reads --rule.
func (o *checkOptions) parseRules() error {
	o.severities = map[string]diag.Severity{}
	for _, rule := range o.rules {
		id, name, ok := strings.Cut(rule, "=")
		if !ok {
			return fmt.Errorf("--rule is ID=SEVERITY, not `%s`", rule)
		}
		severity, err := lint.ParseSeverity(id, name)
		if err != nil {
			return fmt.Errorf("--rule: %w", err)
		}
		o.severities[id] = severity
	}
	return nil
}

// severitiesFor are those that hold for a file, the command line's first.
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
		return s.commandError("--format is `text`, `json`, `sarif` or `github`, not `%s`", o.format)
	}
	if o.effective && (o.format != "text" || o.fix) {
		return s.commandError("--effective goes neither with --format nor with --fix")
	}
	if o.effective {
		report = (*session).reportEffective
	}
	if len(paths) == 0 {
		return s.commandError("name a file or a folder, for example `rubric check .`")
	}
	if slices.Contains(paths, "-") && (len(paths) > 1 || o.fix) {
		return s.commandError("- is standard input, which goes neither with other paths nor with --fix")
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
		fmt.Fprintf(s.stderr, "rubric: %s, more than --max-warnings %d\n", plural(warnings, "warning"), o.maxWarnings)
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
	return "these " + fmt.Sprint(len(paths)) + " places"
}
