// Package analysis gathers everything known about one file into one immutable
// value: its tree, what kind of file it is, what it means, and what is wrong
// with it. Every editor question, every report and every run starts from an
// [Analysis].
//
// Of is a pure function: the same input gives the same analysis, and nothing is
// read, run or remembered.
package analysis
