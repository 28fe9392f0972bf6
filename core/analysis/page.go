package analysis

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Page is a rule's page in Markdown. What it shows of the program's output the
// program has just written.
func Page(rule *lint.Rule, color bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s. Severity: %s.\n\n%s\n\n## Reported\n\n```%s\n", rule.ID, rule.Summary, rule.Severity, rule.Why, language(rule))
	body, _ := lint.Marked(rule.Bad)
	b.WriteString(body)
	b.WriteString("```\n\n```\n")
	a := Of(Example(rule, body))
	render := diag.Renderer{Color: color}
	for _, d := range a.Diagnostics() {
		if d.Code == rule.ID {
			_ = render.Render(&b, a.Source(), d) // a Builder takes everything
		}
	}
	b.WriteString("```\n\n## Better\n\n```" + language(rule) + "\n" + rule.Good + "```\n")
	return b.String()
}

// language is what a rule's examples are written in, as Markdown names it.
func language(rule *lint.Rule) string {
	if adk.IsJSON(rule.Name) {
		return "json"
	}
	return "yaml"
}

// Example is a text of a rule's page as a file, with those beside it.
func Example(rule *lint.Rule, body string) Input {
	in := Input{Path: rule.Name, Text: body, Schemas: rule.Schemas}
	if in.Path == "" {
		in.Path = "example.eval.yaml"
	}
	in.Files = func(reference string) (string, bool) {
		found, ok := rule.Beside[reference]
		return found, ok
	}
	in.Outside = func(reference string) string {
		if strings.HasPrefix(reference, "../../") { // examples stand two folders below the root at most
			return "it is outside of the repository"
		}
		return ""
	}
	in.Folder = func() []string { return slices.Sorted(maps.Keys(rule.Beside)) }
	if body, ok := rule.Beside["targets.yaml"]; ok {
		in.Targets = agentv.TargetNames(yaml.Parse(text.New("targets.yaml", body)))
	}
	return in
}
