package analysis

import (
	"iter"

	"github.com/rubric-ls/rubric/core/dialect"
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

	listKey  *yaml.Node // of a case: the key of its list, in Header
	isMiscut bool       // the file must be read as a whole
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

// Chunks iterates over the header and then all chunks in text order.
func (a *Analysis) Chunks(yield func(*Chunk) bool) { a.ChunksIn(text.Span{End: a.Length()})(yield) }

// ChunksIn is [Analysis.Chunks] for the chunks that touch a span.
func (a *Analysis) ChunksIn(span text.Span) iter.Seq[*Chunk] {
	return func(yield func(*Chunk) bool) {
		cf := a.checkedFile()
		for _, i := range cf.chunksIn(span, false) {
			if !yield(cf.openChunk(i)) {
				return
			}
		}
	}
}

// ChunkAt returns the chunk at an offset, the later one at a boundary. An offset outside the
// text counts as its nearest end.
func (a *Analysis) ChunkAt(offset int) *Chunk {
	cf := a.checkedFile()
	return cf.openChunk(cf.chunkAt(min(max(offset, 0), a.Length())))
}

// mainChunk returns the header or, without one, the first chunk.
func (a *Analysis) mainChunk() *Chunk {
	cf := a.checkedFile()
	if cf.division.hasHeader() {
		return cf.openChunk(-1)
	}
	return cf.openChunk(0)
}

// openChunk parses a chunk; the index -1 stands for the header.
func (cf *checkedFile) openChunk(i int) (c *Chunk) {
	switch cc := cf.context; {
	case i >= 0:
		c = cc.openChunk(cf.chunkSource(i), cf.results[i].place, nil)
	case cf.division == adkCases:
		file, _ := adk.ReadHeader(cc.input.Path, cc.headerSource, len(cf.head()))
		c = cc.adkChunk(cc.headerSource, file)
	case cc.lowerPart != nil:
		c = cc.otherChunk(cc.headerSource, parseHeader(cc.headerSource, cf.key), dialect.ForRole(cc.role), cc.role)
	default:
		tree := parseHeader(cc.headerSource, cf.key)
		c = &Chunk{Source: cc.headerSource, Tree: tree, Suite: cc.agentvReader().LowerSuite(tree), Role: cc.role, Version: cc.version, Table: dialect.FileForRole(cc.role, cc.version).Type}
	}
	c.Placement = Placement{cf, i}
	return c
}

// chunksIn returns the indexes of the chunks that touch a span. The header comes first, as -1, if
// the span touches it. With withHeader the header and the last chunk are always included.
func (cf *checkedFile) chunksIn(span text.Span, withHeader bool) (touched []int) {
	last := len(cf.chunks) - 1
	if cf.division.hasHeader() && (withHeader || span.Start < cf.chunks[0].Start || span.End >= cf.chunks[last].End) {
		touched = append(touched, -1)
	}
	next := 0
	if span.Start > cf.chunks[0].Start {
		next = cf.chunkAt(span.Start)
	}
	for ; next >= 0 && next <= last && cf.chunks[next].Start <= span.End; next++ {
		touched = append(touched, next)
	}
	if withHeader && next <= last {
		touched = append(touched, last)
	}
	return touched
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
		for _, i := range cf.chunksIn(span, withHeader) {
			if !yield(Placement{cf, i}, c.valueOf(cf, i)) {
				return
			}
		}
	}
}

// cachedValue is a value of a ChunkCache and the context that it is valid in.
type cachedValue[T any] struct {
	context *chunkContext
	value   T
}

// valueOf returns the value of a chunk; the index -1 stands for the header.
func (c *ChunkCache[T]) valueOf(cf *checkedFile, i int) T {
	result := cf.headerResult
	if i >= 0 {
		result = cf.results[i]
	}
	if known, found := result.values.Load(c); found {
		if v := known.(cachedValue[T]); v.context == cf.context || v.context.headerText == cf.context.headerText && cf.context.isCurrent(result) {
			return v.value
		}
	}
	value := c.compute(cf.openChunk(i))
	result.values.Store(c, cachedValue[T]{cf.context, value})
	return value
}
