package analysis_test

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// yamlSnippets are what people type into eval files, and what breaks them.
var yamlSnippets = []string{
	"x", " ", "\n", "  ", "- ", ":", "\"", "'", "#", "\t", "|\n", "[", "]", "{", "}", "&a ", "*a", "---\n", "\r\n", "é", "😀", "\u2028",
	"  - id: new\n    expected_outcome: O\n    input: Q\n", "  # a comment\n", "# rubric: ignore duplicate-case-id -- meant\n", "rubrics:", "evalcases:\n",
	"tests:\n", "    vars: { a: b }\n", "description: d\n", "case-1", "    rubrics: *a\n", "    rubrics: &a [Says it]\n", "execution: { evaluators: [{ name: x, type: nope }] }\n",
	"  - vars: { question: x }\n    assert: [{ type: llm-rubric, value: 'Names {{ a }}' }, { type: not-human }]\n", "defaultTest: { options: { provider: echo } }\n", "scenarios: []\n",
	"    assert: [{ $ref: '#/x-a' }]\n", "# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json\n", "    id: a\n", "derivedMetrics: [{ name: a, value: b }]\n",
}

// jsonSnippets are what people type into evalsets, and what breaks them.
var jsonSnippets = []string{
	"x", " ", "\n", "  ", "\"", "{", "}", "[", "]", ",", ":", "\\", "// a comment\n", "/* one */", "/*\n", "*/", "\r\n", "é", "😀", "\t",
	"    {\n      \"eval_id\": \"new\",\n      \"conversation\": []\n    },\n", "    // rubric: ignore duplicate-case-id -- meant\n", "  ],\n", "\"eval_cases\": [\n",
	"case_1", "lookup_balance", "      \"rubrics\": [{\"rubric_id\": \"amount\"}],\n", "    { \"eval_id\": \"half", "    {", "    }, {\n", "evalCases", "\"eval_set_id\": \"s\",\n",
}

// randomEdit is one that a person could make, or any other.
func randomEdit(r *rand.Rand, in analysis.Input) text.Edit {
	body, words := in.Text, yamlSnippets
	if filepath.Ext(in.Path) == ".json" {
		words = jsonSnippets
	}
	start := r.IntN(len(body) + 1)
	end := min(start+[]int{0, 0, 1, 2, 40, 400}[r.IntN(6)], len(body))
	switch r.IntN(8) {
	case 0: // a line goes
		start = strings.LastIndex(body[:start], "\n") + 1
		if n := strings.Index(body[start:], "\n"); n >= 0 {
			end = start + n + 1
		}
	case 1: // a line is doubled
		start = strings.LastIndex(body[:start], "\n") + 1
		end = start
		if n := strings.Index(body[start:], "\n"); n >= 0 {
			return text.Edit{Span: text.Span{Start: start, End: end}, New: body[start : start+n+1]}
		}
	}
	return text.Edit{Span: text.Span{Start: start, End: max(start, end)}, New: words[r.IntN(len(words))]}
}

// assertSameAsFull compares an edited file's analysis with that of its text.
func assertSameAsFull(t *testing.T, in analysis.Input, a *analysis.Analysis) {
	t.Helper()
	full := analysis.Of(in)
	if a.Body() != in.Text {
		t.Fatalf("the text is %q, want %q", a.Body(), in.Text)
	}
	if got, want := a.Diagnostics(), full.Diagnostics(); !reflect.DeepEqual(got, want) && len(got)+len(want) > 0 {
		t.Fatalf("after edits:\n%v\nfrom scratch:\n%v\nin\n%s", got, want, in.Text)
	}
	if a.Role() != full.Role() || a.Version() != full.Version() || a.Recognised() != full.Recognised() || !reflect.DeepEqual(a.Suite(), full.Suite()) {
		t.Fatalf("the suite differs from that of the new text, in\n%s", in.Text)
	}
	if got, want := chunkContents(a), chunkContents(full); !reflect.DeepEqual(got, want) {
		t.Fatalf("chunks after edits:\n%q\nfrom scratch:\n%q", got, want)
	}
	for _, d := range full.Diagnostics() {
		if got, want := a.Source().SpanRange(d.Span, text.UTF16), full.Source().SpanRange(d.Span, text.UTF16); got != want {
			t.Fatalf("%v is at %v, want %v in\n%s", d.Span, got, want, in.Text)
		}
	}
}

// editRandomly makes some edits, of which a few come at once.
func editRandomly(t *testing.T, seed uint64, in analysis.Input, edits int) {
	r := rand.New(rand.NewPCG(seed, 1))
	in.Paths = true
	a := analysis.Of(in)
	for range edits {
		var some []text.Edit
		for range 1 + r.IntN(3)/2*r.IntN(4) {
			e := randomEdit(r, in)
			some = append(some, e)
			in.Text = in.Text[:e.Span.Start] + e.New + in.Text[e.Span.End:]
		}
		a = a.Edit(some...)
		if r.IntN(3) > 0 { // else the next edit comes before anybody asks
			assertSameAsFull(t, in, a)
		}
	}
	assertSameAsFull(t, in, a)
}

