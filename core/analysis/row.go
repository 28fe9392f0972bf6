package analysis

import (
	"iter"
	"slices"
	"sort"

	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// row is a file's pieces in order, in blocks, so that an edit costs the blocks it
// touches and a few words for each of the others.
type row struct {
	blocks []block
	starts []start // of each block, and of what comes after the last
}

// block is a few pieces that stand together.
type block struct {
	pieces  []piece
	at      []start  // of each piece, and of what comes after the last, counted from the block's own start
	context *context // in which all of them have been looked at; nil if they have not

	// Then, by where pieces begin from the block's own start:
	loud   []loud  // those in which something was found
	linked []start // those that have to do with other pieces, or with the file's version
	far    []start // those that find something in what stands around them
	found  quota   // what was found in the pieces themselves
	brief  lint.Brief
	kept   *kept // what was gathered of them
}

// loud is a piece in which something was found, of these severities.
type loud struct {
	start
	severities severities
}

// start is where a block begins, and which piece is its first.
type start struct {
	place
	piece int
}

// place is where a piece begins: its first byte and its first line, and what stands
// before it on that.
type place struct {
	offset, line int
	column       column
}

// column is the width of what stands on a line before some place, by encoding.
type column [3]int

// ending is the width of a text's last line.
func ending(source *text.Source) (c column) {
	for enc := range c {
		c[enc] = source.OffsetPosition(len(source.Body), text.Encoding(enc)).Character
	}
	return c
}

// plus is where something is that is at a place from here.
func (p place) plus(at place) place {
	if at.line == 0 {
		for enc, before := range p.column {
			at.column[enc] += before
		}
	}
	return place{p.offset + at.offset, p.line + at.line, at.column}
}

func (p place) after(q piece) place {
	return p.plus(place{len(q.source.Body), q.source.Lines() - 1, q.ending})
}

// perBlock is about the square root of how many cases the largest files have.
const perBlock = 100

// newRow puts pieces in a row that begins at a place.
func newRow(begin place, pieces []piece) row {
	r := row{starts: []start{{place: begin}}}
	for some := range slices.Chunk(pieces, perBlock) {
		k := block{pieces: some, at: make([]start, 1, len(some)+1)}
		for _, p := range some {
			last := k.at[len(k.at)-1]
			k.at = append(k.at, start{last.after(p), last.piece + 1})
		}
		r.blocks = append(r.blocks, k)
		r.starts = append(r.starts, r.end().plus(k.at[len(some)]))
	}
	return r
}

// plus is where something is that is at a place from here.
func (s start) plus(at start) start {
	return start{s.place.plus(at.place), s.piece + at.piece}
}

// count is the number of pieces.
func (r *row) count() int { return r.end().piece }

// begin and end are where the row does.
func (r *row) begin() start { return r.starts[0] }
func (r *row) end() start   { return r.starts[len(r.starts)-1] }

// blockOf is the number of the block that a piece is in.
func (r *row) blockOf(i int) int {
	return sort.Search(len(r.blocks)-1, func(b int) bool { return r.starts[b+1].piece > i })
}

// at is a piece.
func (r *row) at(i int) *piece {
	b := r.blockOf(i)
	return &r.blocks[b].pieces[i-r.starts[b].piece]
}

// start is where a piece begins; that after the last is where the row ends.
func (r *row) start(i int) start {
	if i == r.count() {
		return r.end()
	}
	b := r.blockOf(i)
	return r.starts[b].plus(r.blocks[b].at[i-r.starts[b].piece])
}

// find is the last piece that begins where before says, or earlier.
func (r *row) find(before func(place) bool) int {
	b := sort.Search(len(r.blocks)-1, func(b int) bool { return !before(r.starts[b+1].place) })
	k := &r.blocks[b]
	i := sort.Search(len(k.pieces)-1, func(i int) bool { return !before(r.starts[b].plus(k.at[i+1]).place) })
	return r.starts[b].piece + i
}

// holder is the block and the piece in it that hold an offset, of two that meet there
// the later one. It is asked for most of what is told of a file.
func (r *row) holder(offset int) (b, i int) {
	b = sort.Search(len(r.blocks)-1, func(b int) bool { return r.starts[b+1].offset > offset })
	at, local := r.blocks[b].at, offset-r.starts[b].offset
	return b, sort.Search(len(at)-2, func(i int) bool { return at[i+1].offset > local })
}

// all are the pieces and where they begin.
func (r *row) all() iter.Seq2[start, *piece] {
	return func(yield func(start, *piece) bool) {
		for b := range r.blocks {
			if !r.blocks[b].visit(r.starts[b], yield) {
				return
			}
		}
	}
}

// linked are what is known of pieces that have to do with others, where all have
// been looked at.
func (r *row) linked() iter.Seq[*checked] {
	return func(yield func(*checked) bool) {
		for _, k := range r.blocks {
			for _, at := range k.linked {
				if !yield(k.pieces[at.piece].done) {
					return
				}
			}
		}
	}
}

func (k *block) visit(from start, yield func(start, *piece) bool) bool {
	for i := range k.pieces {
		if !yield(from.plus(k.at[i]), &k.pieces[i]) {
			return false
		}
	}
	return true
}

// look looks at those of the pieces that have not been looked at in x, or in a
// context that is as good.
func (k *block) look(x *context) {
	own := false
	for i := range k.pieces {
		p := &k.pieces[i]
		if p.done != nil && x.keeps(p.done) {
			continue
		}
		if p.done != nil {
			if !own {
				k.pieces, own = slices.Clone(k.pieces), true
				p = &k.pieces[i]
			}
			p.slot = &slot{}
		}
		p.done = x.check(p)
	}
	k.context = x
	k.sum()
}

// sum notes what pieces have that have been looked at.
func (k *block) sum() {
	k.loud, k.linked, k.far, k.found, k.kept = nil, nil, nil, quota{}, &kept{}
	k.brief = lint.Brief{}
	k.visit(start{}, func(at start, p *piece) bool {
		if p.done.linked() {
			k.linked = append(k.linked, at)
		}
		k.brief = k.brief.With(p.done.Supply.Brief())
		var own severities
		far := false
		for _, d := range p.done.Found {
			if d.Span.Start < text.Far {
				k.found[d.Severity]++
				own = own.with(d.Severity)
			} else {
				far = true
			}
		}
		if own != noSeverity {
			k.loud = append(k.loud, loud{at, own})
		}
		if far {
			k.far = append(k.far, at)
		}
		return true
	})
}

// some are the pieces from first to before last.
func (r *row) some(first, last int) (pieces []piece) {
	for i := first; i < last; i++ {
		pieces = append(pieces, *r.at(i))
	}
	return pieces
}

// spliced is the row with other pieces in the place of those from first to
// before last.
func (r *row) spliced(first, last int, with []piece) row {
	from, to := r.blockOf(first), r.blockOf(last-1)
	before := r.blocks[from].pieces[:first-r.starts[from].piece]
	after := r.blocks[to].pieces[last-r.starts[to].piece:]
	between := newRow(r.starts[from].place, slices.Concat(before, with, after))
	next := row{blocks: slices.Concat(r.blocks[:from], between.blocks, r.blocks[to+1:])}
	next.starts = slices.Clone(r.starts[:from])
	for _, s := range between.starts {
		s.piece += r.starts[from].piece
		next.starts = append(next.starts, s)
	}
	moved, was := next.end(), r.starts[to+1]
	for _, s := range r.starts[to+2:] {
		if s.line == was.line {
			for enc := range s.column {
				s.column[enc] += moved.column[enc] - was.column[enc]
			}
		}
		s.offset += moved.offset - was.offset
		s.line += moved.line - was.line
		s.piece += moved.piece - was.piece
		next.starts = append(next.starts, s)
	}
	return next
}
