package analysis

import (
	"iter"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/text"
)

// ChunkCache is something that is worked out of parts one by one. What it was for a
// part is kept for as long as that part, and what stands around it, are as they
// were: so that to ask it of a whole file after an edit costs what was edited.
//
// A Memo is made once, for a package. What it gives must not be changed.
type ChunkCache[T any] struct{ untypedCache }

// untypedCache is one of whatever is worked out: what all have in common is there once.
type untypedCache struct{ compute func(*Chunk) any }

// NewChunkCache is a memo of what a function makes of a part, and of nothing else.
func NewChunkCache[T any](of func(*Chunk) T) *ChunkCache[T] {
	return &ChunkCache[T]{untypedCache{func(p *Chunk) any { return of(p) }}}
}

// Each gives what is worked out of each part of a file, in the order of
// [Analysis.Parts], and where that part is.
func (c *ChunkCache[T]) Each(a *Analysis) iter.Seq2[Placement, T] {
	return c.EachIn(a, text.Span{End: a.Length()}, false)
}

// EachIn is Each of the parts that a stretch of the file touches. What stands around the
// parts, and the last of them, are there in any case if that is asked for.
func (c *ChunkCache[T]) EachIn(a *Analysis, span text.Span, withHeader bool) iter.Seq2[Placement, T] {
	return func(yield func(Placement, T) bool) {
		c.visit(a.checkedFile(), span, withHeader, func(at Placement, value any) bool { return yield(at, value.(T)) })
	}
}

func (c *untypedCache) visit(cf *checkedFile, span text.Span, withHeader bool, visit func(Placement, any) bool) {
	for at, p := range cf.entriesIn(span, withHeader) {
		result, open := cf.headerResult, cf.openHeader
		if p != nil {
			result, open = p.result, func() *Chunk { return cf.openChunk(at, p) }
		}
		if !visit(Placement{at, cf}, c.get(cf, result, open)) {
			return
		}
	}
}

func (c *untypedCache) get(cf *checkedFile, result *chunkResult, open func() *Chunk) any {
	isCurrent := func(in *chunkContext) bool {
		return in == cf.context || in.headerText == cf.context.headerText && cf.context.isCurrent(result)
	}
	return result.values.getOrCompute(c, cf.context, isCurrent, func() any { return c.compute(open()) })
}

// valueList is what was worked out of something that has been looked at, by whom.
type valueList struct{ atomic.Pointer[cachedValue] }

// cachedValue is what somebody worked out, and in which context.
type cachedValue struct {
	owner   any
	context *chunkContext
	value   any
	next    *cachedValue
}

// getOrCompute is what somebody worked out in a context that still holds, or works out in
// this one.
func (vl *valueList) getOrCompute(owner any, context *chunkContext, isCurrent func(*chunkContext) bool, compute func() any) any {
	for n := vl.Load(); n != nil; n = n.next {
		if n.owner == owner && isCurrent(n.context) {
			return n.value
		}
	}
	value := compute()
	for n := vl.Load(); ; n = vl.Load() {
		if vl.CompareAndSwap(n, &cachedValue{owner, context, value, n.without(owner)}) {
			return value
		}
	}
}

// without is a list without what somebody has in it.
func (cv *cachedValue) without(owner any) *cachedValue {
	if cv == nil {
		return nil
	}
	if cv.owner == owner {
		return cv.next
	}
	return &cachedValue{cv.owner, cv.context, cv.value, cv.next.without(owner)}
}
