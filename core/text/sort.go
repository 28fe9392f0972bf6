package text

import "sort"

// SortStable sorts a list and keeps equal items in order. compare returns a negative number if a
// comes first. It is compiled once, and the stable sort of package slices once for each type of
// item, in 8 kB: too much for the evaluator that a browser loads.
func SortStable[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
