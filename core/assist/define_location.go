package assist

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

// Location is a stretch of a file.
type Location struct {
	File *analysis.Analysis
	Span text.Span // of the file
}

// Definitions are where what an offset of a file is on is declared: an anchor, an
// id, a target in one of the other files.
func Definitions(a *analysis.Analysis, offset int, others []*analysis.Analysis) (found []Location) {
	uses, _ := usesAt(a, offset, others)
	for _, u := range uses {
		if u.IsDeclaration {
			found = append(found, u.Location)
		}
	}
	return found
}

// References are where what an offset of a file is on is written, in the file
// first and then in the others; with declared also where it is declared.
func References(a *analysis.Analysis, offset int, others []*analysis.Analysis, declared bool) (found []Location) {
	uses, _ := usesAt(a, offset, others)
	for _, u := range uses {
		if declared || !u.IsDeclaration {
			found = append(found, u.Location)
		}
	}
	return found
}

// locatedUse is a use with its place in a file.
type locatedUse struct {
	Use
	Location
	part *analysis.Chunk
}

// usesAt are the uses of the name that an offset is on. Of files among the others
// that cannot be analysed there are none, and fault says why.
func usesAt(a *analysis.Analysis, offset int, others []*analysis.Analysis) (found []locatedUse, fault *diag.Panic) {
	p := a.ChunkAt(offset)
	name, _, ok := NameAt(p, p.FromFile(offset))
	if !ok {
		return nil, nil
	}
	found = usesInFile(a, p, name)
	for _, other := range others {
		if name.isShared() && other != a {
			fault = cmp.Or(fault, diag.CatchPanic(func() { found = append(found, usesInFile(other, nil, name)...) }))
		}
	}
	return found, fault
}

// isShared reports whether other files may know the name.
func (n Name) isShared() bool { return n.Kind == CaseName || n.Kind == TargetName }

// usesInFile are the uses of a name in a file, in order. The part where it was met,
// if it was met in this file, is at.
func usesInFile(a *analysis.Analysis, from *analysis.Chunk, name Name) (found []locatedUse) {
	for _, p := range partsOf(a, from, name) {
		for _, u := range Uses(p, name) {
			found = append(found, locatedUse{u, Location{a, p.ToFile(u.Span)}, p})
		}
	}
	slices.SortStableFunc(found, func(x, y locatedUse) int { return x.Location.Span.Start - y.Location.Span.Start })
	return found
}

// partsOf are the parts of a file that may know a name. Of many cases only those
// are opened that have it in their text as it is meant, not with an escape in it.
func partsOf(a *analysis.Analysis, from *analysis.Chunk, name Name) []*analysis.Chunk {
	words := name.Text
	switch name.Kind {
	case CriterionName, GraderName:
		return []*analysis.Chunk{from}
	case AnchorName:
		if reach, ok := reachOf(a, from); ok && reach.Touches(name.Scope) {
			return []*analysis.Chunk{from}
		}
		words = "*" + words
	}
	search := nameSearch{file: a}
	if from != nil {
		search.add(from)
	}
	if name.Scope >= 0 {
		search.add(a.ChunkAt(name.Scope))
	}
	search.addMatching(words)
	return search.parts
}
