package lsp

import (
	"iter"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// cachedCase is a case of a part, and what its result was last reckoned to. A part is
// kept for as long as it and what stands around it are not edited; so of a whole
// file with results a keystroke costs one case.
type cachedCase struct {
	*rubric.Case
	last atomic.Pointer[caseOutcome]
}

// caseOutcome is what one result comes to for a case.
type caseOutcome struct {
	result  *storedResult
	inputs  resultInputs
	outcome assist.Outcome
	gates   []failedGate
}

// failedGate is a gate that failed, with its span in the case's part.
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

// outcomeFor is what a result comes to for the case as it is now.
func (c *cachedCase) outcomeFor(result *storedResult, inputs resultInputs) *caseOutcome {
	if last := c.last.Load(); last != nil && last.result == result && last.inputs == inputs {
		return last
	}
	next := &caseOutcome{result: result, inputs: inputs}
	next.outcome, next.gates = result.outcome(c.Case, inputs)
	c.last.Store(next)
	return next
}

// caseGroup are cases that stand together, and where they failed when that was last
// asked.
type caseGroup struct {
	cases []placedCase
	last  atomic.Pointer[groupFailures]
}

type placedCase struct {
	*cachedCase
	analysis.ChunkOffset
}

// groupFailures are the gates that failed, as something has them that stands.
type groupFailures struct {
	key   groupKey
	gates []placedFailure
}

type placedFailure struct {
	*failedGate
	analysis.ChunkOffset
}

// groupKey is what results are reckoned in: as long as it is the same, so are they.
type groupKey struct {
	deps     *dependencies
	config   runConfig
	revision int // of the results
}

var caseGroups = analysis.NewBlockCache(cachedCases, func(parts iter.Seq2[analysis.ChunkOffset, []*cachedCase]) *caseGroup {
	all := &caseGroup{}
	for step, cases := range parts {
		for _, t := range cases {
			all.cases = append(all.cases, placedCase{t, step})
		}
	}
	return all
})

// failedGates are the gates of these cases that failed.
func (g *caseGroup) failedGates(s *snapshot, d *document, key groupKey) []placedFailure {
	if last := g.last.Load(); last != nil && last.key == key {
		return last.gates
	}
	next := &groupFailures{key: key}
	for _, t := range g.cases {
		if outcome := s.outcomeOf(d, t.cachedCase); outcome != nil {
			for i := range outcome.gates {
				next.gates = append(next.gates, placedFailure{&outcome.gates[i], t.ChunkOffset})
			}
		}
	}
	g.last.Store(next)
	return next.gates
}

// forEachFailedGate visits the gates of a document that failed, in the order of the text.
func (s *snapshot) forEachFailedGate(d *document, visit func(*failedGate, text.Span)) {
	key := groupKey{d.deps, s.RunSettings.config(d), s.session.results.revision(d.URI)}
	if key.revision == 0 {
		return
	}
	for spot, group := range caseGroups.Each(d.Analysis) {
		for _, gate := range group.failedGates(s, d, key) {
			visit(gate.failedGate, spot.Add(gate.ChunkOffset).ToFile(gate.span))
		}
	}
}

// outcomeOf is what the result of a case comes to now; nil if it has none.
func (s *snapshot) outcomeOf(d *document, c *cachedCase) *caseOutcome {
	result := s.session.results.get(d.URI, c.ID)
	if result == nil {
		return nil
	}
	return c.outcomeFor(result, s.resultInputs(d, c.Case))
}

// documentOutcomes are what all cases of a document last came to.
func (s *snapshot) documentOutcomes(d *document) assist.Results {
	outcomes := assist.Results{}
	if s.session.results.isEmpty(d.URI) {
		return outcomes
	}
	add := func(cases []*cachedCase) {
		for _, c := range cases {
			if outcome := s.outcomeOf(d, c); outcome != nil {
				if _, exists := outcomes[c.ID]; !exists {
					outcomes[c.ID] = outcome.outcome
				}
			}
		}
	}
	if c := s.evaluation(d); c != nil {
		add(c.cases)
	}
	for _, cases := range cachedCases.Each(d.Analysis) {
		add(cases)
	}
	return outcomes
}
