package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every hint names a command or an option that there is.
func TestAgentVNames(t *testing.T) {
	var commands []string
	options := map[[2]string]bool{} // by command
	addOptions := func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { options[[2]string{c.CommandPath(), f.Name}] = true })
	}
	for _, c := range Commands().Commands() {
		commands = append(commands, c.Name())
		addOptions(c)
		for _, sub := range c.Commands() {
			addOptions(sub)
		}
	}
	for word, own := range agentvCommands {
		first, _, _ := strings.Cut(own, " ")
		if !slices.Contains(commands, first) || slices.Contains(commands, word) {
			t.Errorf("%s is hinted at as %s", word, own)
		}
	}
	for word, own := range agentvOptions {
		isHint := false
		for option := range options {
			isHint = isHint || option[1] == own && !options[[2]string{option[0], word}]
		}
		if !isHint {
			t.Errorf("--%s is hinted at as --%s", word, own)
		}
	}
}
