package rouge

import "iter"

// Score is how much a candidate shares with a reference, each number 0–1.
type Score struct {
	Precision float64 // of the candidate's words, how many the reference has
	Recall    float64 // of the reference's words, how many the candidate has
	F         float64 // their harmonic mean; 0 when either text has no words
}

// One is the ROUGE-1 score of a candidate, both texts cut into words by cut. A
// word counts as often as it stands in the text that has it less often.
func One(cut func(text string) iter.Seq[[]byte], candidate, reference string) Score {
	place := map[string]int{} // of a word in left
	var left []int            // how often the reference has it that the candidate has not had
	wanted, given, shared := 0, 0, 0
	for word := range cut(reference) {
		wanted++
		i, ok := place[string(word)]
		if !ok {
			i = len(left)
			place[string(word)] = i
			left = append(left, 0)
		}
		left[i]++
	}
	for word := range cut(candidate) {
		given++
		if i, ok := place[string(word)]; ok && left[i] > 0 {
			left[i]--
			shared++
		}
	}
	if shared == 0 {
		return Score{}
	}
	s := Score{Precision: float64(shared) / float64(given), Recall: float64(shared) / float64(wanted)}
	s.F = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	return s
}
