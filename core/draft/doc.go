// Package draft proposes criteria for a case that has none, and writes them into its file.
//
// Criteria come from a judge's reply ([AskCriteria]), or without a judge from the statements of the
// case's expected outcome ([Statements]). [Write] inserts them in the notation of the file's version
// and in the file's own style.
//
// Every edit is verified before it is returned: the edited text is analysed again. If another value,
// comment or grader would change, the result is an error. Criteria that a rule objects to are left
// out, with a note.
//
// The package writes no file. Its edits only insert text, or replace an empty `rubrics`.
package draft