// editInputs are texts to edit.
func editInputs() []analysis.Input {
	shared := "description: d\nexecution:\n  evaluators:\n    - { name: x, type: llm_judge, rubrics: [Is good and short] }\n" +
		corpustest.ManyCases(5)[len("description: A suite to measure with\n"):] + "metadata: { a: 1 }\n"
	anchored := "defaults: &a [Says hello and waves]\nevalcases:\n  - { id: a, expected_outcome: O, input: Q, rubrics: *a }\n  - { id: b, expected_outcome: O, input: Q, rubrics: *a }\n"
	promptfoo := "description: d\nprompts: ['A {{ question }} {{ mood }}', 'B']\nproviders: [echo, { id: 'exec:cat', label: cat }]\n" +
		"defaultTest:\n  assert: [{ type: llm-rubric, value: 'Names {{ a }} and {{ b }}' }, { type: human }, { type: nope }]\n" + manyTests(4)[len("prompts: ['Answer {{ question }} briefly.']\nproviders: [echo]\n"):] +
		"  - { vars: { question: [a, b] }, providers: [dog], assert: &a [{ type: llm-rubric, value: x }, { type: g-eval, value: y }] }\n  - file://tests.yaml\nx-a: &a 1\n"
	line := `{"id":"a","expected_outcome":"O","input":"Q","rubrics":["Is good"]}` + "\n"
	sidecar := "execution: { evaluators: [{ name: x, type: llm_judge, rubrics: [Is good] }] }\n"
	all := []analysis.Input{
		{Path: "x.eval.yaml", Text: corpustest.ManyCases(130)}, {Path: "x.eval.yaml", Text: shared}, {Path: "x.eval.yaml", Text: anchored},
		{Path: "x.eval.yaml", Text: strings.ReplaceAll(corpustest.ManyCases(4), "\n", "\r\n")},
		{Path: "x.eval.yaml", Text: "tests:\n  - id: a\n    input: Q\n    criteria: O\n    assert: [Says it]\n  - id: b\n    vars: { x: y }\n    criteria: O\n    assert: [{ type: contains }]\n"},
		{Path: "x.eval.yaml", Text: "tests:\n  - { id: a, input: Q, criteria: O }\n  - { id: b, vars: { x: y }, criteria: O }\n  - { id: a, input: Q, criteria: O }\n"},
		{Path: "promptfooconfig.yaml", Text: manyTests(40)}, {Path: "promptfooconfig.yaml", Text: promptfoo}, {Path: "x.yaml", Text: promptfoo},
		{Path: "x.jsonl", Text: line + line + "\n" + line}, {Path: "x.jsonl", Text: line + line, Sidecar: &sidecar},
	}
	for i, body := range evalsets() {
		in := analysis.Input{Path: "x.evalset.json", Text: body}
		if i%2 == 0 {
			in.FolderNames = func() []string { return []string{"test_config.json"} }
			in.ReadFile = func(string) (string, bool) { return evalsetConfig, true }
		}
		all = append(all, in)
	}
	for _, body := range results() {
		all = append(all, analysis.Input{Path: "x.evalset_result.json", Text: body})
	}
	for _, rule := range lint.All() {
		body, _ := lint.ParseMarkers(rule.Bad)
		if !strings.Contains(body, "\ntests:\n") { // which must be there once
			body += strings.TrimPrefix(body, "evalcases:\n")
		}
		in := analysis.RuleExample(rule, body)
		in.LoadSchema = nil // which an example has for its own text only
		all = append(all, in)
	}
	return all
}

// TestEditsFromMany: an analysis is safe for concurrent edits and questions.
func TestEditsFromMany(t *testing.T) {
	in := analysis.Input{Path: "x.eval.yaml", Text: corpustest.ManyCases(120), Paths: true}
	a := analysis.Of(in)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(n), 2))
			own, mine := in, a
			for range 4 {
				e := randomEdit(r, own)
				own.Text = own.Text[:e.Span.Start] + e.New + own.Text[e.Span.End:]
				mine = mine.Edit(e)
			}
			if want := analysis.Of(own).Diagnostics(); !reflect.DeepEqual(mine.Diagnostics(), want) {
				t.Errorf("after edits:\n%v\nfrom scratch:\n%v", mine.Diagnostics(), want)
			}
		})
	}
	all.Wait()
}

// TestEditsBetween: results of a version between two are not mistaken for those of the first,
// although the last version already exists.
func TestEditsBetween(t *testing.T) {
	one := func(id string) string {
		return "  - id: " + id + "\n    expected_outcome: It works\n    input: Do it\n"
	}
	body := "evalcases:\n" + one("a") + one("a") + one("z")
	first := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body})
	if found := first.Diagnostics(); len(found) != 1 {
		t.Fatalf("%v", found)
	}
	second, third := strings.LastIndex(body, "id: a")+len("id: "), strings.Index(body, "id: z")+len("id: z\n    expected_outcome: It")
	between := first.Edit(text.Edit{Span: text.Span{Start: second, End: second + 1}, New: "b"})
	last := between.Edit(text.Edit{Span: text.Span{Start: third, End: third}, New: "s"})
	for _, a := range []*analysis.Analysis{between, last} {
		if found := a.Diagnostics(); len(found) != 0 {
			t.Errorf("%v", found)
		}
	}
}
