package evalset

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(lint.Rule{
	ID:       "simulator-instructions",
	Summary:  "Instructions for simulated users lack a placeholder",
	Severity: diag.Error,
	Why: `
~custom_instructions~ replace all that the model is told that plays the user. ADK therefore refuses instructions without the
placeholders for the plan, the conversation so far and the signal that ends it. If a scenario has a ~user_persona~, ~{{ persona }}~ is
required too. ~rubric run~ fills in values, ~for~ and ~if~, and no other tags or filters of Jinja.
`,
	Bad: `
{
  "criteria": { "hallucinations_v1": 0.8 },
  "user_simulator_config": {
    "custom_instructions": ⟦"Follow {{ conversation_plan }}. Say {{ stop_signal }} at the end."⟧
  }
}
`,
	Good: `
{
  "criteria": { "hallucinations_v1": 0.8 },
  "user_simulator_config": {
    "custom_instructions": "Follow {{ conversation_plan }}. Say {{ stop_signal }} at the end.\n{{ conversation_history }}"
  }
}
`,
	FileName: adk.ConfigName,
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.Config) {
			return
		}
		config := adk.LookupPair(p.Tree.Root(), "user_simulator_config")
		if config == nil {
			return
		}
		entry := adk.LookupPair(config.Value, "custom_instructions")
		if entry == nil {
			return
		}
		instructions, isText := entry.Value.Str()
		if !isText {
			return
		}
		hasPersona := false
		for _, s := range siblingEvalsets(p) {
			hasPersona = hasPersona || s.HasPersona
		}
		missing, err := adk.MissingPlaceholders(instructions, hasPersona)
		switch {
		case err != nil:
			p.Report(entry.Value.Span, "`rubric run` leaves cases with a simulated user ungraded: %v", err).Severity = diag.Info
		case len(missing) > 0:
			p.Report(entry.Value.Span, "these instructions do not use %s; the runner refuses them and simulates no user", diag.JoinList(missing, "and"))
		}
	},
})
