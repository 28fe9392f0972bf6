package analysis

import (
	"iter"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/text"
)

// Memo is something that is worked out of parts one by one. What it was for a
// part is kept for as long as that part, and what stands around it, are as they
// were: so that to ask it of a whole file after an edit costs what was edited.
//
// A Memo is made once, for a package. What it gives must not be changed.
type Memo[T any] struct{ memo }

// memo is one of whatever is worked out: what all have in common is there once.
type memo struct{ of func(*Part) any }

// NewMemo is a memo of what a function makes of a part, and of nothing else.
func NewMemo[T any](of func(*Part) T) *Memo[T] {
	return &Memo[T]{memo{func(p *Part) any { return of(p) }}}
}

// Each gives what is worked out of each part of a file, in the order of
// [Analysis.Parts], and where that part is.
func (m *Memo[T]) Each(a *Analysis) iter.Seq2[Spot, T] {
	return m.In(a, text.Span{End: a.Length()}, false)
}

// In is Each of the parts that a stretch of the file touches. What stands around the
// parts, and the last of them, are there in any case if that is asked for.
func (m *Memo[T]) In(a *Analysis, span text.Span, around bool) iter.Seq2[Spot, T] {
	return func(yield func(Spot, T) bool) {
		m.visit(a.settled(), span, around, func(at Spot, value any) bool { return yield(at, value.(T)) })
	}
}

func (m *memo) visit(v *view, span text.Span, around bool, visit func(Spot, any) bool) {
	for at, p := range v.touched(span, around) {
		of, open := v.around, v.openAround
		if p != nil {
			of, open = p.done, func() *Part { return v.open(at, p) }
		}
		if !visit(Spot{at, v}, m.get(v, of, open)) {
			return
		}
	}
}

func (m *memo) get(v *view, of *checked, open func() *Part) any {
	holds := func(in *context) bool { return in == v.context || in.text == v.context.text && v.context.keeps(of) }
	return of.kept.of(m, v.context, holds, func() any { return m.of(open()) })
}

// kept is what was worked out of something that has been looked at, by whom.
type kept struct{ atomic.Pointer[keep] }

// keep is what somebody worked out, and in which context.
type keep struct {
	by    any
	in    *context
	value any
	next  *keep
}

// of is what somebody worked out in a context that still holds, or works out in
// this one.
func (k *kept) of(by any, in *context, holds func(*context) bool, work func() any) any {
	for n := k.Load(); n != nil; n = n.next {
		if n.by == by && holds(n.in) {
			return n.value
		}
	}
	value := work()
	for n := k.Load(); ; n = k.Load() {
		if k.CompareAndSwap(n, &keep{by, in, value, n.without(by)}) {
			return value
		}
	}
}

// without is a list without what somebody has in it.
func (k *keep) without(by any) *keep {
	if k == nil {
		return nil
	}
	if k.by == by {
		return k.next
	}
	return &keep{k.by, k.in, k.value, k.next.without(by)}
}
