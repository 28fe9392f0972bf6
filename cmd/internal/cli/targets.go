package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/judge"
)

var targetsCommand = command{
	name:    "targets",
	args:    "[FILE | FOLDER]",
	summary: "list the targets that an eval file can name, and where each is from",
	long: `Lists the targets of the targets.yaml nearest to an eval file (or to a folder, by
default this one): provider and model, the host that is asked, who judges it, which
variable its key is from, and which of its settings nothing reads. A host has http:// before
it where requests go over the network unencrypted. No key is ever shown, and nothing is
asked.

A ` + "`${{ NAME }}`" + ` is a variable of the environment, else of the nearest .env file beside the
targets file or in a folder above it. The commands of targets get both as well. Of a .env
file, variables that change which code a program runs (PATH, LD_PRELOAD, NODE_OPTIONS …)
are ignored, and so are addresses that a key from elsewhere could go to.

A command with provider_batching is run once for all cases, without a prompt, and
prints a line of JSON for each, with its ` + "`id`" + `. As a judge it is run for each question,
as any other.

--check has each of them do its healthcheck, or asks a model one small question, and
says before what it is about to reach. A command that has no healthcheck is not tried.

Exit status: 0, 1 if one of them could not be opened, 2 usage or an invalid file, 3
if --check could not reach one.`,
	example: "rubric targets\nrubric targets my.eval.yaml --check",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &targetsOptions{}
		flags.StringVar(&o.file, "targets", "", "the targets file, instead of the nearest")
		flags.BoolVar(&o.check, "check", false, "see whether they answer")
		flags.DurationVar(&o.timeout, "timeout", 30*time.Second, "the most time for one answer of --check")
		flags.StringVar(&o.format, "format", "text", "what to print: text or json")
		return func(s *session, args []string) int { return s.targets(args, o) }
	},
}

type targetsOptions struct {
	file    string
	check   bool
	timeout time.Duration
	format  string
}

// checkedTarget is a target and what --check saw of it.
type checkedTarget struct {
	host.ListedTarget
	Check       string `json:"check,omitempty"` // ok, or why not
	unreachable bool
	failed      bool
}

func (s *session) targets(args []string, o *targetsOptions) int {
	switch {
	case len(args) > 1:
		return s.commandError("takes one file or folder, and was given %d", len(args))
	case o.format != "text" && o.format != "json":
		return s.commandError("--format is `text` or `json`, not `%s`", o.format)
	case o.timeout <= 0:
		return s.commandError("--timeout is a time such as `30s`, not `%s`", o.timeout)
	}
	evalFile := append(args, ".")[0]
	if !host.Exists(evalFile) {
		return s.commandError("%s: no such file or folder", evalFile)
	}
	if info, err := os.Stat(evalFile); err == nil && info.IsDir() {
		evalFile = filepath.Join(evalFile, "any.eval.yaml") // what is beside it is what counts
	}
	listed, err := host.ListTargets(evalFile, o.file)
	if err != nil {
		return s.commandError("%s", err)
	}
	for _, note := range host.ReadEnvFiles(listed[0].Path).Notes {
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

// checkTargets checks those that can be opened, if that was asked for.
func (s *session) checkTargets(listed []host.ListedTarget, evalFile string, o *targetsOptions) (results []checkedTarget) {
	ports := &host.Ports{Timeout: o.timeout}
	for _, l := range listed {
		t := checkedTarget{ListedTarget: l}
		if l.Problem == "" && o.check {
			if l.CheckAccess != "" {
				s.printNote(l.Name + " " + l.CheckAccess)
			}
			t.Check = "ok"
			if err := ports.CheckTarget(s.ctx, evalFile, l); err != nil {
				t.Check, t.unreachable, t.failed = err.Error(), errors.Is(err, judge.ErrUnreachable), !errors.Is(err, host.ErrNoHealthcheck)
			}
		}
		results = append(results, t)
	}
	return results
}

func printTargets(w io.Writer, results []checkedTarget, format string) error {
	if format == "json" {
		out, err := json.MarshalIndent(map[string]any{"targets": results}, "", "  ")
		if err != nil {
			return err
		}
		_, err = w.Write(append(out, '\n'))
		return err
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

// tableCell is a text as a table shows it: on one line, and without what a terminal
// would take for an order.
func tableCell(text string) string { return cmp.Or(report.Printable(text), "-") }
