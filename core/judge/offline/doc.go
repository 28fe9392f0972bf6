// Package offline is a deterministic judge that needs no model: a stand-in for
// a first run without an account, and for tests.
//
// It looks for evidence of each criterion in the submission: the words of the
// criterion, stemmed; its numbers; what it quotes or sets in backticks; and the
// few things that can be measured, such as a number of words or valid JSON. A
// criterion that forbids something is satisfied where that is absent. The
// reasoning names what was found and what was missed.
//
// It understands nothing. Whoever shows its verdicts shows [Notice] beside
// them.
package offline
