package cache

import (
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// forEachFailedGate visits the failed gates of a document in text order.
func (s *Snapshot) forEachFailedGate(d *Document, visit func(*failedGate, text.Span)) {
	if s.shared.Results.isEmpty(d.URI) {
		return
	}
	inputsOf := s.Inputs(d)
	for chunk, cases := range cachedCases.Each(d.Analysis) {
		for _, c := range cases {
			if outcome := s.outcomeOf(d, c, inputsOf); outcome != nil {
				for i := range outcome.gates {
					visit(&outcome.gates[i], chunk.ToFile(outcome.gates[i].span))
				}
			}
		}
	}
}

// outcomeOf returns the current outcome of a case, or nil if it has not run.
func (s *Snapshot) outcomeOf(d *Document, c *cachedCase, inputsOf func(*rubric.Case) Inputs) *caseOutcome {
	result := s.shared.Results.Get(d.URI, c.ID)
	if result == nil {
		return nil
	}
	return c.outcomeFor(result, inputsOf(c.Case))
}

// outcomes returns the last outcomes of all cases of a document.
func (s *Snapshot) outcomes(d *Document) ide.Results {
	outcomes := ide.Results{}
	if s.shared.Results.isEmpty(d.URI) {
		return outcomes
	}
	inputsOf := s.Inputs(d)
	add := func(cases []*cachedCase) {
		for _, c := range cases {
			if outcome := s.outcomeOf(d, c, inputsOf); outcome != nil {
				if _, exists := outcomes[c.ID]; !exists {
					outcomes[c.ID] = outcome.outcome
				}
			}
		}
	}
	if e := s.Evaluation(d); e != nil {
		add(e.cases)
	}
	for _, cases := range cachedCases.Each(d.Analysis) {
		add(cases)
	}
	return outcomes
}

// failedGates returns up to maxGates gates that failed in the document's last run, gates within
// near first, and how many it left out.
func (s *Snapshot) failedGates(d *Document, near text.Span) (nearby []placedGate, more int) {
	var distant []placedGate
	s.forEachFailedGate(d, func(gate *failedGate, span text.Span) {
		switch placed := (placedGate{gate, span}); {
		case span.Start >= d.Length(): // it is in another file
		case near.Touches(span.Start) && len(nearby) < maxGates:
			nearby = append(nearby, placed)
		case len(distant) < maxGates:
			distant = append(distant, placed)
		default:
			more++
		}
	})
	room := min(maxGates-len(nearby), len(distant))
	return append(nearby, distant[:room]...), more + len(distant) - room
}
