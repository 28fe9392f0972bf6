package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/spell"
)

// A usageError is an error of a flag's value that needs no other words.
type usageError struct{ error }

// A choice is the value of a flag with a few valid values.
type choice struct {
	name   string
	values []string
	value  *string
}

// formatVar declares --format. The first value is the default.
func formatVar(flags *pflag.FlagSet, format *string, values ...string) {
	*format = values[0]
	flags.Var(&choice{"format", values, format}, "format", "print `FORMAT`: "+diag.JoinList(values, "or"))
}

func (c *choice) String() string { return *c.value }
func (c *choice) Type() string   { return "choice" }

func (c *choice) Set(value string) error {
	if !slices.Contains(c.values, value) {
		return usageError{fmt.Errorf("--%s must be %s, not `%s`", c.name, diag.JoinList(diag.Backtick(c.values), "or"), value)}
	}
	*c.value = value
	return nil
}

// A singleValue is the value of a flag that can be given once.
type singleValue struct {
	pflag.Value
	name  string
	given []string
}

func (v *singleValue) Set(value string) error {
	if len(v.given) > 0 && v.given[0] != value {
		return usageError{fmt.Errorf("--%s can be given once, not with `%s` and `%s`", v.name, v.given[0], value)}
	}
	v.given = append(v.given, value)
	return v.Value.Set(value)
}

// refuseRepeated makes it an error to give a flag with one value two different ones, since one of
// them would be lost.
func refuseRepeated(cmd *cobra.Command) {
	guard := func(f *pflag.Flag) {
		if _, guarded := f.Value.(*singleValue); !guarded && f.Value.Type() != "stringArray" {
			f.Value = &singleValue{Value: f.Value, name: f.Name}
		}
	}
	cmd.Flags().VisitAll(guard)
	cmd.PersistentFlags().VisitAll(guard)
	for _, sub := range cmd.Commands() {
		refuseRepeated(sub)
	}
}

// describeFlagError explains a flag error. The messages of pflag name its own functions.
func describeFlagError(cmd *cobra.Command, err error) error {
	var usage usageError
	var noValue *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &usage):
		return usage
	case errors.As(err, &noValue):
		return fmt.Errorf("--%s needs a value", noValue.GetFlag().Name)
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s must be %s, not `%s`", invalid.GetFlag().Name, flagTypeNames[invalid.GetFlag().Value.Type()], invalid.GetValue())
	case !errors.As(err, &unknown):
		return err
	}
	dashes, names := "-", []string(nil)
	if unknown.GetSpecifiedShortnames() == "" {
		dashes = "--"
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	}
	name := unknown.GetSpecifiedName()
	suggestion := spell.DidYouMeanOr("--"+name, names, "`"+cmd.CommandPath()+" --help` lists the options")
	if own := agentvOptions[name]; own != "" && cmd.Flags().Lookup(own) != nil {
		suggestion = spell.Suggestion("--" + own)
	}
	return fmt.Errorf("unknown option `%s%s`%s", dashes, name, suggestion)
}

// flagTypeNames describes the values of flags by pflag's type names.
var flagTypeNames = map[string]string{
	"bool":     "`true` or `false`",
	"int":      "a whole number",
	"float64":  "a number",
	"duration": "a duration such as `30s` or `2m`",
}

// The names of AgentV's command line, of all versions, and other usual ones, for what has another name here.
var (
	agentvCommands = map[string]string{
		"eval": "run", "validate": "check", "grade": "score", "results": "runs", "inspect": "runs show", "trend": "runs compare",
		"compare": "runs compare", "import": "convert", "transpile": "convert", "lint": "check", "diff": "runs compare", "show": "runs show", "list": "runs list",
	}
	agentvOptions = map[string]string{
		"eval-id": "case", "test-id": "case", "provider": "target", "providers": "targets", "transcript": "target",
		"grader-target": "judge", "grader-provider": "judge", "model": "judge", "agent-timeout": "timeout", "budget-usd": "max-cost",
		"o": "out", "output": "out", "artifacts": "out", "output-format": "format", "retry-errors": "resume",
		"json": "format", "exclude-tag": "tag", "repeat": "trials", "threads": "workers", "concurrency": "workers", "max-concurrency": "workers",
	}
)

// suggestCommand returns "; did you mean `…`?" for the command that has another name in AgentV, or
// else for the nearest of names, or else where all are.
func suggestCommand(name string, names []string) string {
	return cmp.Or(spell.Suggestion(cmp.Or(agentvCommands[name], spell.Nearest(name, names))), "; `rubric help` lists all")
}

// completeArguments sets what shells offer for the arguments of cmd: values, or else eval files.
func completeArguments(cmd *cobra.Command, values func() []string) {
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if values == nil {
			return []string{"yaml", "yml", "json", "jsonl"}, cobra.ShellCompDirectiveFilterFileExt
		}
		return values(), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFlags sets what shells offer for the flags of cmd: their valid values, the rules, and the
// cases and targets of the eval files among the arguments. Other flags take files.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		values := flagValues(f)
		if values == nil {
			return
		}
		_ = cmd.RegisterFlagCompletionFunc(f.Name, func(_ *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) { // fails for an unknown flag only
			found, directive := values(args), cobra.ShellCompDirectiveNoFileComp
			if slices.ContainsFunc(found, func(v string) bool {
				return strings.HasPrefix(v, prefix) && strings.ContainsAny(v[len(v)-1:], "=:")
			}) {
				directive |= cobra.ShellCompDirectiveNoSpace
			}
			return found, directive
		})
	})
}

// flagValues returns a function from the arguments of a call to the values of a flag, or nil.
func flagValues(f *pflag.Flag) func(files []string) []string {
	switch f.Name {
	case "case":
		return caseIDs
	case "target", "judge":
		return func(files []string) []string { return targetNames(f.Name, files) }
	case "rule":
		return func([]string) []string {
			return generic.Map(lint.RuleIDs(), func(id string) string { return id + "=" })
		}
	}
	switch v := f.Value.(type) {
	case *choice:
		return func([]string) []string { return v.values }
	case *optionFlag:
		if len(v.Values) > 0 {
			return func([]string) []string { return v.Values }
		}
	}
	return nil
}

// caseIDs lists the cases of the files that a run of paths has, as far as they can be read.
func caseIDs(paths []string) (ids []string) {
	s := &session{stderr: io.Discard}
	files, _, _ := s.findRunFiles(paths)
	for _, path := range files {
		if _, body, err := s.openFile(path); err == nil {
			ids = append(ids, analysis.Of(host.NewInput(path, body)).ListCaseIDs()...)
		}
	}
	return ids
}

// targetNames lists names for --target or --judge: those of the nearest targets.yaml, and the
// beginnings of others.
func targetNames(flag string, files []string) []string {
	names := []string{"self", "mock:", "replay:"}
	if flag == "judge" {
		names = []string{"offline", targets.AutoJudgeName}
	}
	names = append(names, "cli:")
	names = append(names, generic.Map(wire.Providers(), func(p wire.Provider) string { return p.Name + ":" })...)
	listed, _ := targets.ListTargets(append(files, "any.eval.yaml")[0], "")
	names = append(names, generic.Map(listed, func(t targets.ListedTarget) string { return t.Name })...)
	return names
}
