package rouge

import "iter"

// Score is the overlap of a candidate with a reference, each number 0–1.
type Score struct {
	Precision float64 // share of the candidate's words that the reference has
	Recall    float64 // share of the reference's words that the candidate has
	F         float64 // their harmonic mean; 0 if either text has no words
}

// Rouge1 returns the ROUGE-1 score of a candidate, with both texts tokenized by tokenize. A word
// counts as often as it occurs in both texts.
func Rouge1(tokenize func(text string) iter.Seq[[]byte], candidate, reference string) Score {
	remaining, total := map[string]int{}, 0
	for word := range tokenize(reference) {
		remaining[string(word)]++
		total++
	}
	given, shared := 0, 0
	for word := range tokenize(candidate) {
		given++
		if remaining[string(word)] > 0 {
			remaining[string(word)]--
			shared++
		}
	}
	if shared == 0 {
		return Score{}
	}
	s := Score{Precision: float64(shared) / float64(given), Recall: float64(shared) / float64(total)}
	s.F = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	return s
}
