package assist

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// A Refactoring is a rewrite that an editor can offer.
type Refactoring struct {
	ID             string // stable
	Title          string // lower case, without a final period
	IsExtract      bool   // it moves text to a shared place
	DisabledReason string // why it is unavailable here; "" if it is available
}

// refactoring is a Refactoring with its implementation.
type refactoring struct {
	Refactoring
	preservesMeaning bool // cases must be graded as before
	// applies reports whether the refactoring is relevant at a place, and if so, why
	// it is unavailable; "" if it is available.
	applies   func(editContext) (reason string, ok bool)
	edits     func(editContext) ([]text.Edit, error) // in spans of the chunk; of the file if wholeFile is set
	wholeFile bool                                   // it changes several chunks, but no value of the file
}

// allRefactorings returns all refactorings in display order.
func allRefactorings() []refactoring {
	return slices.Concat(criterionRefactorings(), rangeRefactorings(), scaleRefactorings(), weightRefactorings(), extractRefactorings())
}

// Refactorings returns the refactorings relevant at an offset of a file, unverified.
func Refactorings(a *analysis.Analysis, offset int) (offered []Refactoring) {
	ec := newEditContext(a, offset)
	if ec.chunk.Tree.HasUnboundedAliases() {
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

// Refactor returns the edits of a refactoring at an offset, in spans of the file. They are verified:
// no comment is lost, no error is added, and if the refactoring promises so, cases mean the same. An
// error says why there are none.
func Refactor(a *analysis.Analysis, offset int, id string) ([]text.Edit, error) {
	ec := newEditContext(a, offset)
	all := allRefactorings()
	i := slices.IndexFunc(all, func(r refactoring) bool { return r.ID == id })
	if i < 0 || ec.chunk.Tree.HasUnboundedAliases() {
		return nil, fmt.Errorf("there is no refactoring `%s` here", shortLine(id))
	}
	switch reason, ok := all[i].applies(ec); {
	case !ok:
		return nil, errors.New("there is nothing here to change")
	case reason != "":
		return nil, errors.New(reason)
	}
	return ec.verifiedEdits(all[i])
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
		edits = placeEdits(ec.chunk, edits)
	}
	if err != nil {
		return nil, err
	}
	return edits, nil
}

// verify applies edits of the chunk and checks the result.
func (ec editContext) verify(edits []text.Edit, keeps bool) error {
	next, q, err := tryEdits(ec.file, ec.chunk, edits)
	switch {
	case err != nil:
		return err
	case !sameComments(ec.chunk.Tree, q.Tree):
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
	case countErrors(next) > countErrors(ec.file):
		return errors.New("the file would get a new error")
	}
	return nil
}

func countErrors(a *analysis.Analysis) (n int) {
	for _, d := range a.Diagnostics() {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// verifyWholeFile checks edits that must not change any value of a file.
func verifyWholeFile(a *analysis.Analysis, edits []text.Edit) error {
	next := applyEdits(a, edits)
	switch {
	case next.Tree().HasUnboundedAliases():
		return errors.New("the aliases would expand beyond the limit")
	case !sameValues(a.Tree(), next.Tree()):
		return errors.New("a value would change, or a comment would be lost")
	case countErrors(next) > countErrors(a):
		return errors.New("the file would get a new error")
	}
	return nil
}

// caseFingerprints returns the meaning of a chunk's cases; for the header, the text around the
// cases, that of all cases.
func caseFingerprints(a *analysis.Analysis, p *analysis.Chunk) (prints []string) {
	suite := p.Suite
	if _, alone := chunkSpan(a, p); !alone {
		suite = a.Suite()
	}
	for _, list := range [][]*rubric.Case{suite.Cases, suite.Skipped} {
		for _, c := range list {
			prints = append(prints, c.Fingerprint())
		}
	}
	return prints
}

// placeEdits translates edits of a chunk to edits of the file.
func placeEdits(p *analysis.Chunk, edits []text.Edit) []text.Edit {
	out := make([]text.Edit, len(edits))
	for i, e := range edits {
		out[i] = text.Edit{Span: p.ToFile(e.Span), New: e.New}
	}
	return out
}

// applyEdits returns the file after simultaneous edits.
func applyEdits(a *analysis.Analysis, edits []text.Edit) *analysis.Analysis {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(x, y text.Edit) int { return x.Span.Start - y.Span.Start })
	slices.Reverse(sorted) // from the end, so that no edit moves the next
	return a.Edit(sorted...)
}

var errOutsideCase = errors.New("the change would affect more than this case")

// tryEdits returns the file and chunk after edits of the chunk. It returns an error if the edits
// overlap or reach beyond the chunk.
func tryEdits(a *analysis.Analysis, p *analysis.Chunk, edits []text.Edit) (*analysis.Analysis, *analysis.Chunk, error) {
	body, err := text.Apply(p.Source.Body, edits)
	if err != nil {
		return nil, nil, err
	}
	next := applyEdits(a, placeEdits(p, edits))
	q := next.ChunkAt(p.ToFile(text.Span{}).Start)
	if q.Source.Body != body {
		return nil, nil, errOutsideCase
	}
	return next, q, nil
}

func sameComments(a, b *yaml.Tree) bool {
	return slices.EqualFunc(a.Comments, b.Comments, func(x, y yaml.Comment) bool { return x.Text == y.Text })
}

// sameValues reports whether two trees have the same comments and values, and b has no more problems
// than a.
func sameValues(a, b *yaml.Tree) bool { return sameComments(a, b) && sameContent(a, b) }

// sameContent is sameValues without comments.
func sameContent(a, b *yaml.Tree) bool {
	if len(b.Problems) > len(a.Problems) {
		return false
	}
	return slices.EqualFunc(a.Docs, b.Docs, func(x, y *yaml.Document) bool {
		return yaml.EncodeJSON(x.Root, "") == yaml.EncodeJSON(y.Root, "")
	})
}
