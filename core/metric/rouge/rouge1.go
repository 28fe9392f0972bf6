package rouge

import "iter"

// Score is the overlap of a candidate with a reference, each number 0–1.
type Score struct {
	Precision float64 // share of the candidate's words that the reference has
	Recall    float64 // share of the reference's words that the candidate has
	F         float64 // their harmonic mean; 0 if either text has no words
}

// Rouge1 returns the ROUGE-1 score of a candidate, with both texts tokenized by tokenize. A
// word counts as often as it occurs in both texts.
func Rouge1(tokenize func(text string) iter.Seq[[]byte], candidate, reference string) Score {
	remaining := countWords(tokenize(reference), len(reference))
	given, shared := 0, 0
	for word := range tokenize(candidate) {
		given++
		if i, ok := remaining.index[string(word)]; ok && remaining.counts[i] > 0 {
			remaining.counts[i]--
			shared++
		}
	}
	if shared == 0 {
		return Score{}
	}
	s := Score{Precision: float64(shared) / float64(given), Recall: float64(shared) / float64(remaining.total)}
	s.F = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	return s
}

// A bag counts how often each word occurs in a text.
type bag struct {
	total  int
	index  map[string]int // of a word in counts
	counts []int
}

// countWords counts words. It joins them into one string first, so that the keys share one
// allocation.
func countWords(words iter.Seq[[]byte], size int) bag {
	text, ends := make([]byte, 0, size), make([]int, 0, size/5)
	for word := range words {
		text = append(text, word...)
		ends = append(ends, len(text))
	}
	joined, start := string(text), 0
	b := bag{len(ends), make(map[string]int, len(ends)), make([]int, 0, len(ends))}
	for _, end := range ends {
		i, ok := b.index[joined[start:end]]
		if !ok {
			i = len(b.counts)
			b.index[joined[start:end]] = i
			b.counts = append(b.counts, 0)
		}
		b.counts[i]++
		start = end
	}
	return b
}
