package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/spell"
)

// flagFault says of options that cannot be taken what is wrong with them, in our
// own words: the library's name its functions.
func (v *verb) flagFault(flags *pflag.FlagSet, err error) string {
	all := "`rubric " + v.name + " --help` lists them"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			return fmt.Sprintf("there is no option `-%s`; %s", unknown.GetSpecifiedName(), all)
		}
		var names []string
		flags.VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		return fmt.Sprintf("there is no option `%s`%s", name, spell.Instead(name, names, all))
	}
	var bare *pflag.ValueRequiredError
	if errors.As(err, &bare) {
		return fmt.Sprintf("--%s wants a value", bare.GetFlag().Name)
	}
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("--%s is %s, not `%s`", wrong.GetFlag().Name, kinds[wrong.GetFlag().Value.Type()], wrong.GetValue())
	}
	return err.Error()
}

// kinds are the values that options take which are not any text.
var kinds = map[string]string{
	"bool":     "`true` or `false`",
	"int":      "a whole number",
	"float64":  "a number",
	"duration": "a time such as `30s` or `2m`",
}
