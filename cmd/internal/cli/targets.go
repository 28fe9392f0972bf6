package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	args:    "[PATH]",
	summary: "List the targets that an eval file can name",
	example: "rubric targets\nrubric targets my.eval.yaml --check",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &targetsOptions{}
		declareOptions(flags, &o.Settings, "targets")
		flags.BoolVar(&o.check, "check", false, "contact each target and report whether it answers")
		declareOptions(flags, &o.Settings, "timeout")
		flag := flags.Lookup("timeout")
		flag.Usage, flag.DefValue, o.Timeout = "wait at most `DURATION` for one answer of --check", "30s", 30*time.Second
		formatVar(flags, &o.format, "text", "json")
		return func(s *session, args []string) error { return s.targets(args, o) }
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
	Price       string `json:"price,omitempty"` // of a model, with its date
	unreachable bool
	failed      bool
}

func (s *session) targets(args []string, o *targetsOptions) error {
	evalFile := append(args, ".")[0]
	if !disk.Exists(evalFile) {
		return fmt.Errorf("%s: no such file or folder", evalFile)
	}
	if info, err := os.Stat(evalFile); err == nil && info.IsDir() {
		evalFile = filepath.Join(evalFile, "any.eval.yaml") // only the folder matters
	}
	listed, err := targets.ListTargets(evalFile, o.TargetsFile)
	if err != nil {
		return err
	}
	s.printNotes(targets.ReadEnvFiles(listed[0].Path).Notes)
	defer s.handleInterrupts()()
	results, err := s.checkTargets(listed, evalFile, o)
	if err != nil {
		return err
	}
	if err := s.printAs(o.format, map[string]any{"targets": results}, describeTargets(results)); err != nil {
		return err
	}
	var status exitStatus
	for _, t := range results {
		switch {
		case t.unreachable:
			return exitUnreachable
		case t.Problem != "" || t.failed:
			status = exitFindings
		}
	}
	return status.err()
}

// checkTargets contacts the targets if --check is given, and then describes their prices.
func (s *session) checkTargets(listed []targets.ListedTarget, evalFile string, o *targetsOptions) (results []checkedTarget, err error) {
	ports := &targets.Ports{}
	if o.check {
		if ports, err = targets.NewPorts(o.Settings, nil, evalFile); err != nil {
			return nil, err
		}
		ports.Timeout = o.Timeout
	}
	for _, l := range listed {
		t := checkedTarget{ListedTarget: l}
		if l.Problem == "" && o.check {
			if l.CheckAccess != "" {
				s.printNote(l.Name + " " + l.CheckAccess)
			}
			t.Check, t.Price = "ok", ports.DescribePrice(s.ctx, evalFile, l)
			if err := ports.CheckTarget(s.ctx, evalFile, l); err != nil {
				t.Check, t.unreachable, t.failed = err.Error(), errors.Is(err, judge.ErrUnreachable), !errors.Is(err, targets.ErrNoHealthcheck)
			}
		}
		results = append(results, t)
	}
	return results, nil
}

// describeTargets returns a table of the targets, and remarks on them.
func describeTargets(results []checkedTarget) string {
	rows := [][]string{{"NAME", "PROVIDER", "MODEL", "HOST", "JUDGED BY", "KEY", "FROM"}}
	for _, t := range results {
		rows = append(rows, []string{tableCell(t.Name), tableCell(t.Provider), tableCell(t.Model), tableCell(cmp.Or(t.Host, t.Health)),
			tableCell(t.Judge), tableCell(t.Key), fmt.Sprintf("%s:%d", tableCell(t.Path), t.Line)})
	}
	var out strings.Builder
	out.WriteString(report.FormatTable(rows))
	for _, t := range results {
		for _, remark := range append(t.UnreadNotes, t.Problem, t.Check, t.Price) {
			if remark != "" {
				fmt.Fprintf(&out, "%s: %s\n", tableCell(t.Name), tableCell(remark))
			}
		}
	}
	return out.String()
}

// tableCell returns text as one line without control characters, or "-" if it is empty.
func tableCell(text string) string { return cmp.Or(report.Printable(text), "-") }
