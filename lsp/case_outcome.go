package lsp

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	idediagnostic "github.com/rubric-ls/rubric/core/ide/diagnostic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// cachedCase is a case with its last outcome. The analysis keeps it while neither the case nor its
// surroundings are edited, so a keystroke recomputes the outcome of one case.
type cachedCase struct {
	*rubric.Case
	last atomic.Pointer[caseOutcome]
}

// caseOutcome is the outcome of one result for a case.
type caseOutcome struct {
	result  *storedResult
	inputs  resultInputs
	outcome ide.Outcome
	gates   []failedGate
}

// failedGate is a gate that failed, with its span in the case's chunk.
type failedGate struct {
	span   text.Span
	reason string
}

var cachedCases = analysis.NewChunkCache(func(p *analysis.Chunk) []*cachedCase {
	all := make([]*cachedCase, len(p.Suite.Cases))
	for i, c := range p.Suite.Cases {
		all[i] = &cachedCase{Case: c}
	}
	return all
})

// outcomeFor returns what a result means for the case in its current form.
func (c *cachedCase) outcomeFor(result *storedResult, inputs resultInputs) *caseOutcome {
	if last := c.last.Load(); last != nil && last.result == result && last.inputs == inputs {
		return last
	}
	next := &caseOutcome{result: result, inputs: inputs}
	next.outcome, next.gates = result.outcome(c.Case, inputs)
	c.last.Store(next)
	return next
}

// forEachFailedGate visits the failed gates of a document in text order.
func (s *snapshot) forEachFailedGate(d *document, visit func(*failedGate, text.Span)) {
	if s.session.results.isEmpty(d.URI) {
		return
	}
	inputsOf := s.resultInputs(d)
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
func (s *snapshot) outcomeOf(d *document, c *cachedCase, inputsOf func(*rubric.Case) resultInputs) *caseOutcome {
	result := s.session.results.get(d.URI, c.ID)
	if result == nil {
		return nil
	}
	return c.outcomeFor(result, inputsOf(c.Case))
}

// documentOutcomes returns the last outcomes of all cases of a document.
func (s *snapshot) documentOutcomes(d *document) ide.Results {
	outcomes := ide.Results{}
	if s.session.results.isEmpty(d.URI) {
		return outcomes
	}
	inputsOf := s.resultInputs(d)
	add := func(cases []*cachedCase) {
		for _, c := range cases {
			if outcome := s.outcomeOf(d, c, inputsOf); outcome != nil {
				if _, exists := outcomes[c.ID]; !exists {
					outcomes[c.ID] = outcome.outcome
				}
			}
		}
	}
	if e := s.evaluation(d); e != nil {
		add(e.cases)
	}
	for _, cases := range cachedCases.Each(d.Analysis) {
		add(cases)
	}
	return outcomes
}

// failedGateCode is the diagnostic code of gates that failed in the last run. It is not a rule id:
// nothing is wrong with the file.
const failedGateCode = "failed-gate"

// placedGate is a failed gate with its span in the document.
type placedGate struct {
	*failedGate
	span text.Span
}

// failedGates returns up to maxGates gates that failed in the document's last run, gates within
// near first, and how many it left out.
func (s *snapshot) failedGates(d *document, near text.Span) (nearby []placedGate, more int) {
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

// toDiagnostic returns the diagnostic of the gate.
func (g *failedGate) toDiagnostic(rng text.Range) ide.Finding {
	return idediagnostic.NewNote(rng, diag.Info, failedGateCode, "failed in the last run: "+g.reason)
}

// findFailedGates returns the failed gates of a case. It skips gates that changed since the run.
func findFailedGates(c *rubric.Case, record run.Record, stale map[run.GradeKey]bool) (gates []failedGate) {
	for _, gate := range record.Gates {
		if span, ok := gateSpan(c.Graders, gate, stale, record); ok && gate.Failed() {
			gates = append(gates, failedGate{span, cmp.Or(gate.Reason, "it is not satisfied")})
		}
	}
	return gates
}

// gateSpan returns the span of a gate that was judged and has not changed since.
func gateSpan(graders []*rubric.Grader, gate score.Gate, stale map[run.GradeKey]bool, record run.Record) (span text.Span, ok bool) {
	for _, g := range graders {
		if g.Name != gate.Grader {
			continue
		}
		if gate.Whole {
			return g.SelectionSpan, !stale[run.GradeKey{Grader: g.Name}]
		}
		for _, c := range g.Criteria {
			if key := (run.GradeKey{Grader: g.Name, Criterion: c.ID}); c.ID == gate.ID {
				return displaySpan(c), !stale[key] && hasGrade(record.Graders, key)
			}
		}
	}
	return span, false
}

// hasGrade reports whether a criterion was graded.
func hasGrade(records []run.GraderRecord, key run.GradeKey) (found bool) {
	forEachGrader(records, func(g run.GraderRecord) {
		found = found || g.Name == key.Grader && slices.ContainsFunc(g.Grades, func(s score.Grade) bool {
			return s.ID == key.Criterion && s.Ungraded == ""
		})
	})
	return found
}
