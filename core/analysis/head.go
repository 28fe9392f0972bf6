package analysis

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// Head is a case of a file's suite, by its id and the short span by which it is shown.
type Head struct {
	ID   string
	Span text.Span // of the file
}

// heads are those of a part, in spans of the part.
type heads struct {
	cases     []Head
	elsewhere bool // it may have tests of another file, which share their room with those of other parts
}

var headsIn = NewMemo(func(p *Part) (h heads) {
	for _, c := range p.Suite.Cases {
		h.cases = append(h.cases, Head{c.ID, c.Head})
	}
	for _, doc := range p.Tree.Docs {
		for _, test := range append(doc.Root.List(), doc.Root) {
			_, reference := test.Str()
			h.elsewhere = h.elsewhere || reference
		}
	}
	return h
})

// Heads are those of all cases of [Analysis.Suite], in its order. After an edit they
// cost the cases that were edited.
func (a *Analysis) Heads() (all []Head) {
	if !a.apart() {
		for _, c := range a.Suite().Cases {
			all = append(all, Head{c.ID, c.Head})
		}
		return all
	}
	var scenarios []Head // which come after all tests
	for spot, h := range headsIn.Each(a) {
		to := &all
		if spot.start == edge {
			to = &scenarios
		}
		for _, c := range h.cases {
			*to = append(*to, Head{c.ID, spot.Place(c.Span)})
		}
	}
	return append(all, scenarios...)
}

// Case is the case of [Analysis.Suite] that has an id, of several the first; nil if
// there is none. It costs that case, and a glance at the others.
func (a *Analysis) Case(id string) *rubric.Case {
	if !a.apart() {
		return a.Suite().Case(id)
	}
	v, around := a.settled(), false
	for spot, h := range headsIn.Each(a) {
		switch has := slices.ContainsFunc(h.cases, func(c Head) bool { return c.ID == id }); {
		case has && spot.start == edge:
			around = true
		case has:
			x, _ := v.inPlace()
			return x.lowerAt(spot.start, v.at(spot.start.piece), v).Case(id)
		}
	}
	if !around {
		return nil
	}
	_, scenarios := v.inPlace()
	return scenarios.Case(id)
}

// apart reports whether each part has cases of its own, whatever is in the others.
func (a *Analysis) apart() bool {
	if v := a.settled(); v.form == undivided || v.form == cases {
		return false
	}
	for _, h := range headsIn.Each(a) {
		if h.elsewhere {
			return false
		}
	}
	return true
}
