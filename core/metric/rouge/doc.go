// Package rouge compares two texts by the words that they share: ROUGE-1, as
// the response_match_score of ADK measures it.
//
// A text is cut into words in one of two ways: [ASCII], that of the rouge-score
// library and of ADK 2.0, which knows no letters but a to z, and [Unicode], that
// of ADK since 2.6. English words are stemmed by Porter's algorithm with the
// changes that NLTK made to it ([Stem]); the common Go ports have the published
// algorithm or its successor, which cut other stems, and so other scores.
//
// Time and memory are linear in the texts.
package rouge
