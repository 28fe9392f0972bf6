package api_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestReport checks that runs are shown as a page, and that records of changed cases are counted.
func TestReport(t *testing.T) {
	text := "evalcases:\n  - id: a\n    expected_outcome: Greets\n    input: Hi\n    expected_output: Hello\n    rubrics: [Says hello, Says <b>]\n"
	call(t, "open", map[string]any{"document": "r", "path": "r.eval.yaml", "text": text})
	defer call(t, "forget", map[string]any{"document": "r"})
	result := call(t, "run", map[string]any{"document": "r", "case": "a", "judge": "editor", "samples": 3})
	questions, _ := at(result, "result", "questions").([]any)
	if len(questions) != 3 {
		t.Fatalf("%d questions for three samples", len(questions))
	}
	record := at(call(t, "run", map[string]any{"document": "r", "case": "a"}), "result", "record")
	report := func() any {
		return call(t, "report", map[string]any{"document": "r", "name": "r", "records": []any{record}})["result"]
	}
	page := fmt.Sprint(at(report(), "html"))
	for _, part := range []string{"<h1>0 of 1 passed</h1>", "Says &lt;b&gt;", "offline"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if at(report(), "stale") != 0.0 || at(report(), "totals", "cases") != 1.0 {
		t.Errorf("%v", at(report(), "totals"))
	}
	call(t, "edit", map[string]any{"document": "r", "changes": []any{map[string]any{"text": strings.Replace(text, "Hello", "Hi", 1)}}})
	if at(report(), "stale") != 1.0 {
		t.Error("a record of another answer is not stale")
	}
}
