// Package analysis gathers everything known about one file into one immutable
// value: what kind of file it is, what it means, and what is wrong with it.
// Every editor question, every report and every run starts from an [Analysis].
//
// A file with a list of cases is divided: each case is a piece that is parsed,
// lowered and checked by itself, beside the rest of the file, its frame. After
// an edit only the pieces that it touched are looked at again; what rules say
// of several cases at once is kept per piece and settled over all of them. An
// edited file's analysis is the one that its text would be given anew, since
// both divide it alike. What cannot be told apart in this way (flow style,
// several documents, cases that repeat each other's anchors) is one piece. The cases
// of ADK's evalsets and result files are told apart by their lines, as indented JSON
// has them, or by their brackets, as minified JSON; a file in which only some share a
// line is one piece, and so are ADK's others.
//
// A piece's spans are those of its own text, and those of the frame lie from
// [text.Far] on, so that nothing in it changes when something moves it. Its
// tree is not kept: it is made again where it is asked for.
//
// Of is a pure function: nothing is read or run, and the same input gives the
// same analysis.
package analysis
