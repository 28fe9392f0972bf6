// Package spell suggests the intended word for a misspelled one.
package spell

import (
	"cmp"
	"strings"
)

// Nearest returns the candidate closest to word, or "" when none is close enough to be worth
// suggesting. Case and the separators "-", "_" and " " do not count as differences. A candidate may
// otherwise differ by at most a third of word's runes, rounded down.
func Nearest(word string, candidates []string) string {
	best, limit := "", len([]rune(word))/3+1
	folded := fold(word)
	for _, candidate := range candidates {
		if extra := foldedLength(candidate) - len(folded); extra >= limit || -extra >= limit {
			continue // each difference changes the length by at most one
		}
		if slips := distance(folded, fold(candidate), limit); slips < limit {
			best, limit = candidate, slips
		}
	}
	return best
}

// DidYouMean returns "; did you mean `…`?" for the nearest candidate, or "".
func DidYouMean(word string, candidates []string) string {
	return Suggestion(Nearest(word, candidates))
}

// Suggestion returns "; did you mean `…`?" for a name, or "" for "".
func Suggestion(name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean `" + name + "`?"
}

// DidYouMeanOr returns "; did you mean `…`?" for the nearest candidate. Without one it returns
// alternative after a semicolon.
func DidYouMeanOr(word string, candidates []string, alternative string) string {
	return cmp.Or(DidYouMean(word, candidates), "; "+alternative)
}

var separators = strings.NewReplacer("-", "", "_", "", " ", "")

func fold(word string) []rune { return []rune(strings.ToLower(separators.Replace(word))) }

// foldedLength returns the number of runes of fold(word) without allocating them.
func foldedLength(word string) (n int) {
	for _, r := range word {
		if r != '-' && r != '_' && r != ' ' {
			n++
		}
	}
	return n
}

// distance returns the optimal string alignment distance of a and b: insertions, deletions,
// substitutions and swaps of neighbours. It stops at limit. Words longer than any key count as
// entirely different.
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
			return nearest // later rows cannot be smaller: a swap reaches back one row and adds one
		}
		before, previous, row = previous, row, before
	}
	return previous[len(b)]
}

// IsSlip reports whether two names differ by one letter, by two swapped ones, or in case and separators only.
func IsSlip(a, b string) bool { return distance(fold(a), fold(b), 2) < 2 }

// SameLetters reports whether two names differ in case and separators only.
func SameLetters(a, b string) bool {
	return strings.EqualFold(separators.Replace(a), separators.Replace(b))
}
