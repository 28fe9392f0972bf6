package analysis

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// CaseRef is a case of a file's suite, by its id and the short span by which it is shown.
type CaseRef struct {
	ID   string
	Span text.Span // of the file
}

// chunkCases are those of a part, in spans of the part.
type chunkCases struct {
	cases             []CaseRef
	hasFileReferences bool // it may have tests of another file, which share their room with those of other parts
}

var caseRefCache = NewChunkCache(func(p *Chunk) (h chunkCases) {
	for _, c := range p.Suite.Cases {
		h.cases = append(h.cases, CaseRef{c.ID, c.SelectionSpan})
	}
	for _, doc := range p.Tree.Docs {
		for _, test := range append(doc.Root.List(), doc.Root) {
			_, reference := test.Str()
			h.hasFileReferences = h.hasFileReferences || reference
		}
	}
	return h
})

// CaseRefs are those of all cases of [Analysis.Suite], in its order. After an edit they
// cost the cases that were edited.
func (a *Analysis) CaseRefs() (all []CaseRef) {
	if !a.hasIndependentCases() {
		for _, c := range a.Suite().Cases {
			all = append(all, CaseRef{c.ID, c.SelectionSpan})
		}
		return all
	}
	var scenarios []CaseRef // which come after all tests
	for spot, h := range caseRefCache.Each(a) {
		to := &all
		if spot.start == headerStart {
			to = &scenarios
		}
		for _, c := range h.cases {
			*to = append(*to, CaseRef{c.ID, spot.ToFile(c.Span)})
		}
	}
	return append(all, scenarios...)
}

// Case is the case of [Analysis.Suite] that has an id, of several the first; nil if
// there is none. It costs that case, and a glance at the others.
func (a *Analysis) Case(id string) *rubric.Case {
	if !a.hasIndependentCases() {
		return a.Suite().Case(id)
	}
	cf, around := a.checkedFile(), false
	for spot, h := range caseRefCache.Each(a) {
		switch has := slices.ContainsFunc(h.cases, func(c CaseRef) bool { return c.ID == id }); {
		case has && spot.start == headerStart:
			around = true
		case has:
			cc, _ := cf.inPlaceContext()
			return cc.lowerInPlace(spot.start, cf.entry(spot.start.index), cf).Case(id)
		}
	}
	if !around {
		return nil
	}
	_, scenarios := cf.inPlaceContext()
	return scenarios.Case(id)
}

// hasIndependentCases reports whether each part has cases of its own, whatever is in the others.
func (a *Analysis) hasIndependentCases() bool {
	if cf := a.checkedFile(); cf.division == undivided || cf.division == adkCases {
		return false
	}
	for _, h := range caseRefCache.Each(a) {
		if h.hasFileReferences {
			return false
		}
	}
	return true
}
