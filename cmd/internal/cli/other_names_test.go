package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every hint names a command or an option that there is.
func TestAgentVNames(t *testing.T) {
	var commands, options []string
	for _, c := range Commands().Commands() {
		commands = append(commands, c.Name())
		c.Flags().VisitAll(func(f *pflag.Flag) { options = append(options, f.Name) })
	}
	for word, own := range agentvCommands {
		first, _, _ := strings.Cut(own, " ")
		if !slices.Contains(commands, first) || slices.Contains(commands, word) {
			t.Errorf("%s is hinted at as %s", word, own)
		}
	}
	for word, own := range agentvOptions {
		if !slices.Contains(options, own) || slices.Contains(options, word) {
			t.Errorf("--%s is hinted at as --%s", word, own)
		}
	}
}
