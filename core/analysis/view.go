package analysis

import (
	"iter"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/newer"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// view is a layout of which every piece has been looked at, in one context. It
// never changes.
type view struct {
	layout
	context *context
	around  *checked // framed: what rules say of what stands around the pieces
	aliased []string // anchors there that pieces repeat
	brief   lint.Brief
	settled []lint.Settled
	claimed *byte // another one for other claims
	pieced  *view // of an undivided file: what it was taken for before its pieces clashed
}

// divided is the view to go on from after an edit.
func (v *view) divided() *view {
	if v.pieced != nil {
		return v.pieced
	}
	return v
}

// look looks at all pieces of a layout that have not been looked at in this
// context. What of the view before holds is taken over; nil if there is none.
func look(x *context, l *layout, before *view) *view {
	v := &view{layout: *l, context: x}
	v.blocks = slices.Clone(l.blocks)
	for b := range v.blocks {
		if k := &v.blocks[b]; k.context != x {
			k.look(x)
		}
	}
	v.lookAround(before)
	if v.claimsAs(before) {
		v.settled, v.claimed = before.settled, before.claimed
	} else {
		v.settled, v.claimed = lint.Settle(v.results()), new(byte)
	}
	return v
}

// claimsAs reports whether the claims of all pieces are those of a view before,
// which need not be the one that its pieces were last looked at in: versions
// between may have been, at the same time.
func (v *view) claimsAs(before *view) bool {
	if before == nil || before.count() != v.count() {
		return false
	}
	for b, k := range v.blocks {
		if b < len(before.blocks) && v.starts[b].piece == before.starts[b].piece && &before.blocks[b].pieces[0] == &k.pieces[0] && len(before.blocks[b].pieces) == len(k.pieces) {
			continue
		}
		for i := range k.pieces {
			if !sameClaims(before.at(v.starts[b].piece+i).done, k.pieces[i].done) {
				return false
			}
		}
	}
	return true
}

// version is that of a later file, by what stands around its pieces and in them.
func (v *view) version() agentv.Version {
	if v.form != listed || v.context.role != later {
		return ""
	}
	version := newer.VersionOf(v.context.frame.Root())
	for c := range v.linked() {
		if version == agentv.Stable && c.head {
			return agentv.Head
		}
	}
	return version
}

// face is what was found where the file says what it is.
func (v *view) face() *checked {
	if v.form.framed() {
		return v.around
	}
	return v.at(0).done
}

func (v *view) results() []*lint.Result {
	all := make([]*lint.Result, v.count())
	for at, p := range v.all() {
		all[at.piece] = &p.done.Result
	}
	return all
}

// clashes reports whether the pieces are not what they seemed: one repeats an anchor
// that another one defines, or brackets of one are closed by another.
func (v *view) clashes() bool {
	switch v.form {
	case listed:
	case cases:
		return v.miscut()
	default:
		return false
	}
	defined := map[string]bool{}
	for c := range v.linked() {
		for _, name := range c.defines {
			defined[name] = true
		}
	}
	if len(defined) == 0 {
		return false
	}
	for c := range v.linked() {
		if overlap(defined, c.repeats) || overlap(defined, c.lost) {
			return true
		}
	}
	return strings.Contains(v.tail, "*") || redefined(defined, v.context)
}

// miscut reports whether cases of ADK do not begin where they seemed to: all brackets
// are closed, but not within the cases, or several stand in one place.
func (v *view) miscut() bool {
	all, open := v.head, false
	for c := range v.linked() {
		if c.several {
			return true
		}
		all += c.unclosed
		open = open || c.unclosed != ""
	}
	return open && adk.Unclosed(all+v.tail) == ""
}

func overlap(defined map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return defined[name] })
}

// redefined reports whether the frame has an anchor of a name that pieces define:
// which one an alias means depends on its place.
func redefined(defined map[string]bool, x *context) bool {
	for name := range x.before {
		if defined[name] {
			return true
		}
	}
	return false
}

// lookAround looks at what stands around the pieces.
func (v *view) lookAround(before *view) {
	if !v.form.framed() {
		return
	}
	used := map[string]bool{}
	for c := range v.linked() {
		for _, name := range c.repeats {
			used[name] = true
		}
	}
	for name := range used {
		v.aliased = append(v.aliased, name)
	}
	slices.Sort(v.aliased)
	for _, k := range v.blocks {
		v.brief = v.brief.With(k.brief)
	}
	if before != nil && before.around != nil && before.context.text == v.context.text && before.context.version == v.context.version && slices.Equal(before.aliased, v.aliased) && before.brief == v.brief {
		v.around = before.around
		return
	}
	part := v.openAround()
	var brief *lint.Brief
	if part.ADK != nil {
		brief = &v.brief
	}
	v.around = v.context.checkPart(part, used, brief)
}

// touched are the pieces that a stretch of the file touches, and, first and as
// nil, what stands around them if it does. That, and the last piece, are there in any
// case if what is around is asked for.
func (v *view) touched(span text.Span, around bool) iter.Seq2[start, *piece] {
	return func(yield func(start, *piece) bool) {
		begin, end := v.begin().offset, v.end().offset
		if v.form.framed() && (around || span.Start < begin || span.End >= end) && !yield(edge, nil) {
			return
		}
		first, next := 0, 0
		if span.Start > begin {
			first = v.pieceAt(span.Start)
		}
		if first >= 0 {
			for at := v.start(first); at.piece < v.count() && at.offset <= span.End; at.piece++ {
				p := v.at(at.piece)
				if !yield(at, p) {
					return
				}
				at.place, next = at.after(*p), at.piece+1
			}
		}
		if last := v.count() - 1; around && next <= last {
			yield(v.start(last), v.at(last))
		}
	}
}

// open opens a piece.
func (v *view) open(at start, p *piece) *Part {
	part := v.context.open(p)
	part.Spot = Spot{at, v}
	return part
}

// openAround opens what stands around the pieces.
func (v *view) openAround() *Part {
	x := v.context
	if x.form == cases {
		file, _ := adk.Around(x.input.Path, x.source, len(v.head))
		part := x.ofADK(x.source, file)
		part.Spot = Spot{edge, v}
		return part
	}
	tree := elided(x.source, v.key)
	return &Part{Source: x.source, Tree: tree, Suite: x.lower(tree), Role: x.role, Version: x.version, Table: tables.FileOf(x.role, x.version).Type, Spot: Spot{edge, v}}
}
