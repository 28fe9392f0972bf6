package ide_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide/action"
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
	for _, r := range action.Refactorings(a, offset) {
		edits, err := action.Refactor(a, offset, r.ID)
		if (err == nil) == (len(edits) == 0) || r.DisabledReason != "" && err == nil {
			t.Errorf("%s at %d: %d edits, %v", r.ID, offset, len(edits), err)
		}
		if err == nil {
			all[r.ID] = edited(t, a, edits)
		}
	}
	return all
}

// weighted returns a file with a rubric of these weights.
func weighted(weights []float64) (a *analysis.Analysis, at int) {
	body := "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    rubrics:\n"
	at = len(body) + len("      - ")
	for i, w := range weights {
		body += fmt.Sprintf("      - { id: c%d, expected_outcome: C%d, weight: %s }\n", i, i, strconv.FormatFloat(w, 'f', -1, 64))
	}
	return analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body}), at
}

func weightsIn(a *analysis.Analysis) (weights []float64, total float64) {
	for _, c := range a.Suite().Cases[0].Graders[0].Criteria {
		weights, total = append(weights, c.Weight), total+c.Weight
	}
	return weights, total
}

// TestWeights checks random weights: scaled to 1 they sum to exactly 1 and none vanishes; integers
// keep the shares; equal weights keep the sum.
func TestWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		var weights []float64
		for range 2 + random.IntN(6) {
			weights = append(weights, float64(random.IntN(60))/4)
		}
		a, at := weighted(weights)
		_, total := weightsIn(a)
		after := refactored(t, a, at)
		if one := after["weights-to-one"]; one != nil {
			scaled, sum := weightsIn(one)
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%v: %v sum up to %v", weights, scaled, sum)
			}
			for i := range scaled {
				if (scaled[i] == 0) != (weights[i] == 0) || math.Abs(scaled[i]-weights[i]/total) > 0.01 {
					t.Errorf("%v: %v", weights, scaled)
				}
			}
		}
		if whole := after["weights-to-whole"]; whole != nil {
			scaled, sum := weightsIn(whole)
			for i := range scaled {
				if scaled[i] != math.Trunc(scaled[i]) || math.Abs(scaled[i]/sum-weights[i]/total) > 1e-12 {
					t.Errorf("%v: %v", weights, scaled)
				}
			}
		}
		if even := after["weights-even"]; even != nil {
			scaled, sum := weightsIn(even)
			if scaled[0] != scaled[1] || math.Abs(sum-total) > 1e-3 {
				t.Errorf("%v: %v", weights, scaled)
			}
		}
	}
}

// TestRefactorLineBreaks checks that refactorings use the line breaks of the file.
func TestRefactorLineBreaks(t *testing.T) {
	body := strings.ReplaceAll("evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    rubrics:\n      - States it and explains it\n"+
		"      - id: b\n        expected_outcome: B\n        score_ranges:\n          0: Bad # b\n          5: Good\n", "\n", "\r\n")
	a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body})
	done := 0
	for _, at := range []int{strings.Index(body, "States"), strings.Index(body, "Bad")} {
		for id, after := range refactored(t, a, at) {
			done++
			if now := after.Source().Body; strings.Contains(strings.ReplaceAll(now, "\r\n", ""), "\n") {
				t.Errorf("%s: %q", id, now)
			}
		}
	}
	if done < 4 {
		t.Errorf("only %d refactorings", done)
	}
}
