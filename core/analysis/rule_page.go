package analysis

import (
	"cmp"
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

// RulePage returns a rule's page in Markdown, with the real output for its example.
func RulePage(rule *lint.Rule, color bool) string {
	var b strings.Builder
	severity := rule.Severity.String()
	if rule.AboutProfile {
		severity = "off, and " + severity + " if a `.rubric.yaml` sets one of AgentV's profiles, as in `profile: agentv`"
	}
	if rule.Highest != 0 && rule.Highest < rule.Severity {
		severity += ", in some cases " + rule.Highest.String()
	}
	fmt.Fprintf(&b, "# %s\n\n%s. Severity: %s.\n\n%s\n\n## Reported\n\n```%s\n", rule.ID, rule.Summary, severity, rule.Why, exampleLanguage(rule))
	body, _ := lint.ParseMarkers(rule.Bad)
	b.WriteString(body)
	b.WriteString("```\n\n```\n")
	a := Of(RuleExample(rule, body))
	render := diag.Renderer{Color: color}
	for _, d := range a.Diagnostics() {
		if d.Code == rule.ID {
			_ = render.Render(&b, a.Source(), d) // writing to a Builder never fails
		}
	}
	b.WriteString("```\n\n## Better\n\n```" + exampleLanguage(rule) + "\n" + rule.Good + "```\n")
	return b.String()
}

// exampleLanguage is the language of a rule's examples in a Markdown code block.
func exampleLanguage(rule *lint.Rule) string {
	if adk.IsJSON(rule.FileName) {
		return "json"
	}
	return "yaml"
}

// RuleExample returns an example of a rule as a file with its sibling files.
func RuleExample(rule *lint.Rule, body string) Input {
	in := Input{Path: cmp.Or(rule.FileName, "example.eval.yaml"), Text: body, LoadSchema: rule.LoadSchema}
	if rule.AboutProfile {
		in.Severities = map[string]diag.Severity{rule.ID: rule.Severity}
	}
	in.ReadFile = func(reference string) (string, bool) {
		found, ok := rule.SiblingFiles[reference]
		return found, ok
	}
	in.OutsideReason = func(reference string) string {
		if strings.HasPrefix(reference, "../../") { // examples are at most two folders below the root
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
