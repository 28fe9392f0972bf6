package assist

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// Refactoring is a change of how something is written that an editor may offer.
type Refactoring struct {
	ID             string // stable
	Title          string // as a command to the editor, lower case, no final period
	IsExtract      bool   // it makes something of its own of what is written in place
	DisabledReason string // why it cannot be had here; "" if it may
}

// refactoring is one that there is.
type refactoring struct {
	Refactoring
	preservesMeaning bool // what is graded remains the same
	// applies says whether it is for a spot at all, and if so, why it cannot be
	// had there; "" if it may.
	applies   func(editContext) (reason string, ok bool)
	edits     func(editContext) ([]text.Edit, error) // in spans of the spot's part; of the file, if it is wide
	wholeFile bool                                   // changes more than one part, and nothing of what the file says
}

// allRefactorings are all of them, in the order in which they are offered.
func allRefactorings() []refactoring {
	return slices.Concat(criterionRefactorings(), rangeRefactorings(), scaleRefactorings(), weightRefactorings(), extractRefactorings())
}

// Refactorings are those for an offset of a file. Nothing is tried yet.
func Refactorings(a *analysis.Analysis, offset int) (offered []Refactoring) {
	ec := newEditContext(a, offset)
	if ec.part.Tree.HasUnboundedAliases() {
		return nil
	}
	for _, r := range allRefactorings() {
		if reason, ok := r.applies(ec); ok {
			r.DisabledReason = reason
			offered = append(offered, r.Refactoring)
		}
	}
	return offered
}

// Refactor are the edits, in spans of the file, of a refactoring at an offset.
// They have been tried: no comment is lost, no fault is new, and what should mean
// the same as before does. An error says why there are none.
func Refactor(a *analysis.Analysis, offset int, id string) ([]text.Edit, error) {
	ec := newEditContext(a, offset)
	all := allRefactorings()
	i := slices.IndexFunc(all, func(r refactoring) bool { return r.ID == id })
	if i < 0 || ec.part.Tree.HasUnboundedAliases() {
		return nil, fmt.Errorf("there is no refactoring `%s` for this text", shortLine(id))
	}
	switch reason, ok := all[i].applies(ec); {
	case !ok:
		return nil, errors.New("there is nothing here that this could change")
	case reason != "":
		return nil, errors.New(reason)
	}
	return ec.verifiedEdits(all[i])
}

// verifiedEdits are the edits of a refactoring, in spans of the file.
func (ec editContext) verifiedEdits(r refactoring) ([]text.Edit, error) {
	edits, err := r.edits(ec)
	switch {
	case err != nil:
	case r.wholeFile:
		err = verifyWholeFile(ec.file, edits)
	default:
		err = ec.verify(edits, r.preservesMeaning)
		edits = placeEdits(ec.part, edits)
	}
	if err != nil {
		return nil, err
	}
	return edits, nil
}

// verify tries edits of the spot's part.
func (ec editContext) verify(edits []text.Edit, keeps bool) error {
	next, q, err := tryEdits(ec.file, ec.part, edits)
	switch {
	case err != nil:
		return err
	case !sameComments(ec.part.Tree, q.Tree):
		return errors.New("a comment would be lost")
	case len(q.Tree.Problems) > len(ec.part.Tree.Problems):
		return errors.New("the text could not be read any more")
	}
	before, now := caseFingerprints(ec.file, ec.part), caseFingerprints(next, q)
	switch {
	case len(before) != len(now):
		return errors.New("a case would be lost")
	case keeps && !slices.Equal(before, now):
		return errors.New("something else would be graded")
	case countErrors(next) > countErrors(ec.file):
		return errors.New("the text would have a new fault")
	}
	return nil
}

// countErrors is how many errors a file has.
func countErrors(a *analysis.Analysis) (n int) {
	for _, d := range a.Diagnostics() {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// verifyWholeFile tries edits of a file that change nothing of what it says.
func verifyWholeFile(a *analysis.Analysis, edits []text.Edit) error {
	next := applyEdits(a, edits)
	switch {
	case next.Tree().HasUnboundedAliases():
		return errors.New("the aliases would unfold to more than is read")
	case !sameValues(a.Tree(), next.Tree()):
		return errors.New("something else would be said, or a comment lost")
	case countErrors(next) > countErrors(a):
		return errors.New("the text would have a new fault")
	}
	return nil
}

// caseFingerprints is what a part says of its cases; what stands around them says it of
// all.
func caseFingerprints(a *analysis.Analysis, p *analysis.Chunk) (prints []string) {
	suite := p.Suite
	if _, alone := reachOf(a, p); !alone {
		suite = a.Suite()
	}
	for _, list := range [][]*rubric.Case{suite.Cases, suite.Skipped} {
		for _, c := range list {
			prints = append(prints, c.Fingerprint())
		}
	}
	return prints
}
