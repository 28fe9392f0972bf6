package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/spell"
)

var schemaCommand = command{
	name:    "schema",
	args:    "DIALECT",
	summary: "print the JSON Schema of a file format, for editors without rubric",
	long:    "DIALECT is one of:\n\n" + schemaList(),
	example: "rubric schema agentv > eval.schema.json",
	setup: func(*pflag.FlagSet) func(*session, []string) int {
		return (*session).schema
	},
}

// schemaList is a line for each kind of file.
func schemaList() string {
	var b strings.Builder
	for _, doc := range dialect.Schemas() {
		fmt.Fprintf(&b, "  %-22s %s\n", doc.Name, doc.Title)
	}
	return b.String()
}

func schemaNames() []string {
	var names []string
	for _, doc := range dialect.Schemas() {
		names = append(names, doc.Name)
	}
	return names
}

func (s *session) schema(args []string) int {
	if len(args) != 1 {
		return s.commandError("name a dialect: %s", strings.Join(schemaNames(), ", "))
	}
	for _, doc := range dialect.Schemas() {
		if doc.Name != args[0] {
			continue
		}
		return s.printText(string(doc.JSON()))
	}
	return s.commandError("there is no dialect `%s`%s", args[0], spell.DidYouMeanOr(args[0], schemaNames(), "`rubric schema --help` lists them"))
}
