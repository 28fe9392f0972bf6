package metric

import (
	"context"

	"github.com/rubric-ls/rubric/core/metric/rouge"
)

// measureResponse is the ROUGE-1 F score of the answer against the expected one;
// an answer that is missing has no words.
func measureResponse(_ context.Context, e evaluation, t turn) (InvocationResult, error) {
	words := rouge.UnicodeWords
	if e.isV2() {
		words = rouge.ASCIIWords
	}
	actual, _ := t.actual.Answer(false)
	expected, _ := t.expected.Answer(false)
	return InvocationResult{Score: number(rouge.Rouge1(words, actual, expected).F)}, nil
}
