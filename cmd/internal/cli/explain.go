package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/spell"
)

var explainCommand = command{
	name:    "explain",
	args:    "[RULE]",
	summary: "show a rule's page: why, an example it reports, how to mend it",
	long:    "Without RULE it lists all rules.",
	example: "rubric explain unknown-key",
	setup: func(*pflag.FlagSet) func(*session, []string) int {
		return (*session).explain
	},
}

func (s *session) explain(args []string) int {
	if len(args) > 1 {
		return s.commandError("give one rule")
	}
	var list strings.Builder
	var ids []string
	for _, r := range lint.All() {
		fmt.Fprintf(&list, "%-24s %-8s %s\n", r.ID, r.Severity, r.Summary)
		ids = append(ids, r.ID)
	}
	if len(args) == 0 {
		return s.printText(list.String())
	}
	rule := lint.Find(args[0])
	if rule == nil {
		return s.commandError("there is no rule `%s`%s", args[0], spell.DidYouMeanOr(args[0], ids, "`rubric explain` lists them"))
	}
	return s.printText(analysis.RulePage(rule, s.useColor(s.stdout)))
}
