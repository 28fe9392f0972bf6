package analysis

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

// Page is a rule's page in Markdown. What it shows of the program's output the
// program has just written.
func Page(rule *lint.Rule, color bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s. Severity: %s.\n\n%s\n\n## Reported\n\n```yaml\n", rule.ID, rule.Summary, rule.Severity, rule.Why)
	body, _ := lint.Marked(rule.Bad)
	b.WriteString(body)
	b.WriteString("```\n\n```\n")
	a := Of(Input{Path: Example(rule), Text: body})
	render := diag.Renderer{Color: color}
	for _, d := range a.Diagnostics {
		if d.Code == rule.ID {
			_ = render.Render(&b, a.Source, d) // a Builder takes everything
		}
	}
	b.WriteString("```\n\n## Better\n\n```yaml\n" + rule.Good + "```\n")
	return b.String()
}

// Example is what the file of a rule's examples is called.
func Example(rule *lint.Rule) string {
	if rule.Name != "" {
		return rule.Name
	}
	return "example.eval.yaml"
}
