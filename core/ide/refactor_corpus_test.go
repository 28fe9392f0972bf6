// Slow and sequential: the race detector makes it ten times slower and has nothing to find.

//go:build !race

package ide_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// keeping are the refactorings that preserve meaning.
var keeping = []string{"criterion-to-mapping", "criterion-to-text", "ranges-to-list", "ranges-to-mapping", "extract-rubric"}

func fingerprints(a *analysis.Analysis) (all []string) {
	for _, c := range a.Suite().Cases {
		all = append(all, c.Fingerprint())
	}
	return all
}

// TestRefactorCorpus checks that every offered refactoring applies or gives a reason, keeps all
// comments, and preserves meaning if it promises to.
func TestRefactorCorpus(t *testing.T) {
	done := map[string]int{}
	corpus(t, func(t *testing.T, a *analysis.Analysis) {
		var criteria []text.Span
		visitCriteria(fileSymbols(a), func(s ide.DocumentSymbol) { criteria = append(criteria, spanOf(a, s.SelectionRange)) })
		for i := 0; i < len(criteria); i += 1 + len(criteria)/60 {
			for id, after := range refactored(t, a, criteria[i].Start) {
				done[id]++
				if slices.Contains(keeping, id) && !slices.Equal(fingerprints(a), fingerprints(after)) {
					t.Errorf("%s at %d: the grading changes", id, criteria[i].Start)
				}
				if len(after.Tree().Comments) != len(a.Tree().Comments) || len(after.Suite().Cases) != len(a.Suite().Cases) {
					t.Errorf("%s at %d: a comment or a case is lost", id, criteria[i].Start)
				}
			}
		}
	})
	t.Log(done)
	for _, id := range []string{"criterion-to-mapping", "ranges-to-list", "scale-criterion", "scale-rubric", "weights-to-one", "weights-to-whole", "weights-even"} {
		if done[id] == 0 {
			t.Errorf("%s was never offered", id)
		}
	}
}

func visitCriteria(all []ide.DocumentSymbol, visit func(ide.DocumentSymbol)) {
	for _, s := range all {
		if symbolKinds[s.Kind] == "criterion" {
			visit(s)
		}
		visitCriteria(s.Children, visit)
	}
}

// TestRefactorThereAndBack checks that converting a criterion or ranges and back restores the bytes.
func TestRefactorThereAndBack(t *testing.T) {
	for _, c := range []struct{ there, back, criterion string }{
		{"criterion-to-mapping", "criterion-to-text", "- Says: it"}, {"criterion-to-mapping", "criterion-to-text", "- Says so # why"},
		{"criterion-to-text", "criterion-to-mapping", "- expected_outcome: 'It''s so'"},
		{"ranges-to-list", "ranges-to-mapping", "- expected_outcome: X\n        score_ranges:\n          0: Bad # b\n          # above\n          5: Good"},
		{"ranges-to-mapping", "ranges-to-list", "- { expected_outcome: X, score_ranges: [{ score_range: [0, 4], expected_outcome: A }, { score_range: [5, 10], expected_outcome: B }] }"},
	} {
		body := "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    rubrics:\n      " + c.criterion + "\n      - Other\n"
		a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body})
		at := len(body) - len(c.criterion+"\n      - Other\n") + len("- ")
		there := refactored(t, a, at)[c.there]
		if c.criterion == "- Says: it" { // which is a mapping already
			if there != nil {
				t.Error("a mapping became one")
			}
			continue
		}
		if there == nil {
			t.Errorf("%s: %q", c.there, c.criterion)
			continue
		}
		back := refactored(t, there, at)[c.back]
		if back == nil || back.Source().Body != body {
			t.Errorf("%s and back: %q\n%s", c.there, c.criterion, there.Source().Body)
		}
	}
}

// TestMigrateCorpus checks that migration changes only names, and that files of the older version
// become files of the later one.
func TestMigrateCorpus(t *testing.T) {
	migrated := 0
	corpus(t, func(t *testing.T, a *analysis.Analysis) {
		for _, to := range []agentv.Version{agentv.Seed, agentv.V4, agentv.Head} {
			edits, left, err := action.Migrate(a, to)
			if err != nil {
				continue
			}
			migrated++
			after := edited(t, a, edits)
			if len(after.Tree().Comments) != len(a.Tree().Comments) || len(after.Tree().Problems) > len(a.Tree().Problems) {
				t.Errorf("to %s: a comment is lost, or the text is broken", to)
			}
			if to == agentv.V4 && a.Role() == agentv.Eval && len(a.Suite().Cases) > 0 && (after.Version() != to || len(left) == 0 && len(after.Suite().Cases) != len(a.Suite().Cases)) {
				t.Errorf("to %s: is %s, with %d of %d cases", to, after.Version(), len(after.Suite().Cases), len(a.Suite().Cases))
			}
		}
	})
	if migrated < 20 {
		t.Errorf("%d files", migrated)
	}
}

// TestExtractWithinBudget checks that a rubric is not extracted if its aliases would exceed the
// expansion limit.
func TestExtractWithinBudget(t *testing.T) {
	for _, c := range []struct {
		cases int
		err   string
	}{{20, ""}, {2 * yaml.MaxExpandedNodes / 100, "the aliases would expand beyond the limit"}} {
		body := "evalcases:\n"
		for i := range c.cases {
			body += fmt.Sprintf("  - id: c%d\n    expected_outcome: O\n    input: Q\n    rubrics:\n%s", i, strings.Repeat("      - Says so\n", 100))
		}
		a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body})
		edits, err := action.Refactor(a, strings.Index(body, "Says"), "extract-rubric")
		switch {
		case c.err == "" && (err != nil || len(edits) != c.cases):
			t.Errorf("%d cases: %d edits, %v", c.cases, len(edits), err)
		case c.err != "" && (err == nil || err.Error() != c.err):
			t.Errorf("%d cases: %v", c.cases, err)
		}
	}
}
