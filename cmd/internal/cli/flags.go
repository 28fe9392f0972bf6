package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/spell"
)

// describeFlagError says of options that cannot be taken what is wrong with them, in our
// own words: the library's name its functions.
func (c *command) describeFlagError(flags *pflag.FlagSet, err error) string {
	listHint := "`rubric " + c.name + " --help` lists them"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			return fmt.Sprintf("there is no option `-%s`; %s", unknown.GetSpecifiedName(), listHint)
		}
		var names []string
		flags.VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		return fmt.Sprintf("there is no option `%s`%s", name, spell.DidYouMeanOr(name, names, listHint))
	}
	var noValue *pflag.ValueRequiredError
	if errors.As(err, &noValue) {
		return fmt.Sprintf("--%s wants a value", noValue.GetFlag().Name)
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return fmt.Sprintf("--%s is %s, not `%s`", invalid.GetFlag().Name, flagTypeNames[invalid.GetFlag().Value.Type()], invalid.GetValue())
	}
	return err.Error()
}

// flagTypeNames are the values that options take which are not any text.
var flagTypeNames = map[string]string{
	"bool":     "`true` or `false`",
	"int":      "a whole number",
	"float64":  "a number",
	"duration": "a time such as `30s` or `2m`",
}
