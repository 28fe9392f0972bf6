package analysis

import (
	"iter"
	"slices"
	"sort"

	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// chunkIndex is a file's pieces in order, in blocks, so that an edit costs the blocks it
// touches and a few words for each of the others.
type chunkIndex struct {
	blocks []block
	starts []chunkStart // of each block, and of what comes after the last
}

// block is a few pieces that stand together.
type block struct {
	entries []entry
	starts  []chunkStart  // of each piece, and of what comes after the last, counted from the block's own start
	context *chunkContext // in which all of them have been looked at; nil if they have not

	// Then, by where pieces begin from the block's own start:
	withDiagnostics       []diagnosticEntry // those in which something was found
	withCrossRefs         []chunkStart      // those that have to do with other pieces, or with the file's version
	withHeaderDiagnostics []chunkStart      // those that find something in what stands around them
	counts                severityCounts    // what was found in the pieces themselves
	summary               lint.EvalsetContents
	values                *valueList // what was gathered of them
}

// diagnosticEntry is a piece in which something was found, of these severities.
type diagnosticEntry struct {
	chunkStart
	severities severitySet
}

// chunkStart is where a block begins, and which piece is its first.
type chunkStart struct {
	location
	index int
}

// location is where a piece begins: its first byte and its first line, and what stands
// before it on that.
type location struct {
	offset, line int
	columns      columnWidths
}

// columnWidths is the width of what stands on a line before some place, by encoding.
type columnWidths [3]int

// endColumns is the width of a text's last line.
func endColumns(source *text.Source) (c columnWidths) {
	for enc := range c {
		c[enc] = source.OffsetPosition(len(source.Body), text.Encoding(enc)).Character
	}
	return c
}

// add is where something is that is at a place from here.
func (l location) add(at location) location {
	if at.line == 0 {
		for enc, before := range l.columns {
			at.columns[enc] += before
		}
	}
	return location{l.offset + at.offset, l.line + at.line, at.columns}
}

func (l location) addEntry(q entry) location {
	return l.add(location{len(q.source.Body), q.source.Lines() - 1, q.endColumns})
}

// chunksPerBlock is about the square root of how many cases the largest files have.
const chunksPerBlock = 100

// newChunkIndex puts pieces in a row that begins at a place.
func newChunkIndex(begin location, pieces []entry) chunkIndex {
	ci := chunkIndex{starts: []chunkStart{{location: begin}}}
	for some := range slices.Chunk(pieces, chunksPerBlock) {
		blk := block{entries: some, starts: make([]chunkStart, 1, len(some)+1)}
		for _, p := range some {
			last := blk.starts[len(blk.starts)-1]
			blk.starts = append(blk.starts, chunkStart{last.addEntry(p), last.index + 1})
		}
		ci.blocks = append(ci.blocks, blk)
		ci.starts = append(ci.starts, ci.end().add(blk.starts[len(some)]))
	}
	return ci
}

// add is where something is that is at a place from here.
func (s chunkStart) add(at chunkStart) chunkStart {
	return chunkStart{s.location.add(at.location), s.index + at.index}
}

// chunkCount is the number of pieces.
func (ci *chunkIndex) chunkCount() int { return ci.end().index }

// begin and end are where the row does.
func (ci *chunkIndex) begin() chunkStart { return ci.starts[0] }
func (ci *chunkIndex) end() chunkStart   { return ci.starts[len(ci.starts)-1] }

// blockOf is the number of the block that a piece is in.
func (ci *chunkIndex) blockOf(i int) int {
	return sort.Search(len(ci.blocks)-1, func(b int) bool { return ci.starts[b+1].index > i })
}

// entry is a piece.
func (ci *chunkIndex) entry(i int) *entry {
	b := ci.blockOf(i)
	return &ci.blocks[b].entries[i-ci.starts[b].index]
}

// startOf is where a piece begins; that after the last is where the row ends.
func (ci *chunkIndex) startOf(i int) chunkStart {
	if i == ci.chunkCount() {
		return ci.end()
	}
	b := ci.blockOf(i)
	return ci.starts[b].add(ci.blocks[b].starts[i-ci.starts[b].index])
}

// findLast is the last piece that begins where before says, or earlier.
func (ci *chunkIndex) findLast(before func(location) bool) int {
	b := sort.Search(len(ci.blocks)-1, func(b int) bool { return !before(ci.starts[b+1].location) })
	blk := &ci.blocks[b]
	i := sort.Search(len(blk.entries)-1, func(i int) bool { return !before(ci.starts[b].add(blk.starts[i+1]).location) })
	return ci.starts[b].index + i
}

// findOffset is the block and the piece in it that hold an offset, of two that meet there
// the later one. It is asked for most of what is told of a file.
func (ci *chunkIndex) findOffset(offset int) (blockIndex, i int) {
	blockIndex = sort.Search(len(ci.blocks)-1, func(blockIndex int) bool { return ci.starts[blockIndex+1].offset > offset })
	at, local := ci.blocks[blockIndex].starts, offset-ci.starts[blockIndex].offset
	return blockIndex, sort.Search(len(at)-2, func(i int) bool { return at[i+1].offset > local })
}

// all are the pieces and where they begin.
func (ci *chunkIndex) all() iter.Seq2[chunkStart, *entry] {
	return func(yield func(chunkStart, *entry) bool) {
		for b := range ci.blocks {
			if !ci.blocks[b].visit(ci.starts[b], yield) {
				return
			}
		}
	}
}

// crossRefs are what is known of pieces that have to do with others, where all have
// been looked at.
func (ci *chunkIndex) crossRefs() iter.Seq[*chunkResult] {
	return func(yield func(*chunkResult) bool) {
		for _, blk := range ci.blocks {
			for _, at := range blk.withCrossRefs {
				if !yield(blk.entries[at.index].result) {
					return
				}
			}
		}
	}
}

func (b *block) visit(from chunkStart, yield func(chunkStart, *entry) bool) bool {
	for i := range b.entries {
		if !yield(from.add(b.starts[i]), &b.entries[i]) {
			return false
		}
	}
	return true
}

// check looks at those of the pieces that have not been looked at in x, or in a
// context that is as good.
func (b *block) check(cc *chunkContext) {
	isCopied := false
	for i := range b.entries {
		p := &b.entries[i]
		if p.result != nil && cc.isCurrent(p.result) {
			continue
		}
		if p.result != nil {
			if !isCopied {
				b.entries, isCopied = slices.Clone(b.entries), true
				p = &b.entries[i]
			}
			p.resultSlot = &resultSlot{}
		}
		p.result = cc.checkChunk(p)
	}
	b.context = cc
	b.summarize()
}

// summarize notes what pieces have that have been looked at.
func (b *block) summarize() {
	b.withDiagnostics, b.withCrossRefs, b.withHeaderDiagnostics, b.counts, b.values = nil, nil, nil, severityCounts{}, &valueList{}
	b.summary = lint.EvalsetContents{}
	b.visit(chunkStart{}, func(at chunkStart, p *entry) bool {
		if p.result.hasCrossRefs() {
			b.withCrossRefs = append(b.withCrossRefs, at)
		}
		b.summary = b.summary.Union(p.result.Summary.EvalsetContents)
		var severities severitySet
		touchesHeader := false
		for _, d := range p.result.Diagnostics {
			if d.Span.Start < text.HeaderBase {
				b.counts[d.Severity]++
				severities = severities.with(d.Severity)
			} else {
				touchesHeader = true
			}
		}
		if severities != noSeverity {
			b.withDiagnostics = append(b.withDiagnostics, diagnosticEntry{at, severities})
		}
		if touchesHeader {
			b.withHeaderDiagnostics = append(b.withHeaderDiagnostics, at)
		}
		return true
	})
}

// entryRange are the pieces from first to before last.
func (ci *chunkIndex) entryRange(first, last int) (pieces []entry) {
	for i := first; i < last; i++ {
		pieces = append(pieces, *ci.entry(i))
	}
	return pieces
}

// splice is the row with other pieces in the place of those from first to
// before last.
func (ci *chunkIndex) splice(first, last int, entries []entry) chunkIndex {
	from, to := ci.blockOf(first), ci.blockOf(last-1)
	before := ci.blocks[from].entries[:first-ci.starts[from].index]
	after := ci.blocks[to].entries[last-ci.starts[to].index:]
	between := newChunkIndex(ci.starts[from].location, slices.Concat(before, entries, after))
	next := chunkIndex{blocks: slices.Concat(ci.blocks[:from], between.blocks, ci.blocks[to+1:])}
	next.starts = slices.Clone(ci.starts[:from])
	for _, s := range between.starts {
		s.index += ci.starts[from].index
		next.starts = append(next.starts, s)
	}
	moved, was := next.end(), ci.starts[to+1]
	for _, s := range ci.starts[to+2:] {
		if s.line == was.line {
			for enc := range s.columns {
				s.columns[enc] += moved.columns[enc] - was.columns[enc]
			}
		}
		s.offset += moved.offset - was.offset
		s.line += moved.line - was.line
		s.index += moved.index - was.index
		next.starts = append(next.starts, s)
	}
	return next
}
