// Package rouge compares two texts by their common words: ROUGE-1, as in ADK's
// response_match_score.
//
// There are two tokenizers. [ASCIIWords] is that of the rouge-score library and of ADK 2.0, and
// knows only the letters a to z. [UnicodeWords] is that of ADK since 2.6. English words are stemmed
// by Porter's algorithm with NLTK's changes ([Stem]). The common Go ports implement the published
// algorithm or its successor, which give other stems and so other scores.
//
// Time and memory are linear in the texts.
package rouge
