package lsp

import (
	"iter"
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

// trying are cases that stand together, and where they failed when that was last
// asked.
type trying struct {
	cases []triedAt
	last  atomic.Pointer[failing]
}

type triedAt struct {
	*tried
	analysis.Step
}

// failing are the gates that failed, as something has them that stands.
type failing struct {
	in    standing
	gates []failedAt
}

type failedAt struct {
	*failed
	analysis.Step
}

// standing is what results are reckoned in: as long as it is the same, so are they.
type standing struct {
	beside *beside
	way    way
	count  int // of the results
}

var tryings = analysis.NewGather(trials, func(parts iter.Seq2[analysis.Step, []*tried]) *trying {
	all := &trying{}
	for step, cases := range parts {
		for _, t := range cases {
			all.cases = append(all.cases, triedAt{t, step})
		}
	}
	return all
})

// failed are the gates of these cases that failed.
func (k *trying) failed(at *Snapshot, d *Document, in standing) []failedAt {
	if last := k.last.Load(); last != nil && last.in == in {
		return last.gates
	}
	next := &failing{in: in}
	for _, t := range k.cases {
		if r := at.reckoned(d, t.tried); r != nil {
			for i := range r.gates {
				next.gates = append(next.gates, failedAt{&r.gates[i], t.Step})
			}
		}
	}
	k.last.Store(next)
	return next.gates
}

// eachFailed visits the gates of a document that failed, in the order of the text.
func (at *Snapshot) eachFailed(d *Document, visit func(*failed, text.Span)) {
	in := standing{d.beside, at.Running.way(d), at.session.results.count(d.URI)}
	if in.count == 0 {
		return
	}
	for spot, k := range tryings.Each(d.Analysis) {
		for _, f := range k.failed(at, d, in) {
			visit(f.failed, spot.Next(f.Step).Place(f.span))
		}
	}
}

// reckoned is what the result of a case comes to now; nil if it has none.
func (at *Snapshot) reckoned(d *Document, t *tried) *reckoning {
	r := at.session.results.get(d.URI, t.ID)
	if r == nil {
		return nil
	}
	return t.reckon(r, at.basis(d, t.Case))
}

// allOutcomes are what all cases of a document last came to.
func (at *Snapshot) allOutcomes(d *Document) assist.Results {
	all := assist.Results{}
	if at.session.results.none(d.URI) {
		return all
	}
	add := func(cases []*tried) {
		for _, t := range cases {
			if r := at.reckoned(d, t); r != nil {
				if _, twice := all[t.ID]; !twice {
					all[t.ID] = r.outcome
				}
			}
		}
	}
	if t := at.trial(d); t != nil {
		add(t.tried)
	}
	for _, cases := range trials.Each(d.Analysis) {
		add(cases)
	}
	return all
}
