// Package generic has functions over any type that the standard library lacks.
package generic

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"sync"
)

// SortStable sorts a list and keeps equal items in order. compare returns a negative number if a
// comes first. It is compiled once, and the stable sort of package slices once for each type of
// item, in 8 kB: too much for the evaluator that a browser loads.
func SortStable[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

// AppendNew appends the elements that a list does not have.
func AppendNew[T comparable](list []T, more ...T) []T {
	for _, one := range more {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}

// Map returns what f returns for each element, or nil for none. For structs of several words a loop
// is smaller: each use is compiled by itself into the evaluator that a browser loads.
func Map[T, R any](list []T, f func(T) R) []R {
	if len(list) == 0 {
		return nil
	}
	all := make([]R, len(list))
	for i, one := range list {
		all[i] = f(one)
	}
	return all
}

// OrZero returns what p points to, or zero.
func OrZero[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// AddKnown adds numbers of which nil is unknown. It returns nil if both are.
func AddKnown[N int | float64](a, b *N) *N {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return new(*a + *b)
}

// Lookups remembers what Find, or a function in its place, returns for each key. Several goroutines may look up at once and
// see the same.
type Lookups[K comparable, V any] struct {
	Find  func(K) V
	mu    sync.Mutex
	known map[K]V
}

// Get returns what Find returned for a key.
func (l *Lookups[K, V]) Get(key K) V { return l.GetOr(key, func() V { return l.Find(key) }) }

// GetOr returns what find, or a function before it, returned for a key.
func (l *Lookups[K, V]) GetOr(key K, find func() V) V {
	l.mu.Lock()
	defer l.mu.Unlock()
	value, known := l.known[key]
	if !known {
		value = find()
		if l.known == nil {
			l.known = map[K]V{}
		}
		l.known[key] = value
	}
	return value
}

// All returns what was looked up.
func (l *Lookups[K, V]) All() map[K]V {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.known)
}
