// Package hover documents a place: what a key means, what a criterion is worth, how the last run graded it.
package hover
