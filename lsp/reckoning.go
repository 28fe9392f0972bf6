package lsp

import (
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// tried is a case of a part, and what its result was last reckoned to. A part is
// kept for as long as it and what stands around it are not edited; so of a whole
// file with results a keystroke costs one case.
type tried struct {
	*rubric.Case
	last atomic.Pointer[reckoning]
}

// reckoning is what one result comes to for a case.
type reckoning struct {
	of      *result
	now     basis
	outcome assist.Outcome
	gates   []failed
}

// failed is a gate that failed, with its span in the case's part.
type failed struct {
	span   text.Span
	reason string
}

var trials = analysis.NewMemo(func(p *analysis.Part) []*tried {
	all := make([]*tried, len(p.Suite.Cases))
	for i, c := range p.Suite.Cases {
		all[i] = &tried{Case: c}
	}
	return all
})

// reckon is what a result comes to for the case as it is now.
func (t *tried) reckon(r *result, now basis) *reckoning {
	if last := t.last.Load(); last != nil && last.of == r && last.now == now {
		return last
	}
	next := &reckoning{of: r, now: now}
	next.outcome, next.gates = r.outcome(t.Case, now)
	t.last.Store(next)
	return next
}

// reckoned visits the results of a document's cases, in the order of the text.
func (at *Snapshot) reckoned(d *Document, visit func(analysis.Spot, *tried, *reckoning)) {
	if at.session.results.none(d.URI) {
		return
	}
	for spot, cases := range trials.Each(d.Analysis) {
		for _, t := range cases {
			if r := at.session.results.get(d.URI, t.ID); r != nil {
				visit(spot, t, t.reckon(r, at.basis(d, t.Case)))
			}
		}
	}
}

// allOutcomes are what all cases of a document last came to.
func (at *Snapshot) allOutcomes(d *Document) assist.Results {
	all := assist.Results{}
	at.reckoned(d, func(_ analysis.Spot, t *tried, r *reckoning) {
		if _, twice := all[t.ID]; !twice {
			all[t.ID] = r.outcome
		}
	})
	return all
}
