package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
)

var targetsCommand = command{
	name:    "targets",
	args:    "[FILE | FOLDER]",
	summary: "list the targets that an eval file can name, and where each is defined",
	long: `Lists the targets of the targets.yaml nearest to an eval file or a folder (default:
the current folder). For each target it prints the provider, the model, the host,
the judge, the variable that holds the key, and settings that are not supported. A
host starts with http:// when requests cross the network unencrypted. Keys are never
printed, and nothing is contacted.

A ` + "`" + `${{ NAME }}` + "`" + ` is a variable of the environment or of the nearest .env file, in the
folder of the targets file or above. Commands of targets get both sets of variables.
Variables of a .env file are ignored if they change which code a program runs (PATH,
LD_PRELOAD, NODE_OPTIONS …), or if they are addresses that would receive a key from
another source.

A command with provider_batching runs once for all cases, without a prompt. It
prints one line of JSON for each case, with its ` + "`" + `id` + "`" + `. As a judge it runs once for
each question, like any other command.

--check runs the healthcheck of each target, or asks a model one small question. It
says first what it will contact. It does not try a command without a healthcheck.

Exit status: 0 all fine, 1 a target could not be opened, 2 usage or an invalid file,
3 --check could not reach a target.`,
	example: "rubric targets\nrubric targets my.eval.yaml --check",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &targetsOptions{}
		declareOptions(flags, &o.Settings, "targets")
		flags.BoolVar(&o.check, "check", false, "contact each target and report whether it answers")
		declareOptions(flags, &o.Settings, "timeout")
		flag := flags.Lookup("timeout")
		flag.Usage, flag.DefValue, o.Timeout = "the time limit for one answer of --check", "30s", 30*time.Second
		flags.StringVar(&o.format, "format", "text", "output format: text or json")
		return func(s *session, args []string) int { return s.targets(args, o) }
	},
}

type targetsOptions struct {
	run.Settings
	check  bool
	format string
}

// A checkedTarget is a target with the outcome of --check.
type checkedTarget struct {
	targets.ListedTarget
	Check       string `json:"check,omitempty"` // "ok" or an error
	unreachable bool
	failed      bool
}

func (s *session) targets(args []string, o *targetsOptions) int {
	switch {
	case len(args) > 1:
		return s.commandError("takes one file or folder, but got %d", len(args))
	case o.format != "text" && o.format != "json":
		return s.commandError("--format must be `text` or `json`, not `%s`", o.format)
	}
	evalFile := append(args, ".")[0]
	if !disk.Exists(evalFile) {
		return s.commandError("%s: no such file or folder", evalFile)
	}
	if info, err := os.Stat(evalFile); err == nil && info.IsDir() {
		evalFile = filepath.Join(evalFile, "any.eval.yaml") // only the folder matters
	}
	listed, err := targets.ListTargets(evalFile, o.TargetsFile)
	if err != nil {
		return s.commandError("%s", err)
	}
	for _, note := range targets.ReadEnvFiles(listed[0].Path).Notes {
		s.printNote(note)
	}
	defer s.handleInterrupts()()
	results := s.checkTargets(listed, evalFile, o)
	if err := printTargets(s.stdout, results, o.format); err != nil {
		return s.commandError("%s", err)
	}
	code := exitOK
	for _, t := range results {
		switch {
		case t.unreachable:
			return exitUnreachable
		case t.Problem != "" || t.failed:
			code = exitFindings
		}
	}
	return code
}

// checkTargets contacts the targets if --check is given.
func (s *session) checkTargets(listed []targets.ListedTarget, evalFile string, o *targetsOptions) (results []checkedTarget) {
	ports := &targets.Ports{Timeout: o.Timeout}
	for _, l := range listed {
		t := checkedTarget{ListedTarget: l}
		if l.Problem == "" && o.check {
			if l.CheckAccess != "" {
				s.printNote(l.Name + " " + l.CheckAccess)
			}
			t.Check = "ok"
			if err := ports.CheckTarget(s.ctx, evalFile, l); err != nil {
				t.Check, t.unreachable, t.failed = err.Error(), errors.Is(err, judge.ErrUnreachable), !errors.Is(err, targets.ErrNoHealthcheck)
			}
		}
		results = append(results, t)
	}
	return results
}

func printTargets(w io.Writer, results []checkedTarget, format string) error {
	if format == "json" {
		return writeJSON(w, map[string]any{"targets": results})
	}
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tPROVIDER\tMODEL\tHOST\tJUDGED BY\tKEY\tFROM")
	for _, t := range results {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s:%d\n", tableCell(t.Name), tableCell(t.Provider), tableCell(t.Model), tableCell(cmp.Or(t.Host, t.Health)), tableCell(t.Judge), tableCell(t.Key), tableCell(t.Path), t.Line)
	}
	table.Flush()
	for _, t := range results {
		for _, remark := range append(t.UnreadNotes, t.Problem, t.Check) {
			if remark != "" {
				fmt.Fprintf(&out, "%s: %s\n", tableCell(t.Name), tableCell(remark))
			}
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// tableCell returns text as one line without control characters, or "-" if it is empty.
func tableCell(text string) string { return cmp.Or(report.Printable(text), "-") }
