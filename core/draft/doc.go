// Package draft proposes criteria for a case that has an expected outcome and no
// rubric, and writes them into the file as edits that only insert.
//
// It builds the question for a judge, reads the reply strictly, says where in
// the text the criteria go and in which style, and checks the result before
// anyone sees it: the edited text is read again, and unless every other value
// and every comment is what it was, there is no edit but an error.
//
// It asks no model itself and writes no file; it never changes a byte that the
// user wrote.
package draft
