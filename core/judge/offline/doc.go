// Package offline is a deterministic judge that needs no model: a stand-in for
// a first run without an account, and for tests.
//
// It takes a criterion apart and looks for each piece in the submission:
//
//   - words, by their stems and a few synonyms; small words and words for saying
//     something do not count, and scripts without spaces go by pairs of characters
//   - numbers, which have to be there, and before the same unit if one follows
//   - what is quoted or set in backticks, which has to be there literally, or but
//     for case and white space
//   - what can be measured: a length, valid JSON, a list, a table, a question …
//   - what must not be there ("does not mention", "never", "without"), satisfied
//     where no sentence holds it
//
// A criterion is satisfied if more than half of its weight was found and nothing
// that has to be there is missing. On the scale of 0 to 10 what is satisfied
// gets 7 or more, 10 if all was found, and what is not gets 6 or less, by the
// share that was found. A score that lies in none of the criterion's bands moves
// to the nearest one that does, of two the lower. An empty submission satisfies
// nothing, not even what forbids something. A criterion of bands with a text of
// one word, or none, is judged by what its highest band says.
//
// It understands nothing: a paraphrase is missed, and the right words in a wrong
// sentence pass. Every reasoning says so, and whoever shows its verdicts shows
// [Notice] beside them. It never asks anyone, reads a clock or keeps a state.
package offline
