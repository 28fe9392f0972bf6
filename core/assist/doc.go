// Package assist answers what an editor asks about one file: what stands here,
// what could stand here, what it is worth, where it leads, what to change.
//
// A question is a function of an opened [analysis.Part] and an offset in it. Its
// answer is plain data with spans of that part, which [analysis.Part.Place] puts
// where they are in the file; so an answer takes as long in a file of one case
// as in one of ten thousand. What only a host knows arrives as a value or a
// function: the results of the last run, the names of targets, a folder's files.
// What goes beyond a part, like names that cases share and edits that are tried
// before they are given, takes the file's analysis, and has spans of the file.
//
// The package knows no editor and no protocol. It reads nothing, runs nothing
// and never fails: a text that is half typed has fewer answers, not none.
package assist
