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
	ID      string // stable
	Title   string // as a command to the editor, lower case, no final period
	Extract bool   // it makes something of its own of what is written in place
	Reason  string // why it cannot be had here; "" if it may
}

// refactoring is one that there is.
type refactoring struct {
	Refactoring
	keeps bool // what is graded remains the same
	// applies says whether it is for a spot at all, and if so, why it cannot be
	// had there; "" if it may.
	applies func(spot) (reason string, ok bool)
	edits   func(spot) ([]text.Edit, error) // in spans of the spot's part; of the file, if it is wide
	wide    bool                            // changes more than one part, and nothing of what the file says
}

// refactorings are all of them, in the order in which they are offered.
func refactorings() []refactoring {
	return slices.Concat(criterionRefactorings(), rangeRefactorings(), scaleRefactorings(), weightRefactorings(), extractRefactorings())
}

// Refactorings are those for an offset of a file. Nothing is tried yet.
func Refactorings(a *analysis.Analysis, offset int) (offered []Refactoring) {
	s := spotAt(a, offset)
	if s.part.Tree.Endless() {
		return nil
	}
	for _, r := range refactorings() {
		if reason, ok := r.applies(s); ok {
			r.Reason = reason
			offered = append(offered, r.Refactoring)
		}
	}
	return offered
}

// Refactor are the edits, in spans of the file, of a refactoring at an offset.
// They have been tried: no comment is lost, no fault is new, and what should mean
// the same as before does. An error says why there are none.
func Refactor(a *analysis.Analysis, offset int, id string) ([]text.Edit, error) {
	s := spotAt(a, offset)
	all := refactorings()
	i := slices.IndexFunc(all, func(r refactoring) bool { return r.ID == id })
	if i < 0 || s.part.Tree.Endless() {
		return nil, fmt.Errorf("there is no refactoring `%s` for this text", shortLine(id))
	}
	switch reason, ok := all[i].applies(s); {
	case !ok:
		return nil, errors.New("there is nothing here that this could change")
	case reason != "":
		return nil, errors.New(reason)
	}
	return s.proved(all[i])
}

// proved are the edits of a refactoring, in spans of the file.
func (s spot) proved(r refactoring) ([]text.Edit, error) {
	edits, err := r.edits(s)
	switch {
	case err != nil:
	case r.wide:
		err = proveWide(s.in, edits)
	default:
		err = s.prove(edits, r.keeps)
		edits = placed(s.part, edits)
	}
	if err != nil {
		return nil, err
	}
	return edits, nil
}

// prove tries edits of the spot's part.
func (s spot) prove(edits []text.Edit, keeps bool) error {
	next, q, err := tried(s.in, s.part, edits)
	switch {
	case err != nil:
		return err
	case !sameComments(s.part.Tree, q.Tree):
		return errors.New("a comment would be lost")
	case len(q.Tree.Problems) > len(s.part.Tree.Problems):
		return errors.New("the text could not be read any more")
	}
	before, now := meaning(s.in, s.part), meaning(next, q)
	switch {
	case len(before) != len(now):
		return errors.New("a case would be lost")
	case keeps && !slices.Equal(before, now):
		return errors.New("something else would be graded")
	case faults(next) > faults(s.in):
		return errors.New("the text would have a new fault")
	}
	return nil
}

// faults is how many errors a file has.
func faults(a *analysis.Analysis) (n int) {
	for _, d := range a.Diagnostics() {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// proveWide tries edits of a file that change nothing of what it says.
func proveWide(a *analysis.Analysis, edits []text.Edit) error {
	next := after(a, edits)
	switch {
	case next.Tree().Endless():
		return errors.New("the aliases would unfold to more than is read")
	case !sameValues(a.Tree(), next.Tree()):
		return errors.New("something else would be said, or a comment lost")
	case faults(next) > faults(a):
		return errors.New("the text would have a new fault")
	}
	return nil
}

// meaning is what a part says of its cases; what stands around them says it of
// all.
func meaning(a *analysis.Analysis, p *analysis.Part) (prints []string) {
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
