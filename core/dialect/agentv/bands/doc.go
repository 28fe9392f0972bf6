// Package bands reads the score ranges of a criterion, as a list or as a map
// from the lowest score of each range to its text, in every version of the
// dialect: the versions differ in the key under which a list's entry has its
// text.
//
// [Read] takes what it can, as loaders do for a case's own rubric; [Refused] is
// what they refuse anywhere else.
package bands
