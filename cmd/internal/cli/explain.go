package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/spell"
)

var explainCommand = command{
	name:    "explain",
	args:    "[RULE]",
	summary: "explain a rule: the reason, an example and the fix",
	long:    "Without RULE, lists all rules.",
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
		fmt.Fprintf(&list, "%-24s %-8s %s\n", r.ID, r.DefaultSeverity(), r.Summary)
		ids = append(ids, r.ID)
	}
	if len(args) == 0 {
		return s.printText(list.String())
	}
	rule := lint.Find(args[0])
	if rule == nil {
		return s.commandError("unknown rule `%s`%s", args[0], spell.DidYouMeanOr(args[0], ids, "`rubric explain` lists the rules"))
	}
	return s.printText(analysis.RulePage(rule, s.useColor(s.stdout)))
}

var schemaCommand = command{
	name:    "schema",
	args:    "DIALECT",
	summary: "print the JSON Schema of a file format",
	long:    "DIALECT is one of:\n\n{list}",
	list:    schemaList,
	example: "rubric schema agentv > eval.schema.json",
	setup: func(*pflag.FlagSet) func(*session, []string) int {
		return (*session).schema
	},
}

// schemaList describes the kinds of files, one per line.
func schemaList() string {
	var b strings.Builder
	for _, doc := range dialect.Schemas() {
		fmt.Fprintf(&b, "  %-22s %s\n", doc.Name, doc.Title)
	}
	return b.String()
}

func (s *session) schema(args []string) int {
	var names []string
	for _, doc := range dialect.Schemas() {
		if len(args) == 1 && doc.Name == args[0] {
			return s.printText(string(doc.JSON()))
		}
		names = append(names, doc.Name)
	}
	if len(args) != 1 {
		return s.commandError("name a dialect: %s", strings.Join(names, ", "))
	}
	return s.commandError("unknown dialect `%s`%s", args[0], spell.DidYouMeanOr(args[0], names, "`rubric schema --help` lists the dialects"))
}
