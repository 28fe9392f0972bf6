package analysis

import (
	"iter"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Chunk is a parsed part of a file: a case with the comments above it, the header, or an
// undivided file. Its spans are those of Source. Every method that returns a chunk parses it
// again.
type Chunk struct {
	Source *text.Source
	// Tree of a case is a list with the case as its only item; in JSONL it is the case
	// itself. Tree of the header has an empty list of cases, marked as recovered.
	Tree *yaml.Tree
	// Header is the tree of a case's header or sidecar, with spans from [text.HeaderBase]
	// on; nil if there is none.
	Header        *yaml.Tree
	Suite         *rubric.Suite // the cases of the chunk, and what the file says about all cases
	Role          agentv.Role
	Version       agentv.Version // for a later version of AgentV
	ADK           *adk.File      // nil for AgentV's files, which alone have a Role
	Table         *schema.Type   // the type of the file's root; nil if unknown
	LabelledSuite *rubric.Suite  // the cases that a labels file refers to; nil if unknown

	listKey *yaml.Node // of a case: the key of its list, in Header
	Placement
}

// RootType returns the type of the root of Tree; nil if unknown.
func (c *Chunk) RootType() *schema.Type {
	if c.listKey == nil || c.Table == nil {
		return c.Table
	}
	if f := c.Table.Field(c.listKey.Value); f != nil {
		return f.TypeAs(c.listKey.Value)
	}
	return nil
}

// Chunks visits the header and then all chunks in text order, until visit returns false.
func (a *Analysis) Chunks(visit func(*Chunk) bool) { a.ChunksIn(text.Span{End: a.Length()}, visit) }

// ChunksIn is [Analysis.Chunks] for the chunks that touch a span.
func (a *Analysis) ChunksIn(span text.Span, visit func(*Chunk) bool) {
	cf := a.checkedFile()
	for start, e := range cf.entriesIn(span, false) {
		if !visit(cf.openChunk(start, e)) {
			return
		}
	}
}

// ChunkAt returns the chunk at an offset, the later one at a boundary. An offset outside the
// text counts as its nearest end.
func (a *Analysis) ChunkAt(offset int) *Chunk {
	cf := a.checkedFile()
	i := cf.chunkAtOffset(min(max(offset, 0), a.Length()))
	if i < 0 {
		return cf.openChunk(headerStart, nil)
	}
	return cf.openChunk(cf.starts[i], &cf.entries[i])
}

// openChunk parses the chunk at start; a nil entry stands for the header.
func (cf *checkedFile) openChunk(start chunkStart, e *entry) (c *Chunk) {
	if e == nil {
		c = cf.context.openHeader(&cf.layout)
	} else {
		c = cf.context.openChunk(e)
	}
	c.Placement = Placement{start, cf}
	return c
}

// entriesIn iterates over the chunks that touch a span. The header comes first, as nil, if
// the span touches it. With withHeader the header and the last chunk are always included.
func (cf *checkedFile) entriesIn(span text.Span, withHeader bool) iter.Seq2[chunkStart, *entry] {
	return func(yield func(chunkStart, *entry) bool) {
		begin, end := cf.begin().offset, cf.end().offset
		if cf.division.hasHeader() && (withHeader || span.Start < begin || span.End >= end) && !yield(headerStart, nil) {
			return
		}
		first := 0
		if span.Start > begin {
			first = cf.chunkAtOffset(span.Start)
		}
		next := max(first, 0)
		for ; first >= 0 && next < len(cf.entries) && cf.starts[next].offset <= span.End; next++ {
			if !yield(cf.starts[next], &cf.entries[next]) {
				return
			}
		}
		if last := len(cf.entries) - 1; withHeader && next <= last {
			yield(cf.starts[last], &cf.entries[last])
		}
	}
}

// ChunkCache caches a value of type T for each chunk. A value stays valid until the chunk or
// the header changes, so after an edit only the edited chunks are computed again. Create one
// ChunkCache per package. Callers must not change the values.
type ChunkCache[T any] struct{ compute func(*Chunk) T }

// NewChunkCache returns a cache of a function that depends on the chunk only.
func NewChunkCache[T any](compute func(*Chunk) T) *ChunkCache[T] {
	return &ChunkCache[T]{compute}
}

// Each iterates over the values of all chunks in the order of [Analysis.Chunks].
func (c *ChunkCache[T]) Each(a *Analysis) iter.Seq2[Placement, T] {
	return c.EachIn(a, text.Span{End: a.Length()}, false)
}

// EachIn is Each for the chunks that touch a span. With withHeader the header and the last
// chunk are always included.
func (c *ChunkCache[T]) EachIn(a *Analysis, span text.Span, withHeader bool) iter.Seq2[Placement, T] {
	return func(yield func(Placement, T) bool) {
		cf := a.checkedFile()
		for start, e := range cf.entriesIn(span, withHeader) {
			result := cf.headerResult
			if e != nil {
				result = e.result
			}
			value := result.values.getOrCompute(c, cf.context, result, func() any { return c.compute(cf.openChunk(start, e)) })
			if !yield(Placement{start, cf}, value.(T)) {
				return
			}
		}
	}
}

// valueList holds the values of one chunk in several caches.
type valueList struct{ atomic.Pointer[cachedValue] }

type cachedValue struct {
	cache   any // the ChunkCache
	context *chunkContext
	value   any
	next    *cachedValue
}

// getOrCompute returns a cache's value for a result if it is valid in a context.
func (vl *valueList) getOrCompute(cache any, context *chunkContext, result *chunkResult, compute func() any) any {
	for n := vl.Load(); n != nil; n = n.next {
		if n.cache == cache && (n.context == context || n.context.headerText == context.headerText && context.isCurrent(result)) {
			return n.value
		}
	}
	value := compute()
	for n := vl.Load(); ; n = vl.Load() {
		if vl.CompareAndSwap(n, &cachedValue{cache, context, value, n.without(cache)}) {
			return value
		}
	}
}

// without returns the list without the value of a cache.
func (cv *cachedValue) without(cache any) *cachedValue {
	if cv == nil {
		return nil
	}
	if cv.cache == cache {
		return cv.next
	}
	return &cachedValue{cv.cache, cv.context, cv.value, cv.next.without(cache)}
}
