// a long sequential test, in which the race detector has nothing to find

//go:build !race

package api_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/wasm/api"
)

// TestRecent checks that earlier requests about a path do not change the answer about a text.
func TestRecent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"", "x", "é", "😀", "\n", "\r\n", "  ", "- ", ": ", "#", "'", "[", "    wieght: 1\n", "  - id: a\n", "evalcases:\n", "---\n", "&a ", "*a "}
	texts := []string{strings.Repeat(cachedFile, 3), cachedFile, strings.ReplaceAll(cachedFile, "\n", "\r\n"), "", `{"id":"x"}`}
	for n := range 600 {
		text := texts[random.IntN(len(texts))]
		at := random.IntN(len(text) + 1)
		to := min(len(text), at+random.IntN(8))
		if random.IntN(4) == 0 {
			to = at
		}
		text = strings.ToValidUTF8(text[:at]+pieces[random.IntN(len(pieces))]+text[to:], "�")
		texts[random.IntN(len(texts))] = text
		path := []string{"", "a.yaml", "b.jsonl", "c.eval.yaml", "d.yaml", "targets.yaml"}[random.IntN(6)]

		a := analysis.Of(analysis.Input{Path: path, Text: text})
		want, err := json.Marshal(api.NewCheckResult(a.Dialect(), a.Source(), a.Diagnostics()))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Result json.RawMessage }
		request, err := json.Marshal(map[string]any{"method": "check", "params": map[string]any{"text": text, "path": path}})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(api.Call(request), &got); err != nil {
			t.Fatal(err)
		}
		if again, _ := json.Marshal(got.Result); string(again) != string(want) {
			t.Fatalf("edit %d of %q\n%s\nwant\n%s", n, text, again, want)
		}
	}
}

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

// BenchmarkEdit measures the diagnostics after an edit of one case: with the text sent again, and
// in an open document.
func BenchmarkEdit(b *testing.B) {
	for _, cases := range []int{100, 1000} {
		body := manyCases(cases)
		b.Run(fmt.Sprintf("text/%d", cases), func(b *testing.B) {
			var requests [2][]byte
			for i, word := range []string{"50", "fifty"} {
				requests[i] = request(b, "check", map[string]any{"text": strings.Replace(body, "request 50", "request "+word, 1)})
			}
			for n := 0; b.Loop(); n++ {
				api.Call(requests[n%2])
			}
		})
		b.Run(fmt.Sprintf("document/%d", cases), func(b *testing.B) {
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
