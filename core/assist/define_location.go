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
	In   *analysis.Analysis
	Span text.Span // of the file
}

// Definitions are where what an offset of a file is on is declared: an anchor, an
// id, a target in one of the other files.
func Definitions(a *analysis.Analysis, offset int, others []*analysis.Analysis) (found []Location) {
	uses, _ := usesAround(a, offset, others)
	for _, u := range uses {
		if u.Declares {
			found = append(found, u.Location)
		}
	}
	return found
}

// References are where what an offset of a file is on is written, in the file
// first and then in the others; with declared also where it is declared.
func References(a *analysis.Analysis, offset int, others []*analysis.Analysis, declared bool) (found []Location) {
	uses, _ := usesAround(a, offset, others)
	for _, u := range uses {
		if declared || !u.Declares {
			found = append(found, u.Location)
		}
	}
	return found
}

// placedUse is a use with its place in a file.
type placedUse struct {
	Use
	Location
	part *analysis.Part
}

// usesAround are the uses of the name that an offset is on. Of files among the others
// that cannot be analysed there are none, and fault says why.
func usesAround(a *analysis.Analysis, offset int, others []*analysis.Analysis) (found []placedUse, fault *diag.Fault) {
	p := a.At(offset)
	name, _, ok := NameAt(p, p.Local(offset))
	if !ok {
		return nil, nil
	}
	found = usesOf(a, p, name)
	for _, other := range others {
		if name.isShared() && other != a {
			fault = cmp.Or(fault, diag.Guard(func() { found = append(found, usesOf(other, nil, name)...) }))
		}
	}
	return found, fault
}

// isShared reports whether other files may know the name.
func (n Name) isShared() bool { return n.Kind == CaseName || n.Kind == TargetName }

// usesOf are the uses of a name in a file, in order. The part where it was met,
// if it was met in this file, is at.
func usesOf(a *analysis.Analysis, at *analysis.Part, name Name) (found []placedUse) {
	for _, p := range partsOf(a, at, name) {
		for _, u := range Uses(p, name) {
			found = append(found, placedUse{u, Location{a, p.Place(u.Span)}, p})
		}
	}
	slices.SortStableFunc(found, func(x, y placedUse) int { return x.Location.Span.Start - y.Location.Span.Start })
	return found
}

// partsOf are the parts of a file that may know a name. Of many cases only those
// are opened that have it in their text as it is meant, not with an escape in it.
func partsOf(a *analysis.Analysis, at *analysis.Part, name Name) []*analysis.Part {
	words := name.Text
	switch name.Kind {
	case CriterionName, GraderName:
		return []*analysis.Part{at}
	case AnchorName:
		if reach, ok := reachOf(a, at); ok && reach.Touches(name.Scope) {
			return []*analysis.Part{at}
		}
		words = "*" + words
	}
	s := search{in: a}
	if at != nil {
		s.add(at)
	}
	if name.Scope >= 0 {
		s.add(a.At(name.Scope))
	}
	s.all(words)
	return s.parts
}
