package lens

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/text"
)

// evalsetCase is a case of an evalset or of recorded results, as lenses show it.
type evalsetCase struct {
	id       string
	nameSpan text.Span
	summary  string
	turns    []Lens
	canDraft bool
}

func evalsetCases(p *analysis.Chunk, set adk.Set) (all []evalsetCase) {
	canDraft := map[string]bool{}
	for _, c := range draft.CasesIn(p) {
		canDraft[c.ID] = canDraft[c.ID] || draft.CheckDraftableIn(p, c) == nil
	}
	for _, c := range set.Cases {
		converted := evalsetCase{id: c.ID, nameSpan: facts.FirstKeySpan(c.Node), summary: facts.CaseSummary(c), canDraft: canDraft[c.ID]}
		for i, turn := range c.Conversation {
			converted.turns = append(converted.turns, Lens{Span: facts.FirstKeySpan(c.Turns[i]), Title: fmt.Sprintf("turn %d: %s", i+1, facts.TurnSummary(turn))})
		}
		all = append(all, converted)
	}
	return all
}

func (ec evalsetCase) lenses(results ide.Results) []Lens {
	lenses := runLenses(ec.nameSpan, ec.id)
	if ec.canDraft {
		lenses = append(lenses, draftLens(ec.nameSpan, ec.id))
	}
	if o, ran := results[ec.id]; ran {
		lenses = append(lenses, Lens{Span: ec.nameSpan, Title: facts.Summarise(o)})
	}
	lenses = append(lenses, Lens{Span: ec.nameSpan, Title: ec.summary})
	return append(lenses, ec.turns...)
}

// recordingCases returns the cases of recorded results; only the first one for each id.
func recordingCases(rec adk.Recording) (all []evalsetCase) {
	seen := map[string]bool{}
	for _, c := range rec.Cases {
		if !seen[c.ID] {
			seen[c.ID] = true
			all = append(all, evalsetCase{id: c.ID, nameSpan: facts.FirstKeySpan(c.Node), summary: facts.RecordedSummary(c)})
		}
	}
	return all
}
