package evalset

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "simulator-instructions",
	Severity: diag.Error,
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
