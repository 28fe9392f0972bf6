package spell_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/spell"
)

func TestNearest(t *testing.T) {
	keys := []string{"expected_outcome", "expected_output", "weight", "id", "required", "input"}
	for word, want := range map[string]string{
		"wieght": "weight", "weigth": "weight", "Weight": "weight", "expectedOutcome": "expected_outcome", "expected-output": "expected_output",
		"requird": "required", "inputs": "input", "ID": "id", "note": "", "x": "", "": "", "rubric": "", strings.Repeat("w", 500): "",
	} {
		if got := spell.Nearest(word, keys); got != want {
			t.Errorf("%q is near %q, want %q", word, got, want)
		}
	}
	if got := spell.DidYouMean("wieght", keys); got != "; did you mean `weight`?" {
		t.Errorf("%q", got)
	}
	if got := spell.DidYouMean("zzz", keys); got != "" {
		t.Errorf("%q", got)
	}
}
