package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/diag"
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
	isOption := func(name string) bool { return cmd.Flags().Lookup(name) != nil }
	return fmt.Errorf("unknown option `%s%s`%s", dashes, name, suggestOption(name, isOption, names, "`"+cmd.CommandPath()+" --help` lists the options"))
}

// flagTypeNames describes the values of flags by pflag's type names.
var flagTypeNames = map[string]string{
	"bool":     "`true` or `false`",
	"int":      "a whole number",
	"float64":  "a number",
	"duration": "a duration such as `30s` or `2m`",
}

// The names of AgentV's command line, of all versions, for what has another name here.
var (
	agentvCommands = map[string]string{
		"eval": "run", "validate": "check", "grade": "score", "results": "runs", "inspect": "runs show", "trend": "runs compare",
		"compare": "runs compare", "import": "convert", "transpile": "convert",
	}
	agentvOptions = map[string]string{
		"eval-id": "case", "test-id": "case", "provider": "target", "providers": "targets", "transcript": "target",
		"grader-target": "judge", "grader-provider": "judge", "model": "judge", "agent-timeout": "timeout", "budget-usd": "max-cost",
		"o": "out", "output": "out", "artifacts": "out", "output-format": "format", "retry-errors": "resume",
		"json": "format", "exclude-tag": "tag",
	}
)

// suggestCommand returns "; did you mean `…`?" for the command that has another name in AgentV, or
// else for the nearest of names, or "".
func suggestCommand(name string, names []string) string {
	return spell.Suggestion(cmp.Or(agentvCommands[name], spell.Nearest(name, names)))
}

// suggestOption is like suggestCommand for an option without dashes. isOption reports whether the
// command has an option. Without a suggestion it returns alternative after a semicolon.
func suggestOption(name string, isOption func(string) bool, names []string, alternative string) string {
	if own := agentvOptions[name]; own != "" && isOption(own) {
		return spell.Suggestion("--" + own)
	}
	return spell.DidYouMeanOr("--"+name, names, alternative)
}
