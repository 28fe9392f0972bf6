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
type Memo[T any] struct{ of func(*Part) T }

// NewMemo is a memo of what a function makes of a part, and of nothing else.
func NewMemo[T any](of func(*Part) T) *Memo[T] { return &Memo[T]{of} }

// Each gives what is worked out of each part of a file, in the order of
// [Analysis.Parts], and where that part is.
func (m *Memo[T]) Each(a *Analysis) iter.Seq2[Spot, T] { return m.In(a, text.Span{End: a.Length()}) }

// In is Each of the parts that a stretch of the file touches.
func (m *Memo[T]) In(a *Analysis, span text.Span) iter.Seq2[Spot, T] {
	v := a.settled()
	return func(yield func(Spot, T) bool) {
		for at, p := range v.touched(span) {
			of, open := v.around, v.openAround
			if p != nil {
				of, open = p.done, func() *Part { return v.open(at, p) }
			}
			if !yield(Spot{at, v}, m.get(v, of, open)) {
				return
			}
		}
	}
}

func (m *Memo[T]) get(v *view, of *checked, open func() *Part) T {
	for n := of.kept.Load(); n != nil; n = n.next {
		if n.by == any(m) && (n.in == v.context || n.in.text == v.context.text && v.context.keeps(of)) {
			return n.value.(T)
		}
	}
	value := m.of(open())
	for n := of.kept.Load(); ; n = of.kept.Load() {
		if of.kept.CompareAndSwap(n, &keep{m, v.context, value, n.without(m)}) {
			return value
		}
	}
}

// keep is what a memo worked out of a part, and the context it did that in. A
// part has a list of them.
type keep struct {
	by    any // the memo
	in    *context
	value any
	next  *keep
}

// without is a list without what a memo has in it.
func (k *keep) without(by any) *keep {
	if k == nil {
		return nil
	}
	if k.by == by {
		return k.next
	}
	return &keep{k.by, k.in, k.value, k.next.without(by)}
}

// kept is where a part's list begins.
type kept = atomic.Pointer[keep]
