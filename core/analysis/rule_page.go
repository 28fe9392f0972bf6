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

// RulePage is a rule's page in Markdown. What it shows of the program's output the
// program has just written.
func RulePage(rule *lint.Rule, color bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s. Severity: %s.\n\n%s\n\n## Reported\n\n```%s\n", rule.ID, rule.Summary, rule.Severity, rule.Why, exampleLanguage(rule))
	body, _ := lint.ParseMarkers(rule.Bad)
	b.WriteString(body)
	b.WriteString("```\n\n```\n")
	a := Of(RuleExample(rule, body))
	render := diag.Renderer{Color: color}
	for _, d := range a.Diagnostics() {
		if d.Code == rule.ID {
			_ = render.Render(&b, a.Source(), d) // a Builder takes everything
		}
	}
	b.WriteString("```\n\n## Better\n\n```" + exampleLanguage(rule) + "\n" + rule.Good + "```\n")
	return b.String()
}

// exampleLanguage is what a rule's examples are written in, as Markdown names it.
func exampleLanguage(rule *lint.Rule) string {
	if adk.IsJSON(rule.FileName) {
		return "json"
	}
	return "yaml"
}

// RuleExample is a text of a rule's page as a file, with those beside it.
func RuleExample(rule *lint.Rule, body string) Input {
	in := Input{Path: rule.FileName, Text: body, LoadSchema: rule.LoadSchema}
	if in.Path == "" {
		in.Path = "example.eval.yaml"
	}
	in.ReadFile = func(reference string) (string, bool) {
		found, ok := rule.SiblingFiles[reference]
		return found, ok
	}
	in.OutsideReason = func(reference string) string {
		if strings.HasPrefix(reference, "../../") { // examples stand two folders below the root at most
			return "it is outside of the repository"
		}
		return ""
	}
	in.FolderNames = func() []string { return slices.Sorted(maps.Keys(rule.SiblingFiles)) }
	if body, ok := rule.SiblingFiles["targets.yaml"]; ok {
		in.Targets = agentv.TargetNames(yaml.Parse(text.New("targets.yaml", body)))
	}
	return in
}
