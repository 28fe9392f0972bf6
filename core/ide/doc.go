// Package ide holds what an editor's features share: outcomes of the last run, and what a host
// supplies. Each feature is a subpackage that answers one kind of question, such as hover.
//
// Most questions are functions of a chunk of an analysis and an offset in it. Their answers have
// spans of that chunk, so the cost does not depend on the number of cases. Questions that cross
// chunks, such as references, and edits that are verified first, take the file's analysis and return
// spans of the file.
//
// The host supplies what a file does not contain, as values or functions: results of the last run,
// names of targets, directory listings.
//
// No package here does I/O or fails: a half-typed text has fewer answers, not none.
package ide
