// Package assist answers an editor's questions about one file: hover, completion, navigation,
// outline, refactoring and more.
//
// Most questions are functions of a chunk of an analysis and an offset in it. Their answers have
// spans of that chunk, so the cost does not depend on the number of cases. Questions that cross
// chunks, such as references, and edits that are verified first, take the file's analysis and return
// spans of the file.
//
// The host supplies what a file does not contain, as values or functions: results of the last run,
// names of targets, directory listings.
//
// The package knows no protocol. It does no I/O and never fails: a half-typed text has fewer
// answers, not none.
package assist
