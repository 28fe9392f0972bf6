package cli

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
)

var explainCommand = command{
	name:    "explain",
	args:    "[RULE]",
	summary: "Explain a rule: the reason, an example and the fix",
	example: "rubric explain unknown-key",
	values:  lint.RuleIDs,
	setup:   withoutFlags((*session).explain),
}

func (s *session) explain(args []string) error {
	width := s.width(s.stdout)
	if len(args) == 0 {
		const summaryColumn = 34
		var list strings.Builder
		for _, r := range lint.All() {
			fmt.Fprintf(&list, "%-24s %-8s %s\n", r.ID, r.DefaultSeverity(), report.Wrap(r.Summary, summaryColumn, summaryColumn, width))
		}
		return s.printText(list.String())
	}
	rule := lint.Find(args[0])
	if rule == nil {
		return fmt.Errorf("unknown rule `%s`%s", args[0], spell.DidYouMeanOr(args[0], lint.RuleIDs(), "`rubric explain` lists the rules"))
	}
	color := s.useColor(s.stdout)
	page := analysis.RulePage(rule, color)
	if width > 0 {
		page = layOutPage(page, width, color)
	}
	return s.printText(page)
}

// layOutPage fits the prose of a rule's page to a terminal.
func layOutPage(page string, width int, color bool) string {
	var out strings.Builder
	for i, part := range strings.Split(page, "```") {
		if i%2 == 1 { // a block of code
			out.WriteString("```" + part + "```")
			continue
		}
		paragraphs := strings.Split(part, "\n\n")
		for j, paragraph := range paragraphs {
			switch {
			case color && strings.HasPrefix(paragraph, "#"):
				paragraphs[j] = "\x1b[1m" + paragraph + "\x1b[0m"
			case strings.TrimSpace(paragraph) != "":
				paragraphs[j] = report.Wrap(paragraph, 0, 0, width)
			}
		}
		out.WriteString(strings.Join(paragraphs, "\n\n"))
	}
	return out.String()
}

var schemaCommand = command{
	name:    "schema",
	args:    "DIALECT",
	summary: "Print the JSON Schema of a file format or a result",
	list: func() string {
		return listNames(22, Schemas(), func(doc Schema) (name, summary string) { return doc.Name, doc.Title })
	},
	example: "rubric schema agentv > eval.schema.json",
	values:  schemaNames,
	setup:   withoutFlags((*session).schema),
}

func schemaNames() (names []string) {
	return text.Map(Schemas(), func(doc Schema) string { return doc.Name })
}

func (s *session) schema(args []string) error {
	for _, doc := range Schemas() {
		if doc.Name == args[0] {
			return s.printText(string(doc.JSON()))
		}
	}
	return fmt.Errorf("unknown dialect `%s`%s", args[0], spell.DidYouMeanOr(args[0], schemaNames(), "`rubric schema --help` lists the dialects"))
}
