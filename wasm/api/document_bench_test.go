package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/wasm/api"
)

// manyCases returns a file with n cases.
func manyCases(n int) string {
	var text strings.Builder
	text.WriteString("evalcases:\n")
	for n := range n {
		fmt.Fprintf(&text, "  - id: case-%d\n    expected_outcome: Resolves request %[1]d\n    input: Question %[1]d\n    rubrics:\n"+
			"      - Greets the customer\n      - { id: refund, expected_outcome: Refunds order %[1]d, weight: 2 }\n", n)
	}
	return text.String()
}

func request(b *testing.B, method string, params map[string]any) []byte {
	line, err := json.Marshal(map[string]any{"method": method, "params": params})
	if err != nil {
		b.Fatal(err)
	}
	return line
}

// BenchmarkEdit measures the diagnostics after an edit of one case in an open document.
func BenchmarkEdit(b *testing.B) {
	for _, cases := range []int{100, 1000} {
		body := manyCases(cases)
		b.Run(fmt.Sprint(cases), func(b *testing.B) {
			api.Call(request(b, "open", map[string]any{"document": "x.yaml", "text": body}))
			line := strings.Count(body[:strings.Index(body, "request 50")], "\n")
			edit := request(b, "edit", map[string]any{"document": "x.yaml", "changes": []any{change(line, 31, line, 32, "5")}})
			diagnose := request(b, "diagnose", map[string]any{"document": "x.yaml"})
			for b.Loop() {
				api.Call(edit)
				api.Call(diagnose)
			}
			api.Call(request(b, "forget", map[string]any{"document": "x.yaml"}))
		})
	}
}
