package action

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/rewrite"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// allRefactorings are all refactorings in display order.
var allRefactorings = slices.Concat(criterionRefactorings, rangeRefactorings, scaleRefactorings, weightRefactorings(), extractRefactorings())

// Refactorings returns the refactorings relevant at an offset of a file, unverified.
func Refactorings(a *analysis.Analysis, offset int) (offered []Refactoring) {
	ec := newEditContext(a, offset)
	if ec.chunk.Tree.HasUnboundedAliases() {
		return nil
	}
	for _, r := range allRefactorings {
		if reason, ok := r.applies(ec); ok {
			r.DisabledReason = reason
			offered = append(offered, r.Refactoring)
		}
	}
	return offered
}

// Refactor returns the edits of a refactoring at an offset, in spans of the file. They are verified:
// no comment is lost, no error is added, and if the refactoring promises so, cases mean the same. An
// error says why there are none.
func Refactor(a *analysis.Analysis, offset int, id string) ([]text.Edit, error) {
	ec := newEditContext(a, offset)
	i := slices.IndexFunc(allRefactorings, func(r refactoring) bool { return r.ID == id })
	if i < 0 || ec.chunk.Tree.HasUnboundedAliases() {
		return nil, fmt.Errorf("there is no refactoring `%s` here", facts.ShortLine(id))
	}
	switch reason, ok := allRefactorings[i].applies(ec); {
	case !ok:
		return nil, errors.New("there is nothing here to change")
	case reason != "":
		return nil, errors.New(reason)
	}
	return ec.verifiedEdits(allRefactorings[i])
}

// verifiedEdits returns the verified edits of a refactoring, in spans of the file.
func (ec editContext) verifiedEdits(r refactoring) ([]text.Edit, error) {
	edits, err := r.edits(ec)
	switch {
	case err != nil:
	case r.wholeFile:
		err = verifyWholeFile(ec.file, edits)
	default:
		err = ec.verify(edits, r.preservesMeaning)
		edits = rewrite.PlaceEdits(ec.chunk, edits)
	}
	if err != nil {
		return nil, err
	}
	return edits, nil
}

// verify applies edits of the chunk and checks the result.
func (ec editContext) verify(edits []text.Edit, keeps bool) error {
	next, q, err := rewrite.TryEdits(ec.file, ec.chunk, edits)
	switch {
	case err != nil:
		return err
	case !rewrite.SameComments(ec.chunk.Tree, q.Tree):
		return errors.New("a comment would be lost")
	case len(q.Tree.Problems) > len(ec.chunk.Tree.Problems):
		return errors.New("the text would no longer parse")
	}
	before, now := caseFingerprints(ec.file, ec.chunk), caseFingerprints(next, q)
	switch {
	case len(before) != len(now):
		return errors.New("a case would be lost")
	case keeps && !slices.Equal(before, now):
		return errors.New("the grading would change")
	case next.CountErrors() > ec.file.CountErrors():
		return errors.New("the file would get a new error")
	}
	return nil
}

// verifyWholeFile checks edits that must not change any value of a file.
func verifyWholeFile(a *analysis.Analysis, edits []text.Edit) error {
	next := rewrite.ApplyEdits(a, edits)
	switch {
	case next.Tree().HasUnboundedAliases():
		return errors.New("the aliases would expand beyond the limit")
	case !rewrite.SameValues(a.Tree(), next.Tree()):
		return errors.New("a value would change, or a comment would be lost")
	case next.CountErrors() > a.CountErrors():
		return errors.New("the file would get a new error")
	}
	return nil
}

// caseFingerprints returns the meaning of a chunk's cases; for the header, the text around the
// cases, that of all cases.
func caseFingerprints(a *analysis.Analysis, p *analysis.Chunk) (prints []string) {
	suite := p.Suite
	if _, alone := syntax.ChunkSpan(a, p); !alone {
		suite = a.Suite()
	}
	for _, list := range [][]*rubric.Case{suite.Cases, suite.Skipped} {
		for _, c := range list {
			prints = append(prints, c.Fingerprint())
		}
	}
	return prints
}
