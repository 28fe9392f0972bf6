package analysis

import "iter"

// Gather is something that is worked out of what a [Memo] holds of parts that stand
// together, a hundred or so. What it was is kept for as long as all of them are as
// they were: of a file with thousands of parts an edit costs those beside it, and a
// glance at each hundred of the others.
//
// A Gather is made once, for a package. What it gives may be asked by many at once.
type Gather[T, G any] struct {
	memo *Memo[T]
	of   func(iter.Seq2[Step, T]) G
}

// NewGather gathers what a memo holds by a function of that, and of nothing else.
func NewGather[T, G any](memo *Memo[T], of func(iter.Seq2[Step, T]) G) *Gather[T, G] {
	return &Gather[T, G]{memo, of}
}

// Step is from where parts begin that stand together to one of them.
type Step struct{ start }

// Next is where the part is that is a step from here.
func (s Spot) Next(to Step) Spot {
	if s.start == edge {
		return s
	}
	return Spot{s.start.plus(to.start), s.view}
}

// Each gives what is gathered of a file, in the order of [Analysis.Parts], and where
// the parts are from which each is a [Step].
func (g *Gather[T, G]) Each(a *Analysis) iter.Seq2[Spot, G] {
	v := a.settled()
	return func(yield func(Spot, G) bool) {
		if v.around != nil {
			around := func(visit func(Step, T) bool) { visit(Step{}, g.memo.get(v, v.around, v.openAround).(T)) }
			if !yield(Spot{edge, v}, g.get(v, &v.around.kept, around)) {
				return
			}
		}
		for b := range v.blocks {
			k, first := &v.blocks[b], v.starts[b]
			all := func(visit func(Step, T) bool) {
				k.visit(start{}, func(at start, p *piece) bool {
					return visit(Step{at}, g.memo.get(v, p.done, func() *Part { return v.open(first.plus(at), p) }).(T))
				})
			}
			if !yield(Spot{first, v}, g.get(v, k.kept, all)) {
				return
			}
		}
	}
}

func (g *Gather[T, G]) get(v *view, from *kept, all iter.Seq2[Step, T]) G {
	holds := func(in *context) bool { return in == v.context }
	return from.of(g, v.context, holds, func() any { return g.of(all) }).(G)
}
