package overlap_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/metric/overlap"
)

// TestEditDistance has the example that textbooks give, and a letter beyond 16 bits.
func TestEditDistance(t *testing.T) {
	if n := overlap.EditDistance("kitten", "sitting"); n != 3 {
		t.Errorf("%d edits", n)
	}
	if n := overlap.EditDistance("a👍", "a"); n != 2 {
		t.Errorf("%d edits of two units", n)
	}
}

// TestTreeBankWords has the examples of NLTK's documentation.
func TestTreeBankWords(t *testing.T) {
	for text, want := range map[string]string{
		"They'll save and invest more.": "They 'll save and invest more .",
		"hi, my name can't hello,":      "hi , my name ca n't hello ,",
	} {
		if got := strings.Join(overlap.TreeBankWords(text), " "); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestBleuAndGleu: four words of five have the penalty e^(1-5/4); of ten sequences six are in three words.
func TestBleuAndGleu(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{overlap.Bleu("a b c d", []string{"a b c d e"}), math.Exp(-0.25)},
		{overlap.Bleu("a b c d", []string{"x", "A b c d"}), 1},
		{overlap.Bleu(" ", []string{"a"}), 0},
		{overlap.Gleu("a b c d.", []string{"a b c", "x"}), 0.6},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%v instead of %v", c.got, c.want)
		}
	}
}
