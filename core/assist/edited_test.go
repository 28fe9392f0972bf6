package assist_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

// edited returns a file after simultaneous edits.
func edited(t *testing.T, a *analysis.Analysis, edits []text.Edit) *analysis.Analysis {
	t.Helper()
	body, err := text.Apply(a.Source().Body, edits)
	if err != nil {
		t.Fatal(err)
	}
	return a.Edit(text.Edit{Span: text.Span{End: a.Length()}, New: body})
}

// refactored returns a file after each refactoring at an offset, by refactoring id.
func refactored(t *testing.T, a *analysis.Analysis, offset int) map[string]*analysis.Analysis {
	t.Helper()
	all := map[string]*analysis.Analysis{}
	for _, r := range assist.Refactorings(a, offset) {
		edits, err := assist.Refactor(a, offset, r.ID)
		if (err == nil) == (len(edits) == 0) || r.DisabledReason != "" && err == nil {
			t.Errorf("%s at %d: %d edits, %v", r.ID, offset, len(edits), err)
		}
		if err == nil {
			all[r.ID] = edited(t, a, edits)
		}
	}
	return all
}
