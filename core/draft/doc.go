// Package draft proposes criteria for a case that has none, and writes them into
// its file as edits that only insert.
//
// It builds the question for a judge, reads the reply strictly and says what is
// wrong with it; or it takes a case's own statements, for which nobody is asked.
// It says where in the text the criteria go, in the words of the file's version
// and in the file's own style, and checks the result before anyone sees it: the
// edited text is analysed, and unless every other value, every comment and every
// other grader is what it was, there is no edit but an error. What a rule would
// have something to say of is left out, and said to be.
//
// It asks no model itself and writes no file; it never changes a byte that the
// user wrote.
package draft
