package evalset

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "conversation-form",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.EvalSet) {
			return
		}
		for _, c := range p.Evalset().Cases {
			turns, scenario := pairValue(c.Node.Pair("conversation")), pairValue(adk.LookupPair(c.Node, "conversation_scenario"))
			switch {
			case !turns.IsNull() && !scenario.IsNull():
				d := p.Report(scenario.Key.Key.Span, "a case has either a `conversation` or a `conversation_scenario`; the runner refuses the file")
				d.Notes = []diag.Note{{Span: turns.Key.Key.Span, Message: "the conversation is here"}}
				d.Fixes = append(fix.RemoveEntry(p.Source, scenario, "remove the scenario"), fix.RemoveEntry(p.Source, turns, "remove the conversation")...)
			case turns.IsNull() && scenario.IsNull() && c.Node.IsMap() && !hasMisspeltForm(p, c.Node):
				p.Report(c.Node.FirstKeySpan(), "this case has neither a `conversation` nor a `conversation_scenario`; the runner refuses the file")
			}
		}
	},
})

func pairValue(p *yaml.Pair) *yaml.Node {
	if p == nil {
		return nil
	}
	return p.Value
}

// hasMisspeltForm reports whether a key of the case may be a misspelling of one of the two.
func hasMisspeltForm(p *lint.Pass, n *yaml.Node) bool {
	return n.Recovered || slices.ContainsFunc(p.Mismatches, func(m conform.Mismatch) bool {
		return m.Node.Follow() == n.Follow() && m.Kind == conform.UnknownKey && strings.HasPrefix(m.Suggestion, "conversation")
	})
}
