package assist

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	scalars "github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
)

// Change is edits of one file, in spans of it.
type Change struct {
	File  *analysis.Analysis
	Edits []text.Edit
}

var errNoName = errors.New("there is no name here that can be changed; the ids of cases and criteria have one, and so do evaluators, targets and anchors")

// PrepareRename is what a rename at an offset of a file would begin with: the place
// of the name, and the name. An error says why there is none.
func PrepareRename(a *analysis.Analysis, offset int) (span text.Span, name string, err error) {
	p := a.ChunkAt(offset)
	found, use, ok := NameAt(p, p.FromFile(offset))
	switch {
	case !ok:
		return text.Span{}, "", errNoName
	case found.Kind == AnchorName && found.Scope < 0:
		return text.Span{}, "", errors.New("this alias has no anchor; `&" + found.Text + "` stands nowhere before it")
	}
	return p.ToFile(use.Span), found.Text, nil
}

// Rename gives another name to what an offset of a file is on, wherever it is
// written there and in the others that are supplied. Each place stays written as
// it is, with or without quotes. An error says why the name cannot be had.
//
// Where two things of one file have the name that may be there once only, just
// the one under the cursor is renamed, which mends that.
func Rename(a *analysis.Analysis, offset int, to string, others []*analysis.Analysis) ([]Change, error) {
	if _, _, err := PrepareRename(a, offset); err != nil {
		return nil, err
	}
	p := a.ChunkAt(offset)
	name, under, _ := NameAt(p, p.FromFile(offset))
	if name.Text == to {
		return nil, nil
	}
	if err := name.validate(to); err != nil {
		return nil, err
	}
	if err := name.checkConflict(p, under, to, append([]*analysis.Analysis{a}, others...)); err != nil {
		return nil, err
	}
	uses, fault := usesAt(a, offset, others)
	switch {
	case fault != nil:
		return nil, fmt.Errorf("a file in which the name may be written cannot be analysed: %w", fault)
	case under.IsDeclaration && slices.Contains([]NameKind{CaseName, CriterionName, GraderName}, name.Kind):
		uses = withoutDuplicates(uses, Location{a, p.ToFile(under.Span)})
	case name.Kind == CaseName && countDeclarations(uses) > 1:
		return nil, fmt.Errorf("there are several cases `%s`; rename the one that is meant where it stands", shortLine(name.Text))
	}
	var changes []Change
	for _, u := range uses {
		i := slices.IndexFunc(changes, func(c Change) bool { return c.File == u.File })
		if i < 0 {
			i = len(changes)
			changes = append(changes, Change{File: u.File})
		}
		changes[i].Edits = append(changes[i].Edits, u.renameEdit(name.Kind, to))
	}
	return changes, nil
}

func countDeclarations(uses []locatedUse) (n int) {
	for _, u := range uses {
		if u.IsDeclaration {
			n++
		}
	}
	return n
}

// withoutDuplicates leaves out what declares the same name elsewhere, and, where that
// is so in the same file, all others, of which nobody can tell what they mean.
func withoutDuplicates(uses []locatedUse, target Location) (left []locatedUse) {
	hasDuplicates := slices.ContainsFunc(uses, func(u locatedUse) bool { return u.IsDeclaration && u.File == target.File && u.Location != target })
	for _, u := range uses {
		if u.Location == target || !u.IsDeclaration && !hasDuplicates {
			left = append(left, u)
		}
	}
	return left
}

// renameEdit is the edit that writes another name in a place.
func (lu locatedUse) renameEdit(kind NameKind, to string) text.Edit {
	if kind == AnchorName || lu.node == nil {
		return text.Edit{Span: lu.Location.Span, New: to}
	}
	return text.Edit{Span: lu.part.ToFile(lu.node.Span), New: scalars.FormatLike(lu.node, to)}
}
