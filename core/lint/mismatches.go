package lint

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
)

// EachMismatch visits the mismatches of one kind. A diagnostic about a value that the
// runner refuses becomes an error.
func (p *Pass) EachMismatch(kind conform.Kind, visit func(conform.Mismatch)) {
	for _, m := range p.Mismatches {
		if m.Kind != kind {
			continue
		}
		before := len(p.diagnostics)
		visit(m)
		for i := before; m.IsRefused && i < len(p.diagnostics); i++ {
			p.diagnostics[i].Severity = diag.Error
		}
	}
}

// markRefused marks the empty values because of which the runner skips something.
func (p *Pass) markRefused() {
	for _, loss := range p.Suite.Losses {
		for i, m := range p.Mismatches {
			if loss.IsCostly() && (m.Kind == conform.NoValue || m.Kind == conform.BlankText) && (m.Span.Meets(loss.Span) || p.isMissingKey(m, loss)) {
				p.Mismatches[i].IsRefused = true
			}
		}
	}
}

// isMissingKey reports whether a mismatch is about a key that a skipped test lacks.
func (p *Pass) isMissingKey(m conform.Mismatch, loss rubric.Loss) bool {
	return loss.Kind == agentv.CaseIncomplete && m.Field != nil && slices.Contains(strings.Split(loss.Detail, ", "), m.Field.Key) && p.Suite.LossSpan(loss).Contains(m.Span)
}
