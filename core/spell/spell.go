// Package spell finds the word that was meant.
package spell

import (
	"cmp"
	"strings"
)

// Nearest is the word among some that is nearest to one that is not among them:
// the same but for case and separators, or a few slips away. It is "" when none
// is near enough to be worth a guess.
func Nearest(word string, candidates []string) string {
	best, limit := "", len([]rune(word))/3+1
	folded := fold(word)
	for _, candidate := range candidates {
		if extra := foldedLength(candidate) - len(folded); extra >= limit || -extra >= limit {
			continue // each slip changes the length by one at most
		}
		if slips := distance(folded, fold(candidate), limit); slips < limit {
			best, limit = candidate, slips
		}
	}
	return best
}

// DidYouMean is "; did you mean `…`?" for the nearest word, or "".
func DidYouMean(word string, candidates []string) string {
	if nearest := Nearest(word, candidates); nearest != "" {
		return "; did you mean `" + nearest + "`?"
	}
	return ""
}

// DidYouMeanOr is "; did you mean `…`?" for the nearest word; if none is near it is what
// there is, after a semicolon: a question is the end of a sentence.
func DidYouMeanOr(word string, candidates []string, alternative string) string {
	return cmp.Or(DidYouMean(word, candidates), "; "+alternative)
}

var separators = strings.NewReplacer("-", "", "_", "", " ", "")

func fold(word string) []rune { return []rune(strings.ToLower(separators.Replace(word))) }

// foldedLength returns the length of a folded word, without folding it.
func foldedLength(word string) (n int) {
	for _, r := range word {
		if r != '-' && r != '_' && r != ' ' {
			n++
		}
	}
	return n
}

// distance counts the letters to insert, leave out, change or swap with their
// neighbour, up to least. Words longer than any key are all equally far away.
func distance(a, b []rune, limit int) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return max(len(a), len(b))
	}
	var rows [3][longest + 1]int
	before, previous, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		previous[j] = j
	}
	for i := range a {
		row[0] = i + 1
		nearest := row[0]
		for j := range b {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(previous[j]+change, previous[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			nearest = min(nearest, row[j+1])
		}
		if nearest >= limit {
			return nearest // no later row is less: a swap reaches back one row and adds one
		}
		before, previous, row = previous, row, before
	}
	return previous[len(b)]
}
