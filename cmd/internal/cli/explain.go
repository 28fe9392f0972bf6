package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/spell"
)

var explainVerb = verb{
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
	switch len(args) {
	case 0:
		for _, r := range lint.All() {
			fmt.Fprintf(s.stdout, "%-24s %-8s %s\n", r.ID, r.Severity, r.Summary)
		}
		return exitOK
	case 1:
	default:
		return s.misuse("explain: give one rule")
	}
	rule := lint.Find(args[0])
	if rule == nil {
		var ids []string
		for _, r := range lint.All() {
			ids = append(ids, r.ID)
		}
		return s.misuse("there is no rule `%s`%s; `rubric explain` lists them", args[0], spell.DidYouMean(args[0], ids))
	}
	fmt.Fprint(s.stdout, analysis.Page(rule, s.colored(s.stdout)))
	return exitOK
}
