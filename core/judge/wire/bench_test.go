package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/wire"
)

// BenchmarkCompose is what a request costs before it is sent: of cases whose criteria
// have the same ids, and of cases whose criteria have ids of their own.
func BenchmarkCompose(b *testing.B) {
	for _, ids := range []string{"alike", "apart"} {
		b.Run(ids, func(b *testing.B) {
			q := judge.Question{System: "You are an examiner.", User: strings.Repeat("A line of the question.\n", 50)}
			for i := range b.N {
				id := 0
				if ids == "apart" {
					id = i
				}
				q.Schema = fmt.Appendf(nil, `{"type":"object","properties":{"id":{"enum":["a%d","b%d","c"]},"score":{"type":"integer"}}}`, id, id)
				if _, err := wire.OpenAI.Encode(wire.Model{Name: "m"}, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
