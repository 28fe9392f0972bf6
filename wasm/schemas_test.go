//go:build !race

package main_test

import (
	"strings"
	"testing"
)

// TestSchemas checks that rubric.wasm applies the schema of an open document, again after a
// change, and reports why it cannot.
func TestSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	g := start(t)
	ask := g.ask
	open := func(name, text string) string {
		return ask("open", map[string]any{"document": name, "text": text, "together": true})
	}
	open("/house.json", "{}")
	open("/a.eval.yaml", "# yaml-language-server: $schema=house.json\nevalcases:\n  - id: a\n    expected_outcome: O\n    input: q\nmetadata: "+strings.Repeat("{a: ", 60)+"1"+strings.Repeat("}", 60)+"\n")
	for _, c := range []struct{ schema, says string }{
		{`{"properties":{"evalcases":{"items":{"required":["note"]}}}}`, "`note` is missing"},
		{`{"properties":{"evalcases":{"minItems":2}}}`, "array must have at least 2 items"},
		{`{"$ref":"#"}`, "the schema `house.json` is not applied: the schema at `#` applies itself to the same value without end"},
		{`{"anyOf":[{"additionalProperties":{"$ref":"#"},"required":["b"]},{"additionalProperties":{"$ref":"#"}}]}`,
			"the schema `house.json` is not applied: it takes too long to apply: its alternatives multiply from level to level"},
		{`{`, "the schema `house.json` is not applied: line 1 of it: "},
		{"{}" + strings.Repeat(" ", 4<<20), "the schema `house.json` is not applied: it is not a regular file of up to 4 MiB"},
	} {
		if affected := open("/house.json", c.schema); !strings.Contains(affected, "/a.eval.yaml") {
			t.Errorf("affected: %s", affected)
		}
		if got := ask("diagnose", map[string]any{"document": "/a.eval.yaml"}); !strings.Contains(got, c.says) {
			t.Errorf("%.80s: %s", c.schema, got)
		}
	}
	for reference, says := range map[string]string{
		"gone.json":   "no such file or folder",
		"/house.json": "it is not a relative path",
		`\house.json`: "it is not a relative path",
	} {
		open("/a.eval.yaml", "# yaml-language-server: $schema="+reference+"\nevalcases: []\n")
		if got := ask("diagnose", map[string]any{"document": "/a.eval.yaml"}); !strings.Contains(got, "is not applied: "+says) {
			t.Errorf("%s: %s", reference, got)
		}
	}
	const graded = "tests:\n  - id: a\n    criteria: O\n    input: q\n    expected_output: '{}'\n    assert: [{type: is-json, value: {required: [n]}}]\n"
	if got := ask("run", map[string]any{"text": graded, "path": "a.eval.yaml", "case": "a"}); !strings.Contains(got, "\"misses\":[\"`n` is missing\"]") {
		t.Errorf("a grader's: %s", got)
	}
	if got := ask("version", nil); strings.Contains(got, "wholeWanted") {
		t.Errorf("%s", got)
	}
}
