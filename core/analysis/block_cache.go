package analysis

import "iter"

// BlockCache is something that is worked out of what a [Memo] holds of parts that stand
// together, a hundred or so. What it was is kept for as long as all of them are as
// they were: of a file with thousands of parts an edit costs those beside it, and a
// glance at each hundred of the others.
//
// A Gather is made once, for a package. What it gives may be asked by many at once.
type BlockCache[T, G any] struct {
	chunks  *ChunkCache[T]
	compute func(iter.Seq2[ChunkOffset, T]) G
}

// NewBlockCache gathers what a memo holds by a function of that, and of nothing else.
func NewBlockCache[T, G any](memo *ChunkCache[T], of func(iter.Seq2[ChunkOffset, T]) G) *BlockCache[T, G] {
	return &BlockCache[T, G]{memo, of}
}

// ChunkOffset is from where parts begin that stand together to one of them.
type ChunkOffset struct{ chunkStart }

// Add is where the part is that is a step from here.
func (p Placement) Add(to ChunkOffset) Placement {
	if p.start == headerStart {
		return p
	}
	return Placement{p.start.add(to.chunkStart), p.view}
}

// Each gives what is gathered of a file, in the order of [Analysis.Parts], and where
// the parts are from which each is a [Step].
func (c *BlockCache[T, G]) Each(a *Analysis) iter.Seq2[Placement, G] {
	cf := a.checkedFile()
	return func(yield func(Placement, G) bool) {
		if cf.headerResult != nil {
			around := func(visit func(ChunkOffset, T) bool) {
				visit(ChunkOffset{}, c.chunks.get(cf, cf.headerResult, cf.openHeader).(T))
			}
			if !yield(Placement{headerStart, cf}, c.get(cf, &cf.headerResult.values, around)) {
				return
			}
		}
		for b := range cf.blocks {
			blk, first := &cf.blocks[b], cf.starts[b]
			all := func(visit func(ChunkOffset, T) bool) {
				blk.visit(chunkStart{}, func(at chunkStart, p *entry) bool {
					return visit(ChunkOffset{at}, c.chunks.get(cf, p.result, func() *Chunk { return cf.openChunk(first.add(at), p) }).(T))
				})
			}
			if !yield(Placement{first, cf}, c.get(cf, blk.values, all)) {
				return
			}
		}
	}
}

func (c *BlockCache[T, G]) get(cf *checkedFile, values *valueList, all iter.Seq2[ChunkOffset, T]) G {
	isCurrent := func(in *chunkContext) bool { return in == cf.context }
	return values.getOrCompute(c, cf.context, isCurrent, func() any { return c.compute(all) }).(G)
}
