package draft

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Combine is a file with several drafts of its cases, each of which has been
// tried by itself. An error says that the file is not what they make of it.
func Combine(a *analysis.Analysis, drafts []Draft) (*analysis.Analysis, error) {
	var edits []text.Edit
	for _, d := range drafts {
		edits = append(edits, d.Edits...)
	}
	slices.SortStableFunc(edits, func(x, y text.Edit) int { return cmp.Compare(y.Span.Start, x.Span.Start) }) // from the end on, so that none moves the next
	after := a.Edit(edits...)
	if !slices.EqualFunc(a.Tree().Comments, after.Tree().Comments, func(x, y yaml.Comment) bool { return x.Text == y.Text }) {
		return nil, errors.New("the drafts would change a comment together")
	}
	moved := 0
	for _, d := range slices.SortedFunc(slices.Values(drafts), func(x, y Draft) int { return cmp.Compare(x.Case.Span.Start, y.Case.Span.Start) }) {
		now := *d.Case
		now.Span = now.Span.Shift(moved)
		if at := findInsertedCase(after, &now); len(at.criteria) != len(d.Criteria) {
			return nil, fmt.Errorf("the draft for the case `%s` would not be read beside the others", d.Case.ID)
		}
		for _, e := range d.Edits {
			moved += len(e.New)
		}
	}
	if countErrors(after) > countErrors(a) {
		return nil, errors.New("the file would have a fault with all drafts together")
	}
	return after, nil
}

func countErrors(a *analysis.Analysis) (n int) {
	for _, d := range a.Diagnostics() {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}
