package analysis_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// evalsetConfig is a configuration for the sets of [evalsets].
const evalsetConfig = `{"criteria": {"tool_trajectory_avg_score": 1.0, "rubric_based_final_response_quality_v1": {"threshold": 0.8}}}`

// evalsets are sets of ADK's as people lay them out, sound and half typed.
func evalsets() []string {
	sound := manyConversations(3)
	named := strings.Replace(sound, "Names the amount.", "Calls the tool get_balanse first.", 1)
	return []string{
		manyConversations(120), sound, named,
		strings.Replace(named, "    {\n      \"eval_id\": \"case_1", "\n    // rubric: ignore undeclared-tool -- meant\n    {\n      \"eval_id\": \"case_0", 1),
		strings.ReplaceAll(sound, "\n", "\r\n"),
		strings.ReplaceAll(sound, "      ]\n    }", "      ],\n    }, // a note"),
		strings.Replace(sound, "    }\n  ]", "    },\n  ],", 1),
		strings.Replace(sound, "    },\n", "    }\n", 1),
		strings.Replace(sound, "\"role\": \"user\" },", "", 1),
		strings.Replace(sound, "\"My balance", "My balance", 1),
		strings.Replace(sound, "      ]\n    },", "      \n    },", 1),
		strings.ReplaceAll(sound, "\n  ", "\n"),
		strings.ReplaceAll(sound, "    },\n    {", "    }, {"),
		strings.ReplaceAll(strings.ReplaceAll(sound, "\n", ""), "  ", ""),
		minified(named), minified(manyConversations(120)), minified(strings.ReplaceAll(named, "amount", "Wert 😀")),
		minified(strings.Replace(sound, "    }\n  ]", "    },\n  ],", 1)), minified(strings.Replace(sound, `"args": {`, `"args": {"a":,`, 1)),
		strings.ReplaceAll(strings.Replace(named, "[\n    {", "[{", 1), "    },\n    {", "    }, {"),
		strings.Replace(minified(named), "],", "], // a note\n", 1),
		"{\n  \"eval_set_id\": \"s\",\n  \"eval_cases\": [\n  ]\n}\n",
		strings.ReplaceAll(strings.ReplaceAll(named, "eval_cases", "evalCases"), "eval_id", "evalId"),
		strings.Replace(sound, "\"eval_cases\"", "\"evalCases\": [],\n  \"eval_cases\"", 1),
	}
}

// minified is JSON on one line.
func minified(body string) string {
	var out bytes.Buffer
	if json.Compact(&out, []byte(body)) != nil {
		return strings.ReplaceAll(strings.ReplaceAll(body, "\n", ""), "  ", "")
	}
	return out.String()
}

// results are result files of ADK's.
func results() []string {
	sound := manyResults(3)
	return []string{
		manyResults(120), sound,
		strings.Replace(sound, "\"final_eval_status\": 1,", "", 1),
		strings.Replace(sound, "\"score\": 1", "\"score\": \"high\"", 2),
		strings.ReplaceAll(sound, "eval_case_results", "evalCaseResults"), minified(sound), minified(strings.ReplaceAll(sound, "\"score\": 1", "\"score\": \"é\"")),
		strings.Replace(sound, "\"text\": \"It is", "\"text\": \"about \\\"eval_cases\\\": It is", 1),
		strings.Replace(sound, "\"overall", "\"eval_cases\": [],\n      \"overall", 1),
		strings.Replace(sound, "\"score\": 1", "\"score\": ", 1),
		strings.Replace(sound, "    },\n    {", "    }\n    {", 1),
	}
}

// manyResults is a result file of n cases of one turn, as ADK writes them.
func manyResults(n int) string {
	var b strings.Builder
	b.WriteString("{\n  \"eval_set_result_id\": \"r\",\n  \"eval_set_id\": \"bank\",\n  \"eval_case_results\": [")
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `
    {
      "eval_id": "case_%d",
      "final_eval_status": 1,
      "overall_eval_metric_results": [{ "metric_name": "response_match_score", "score": 1, "eval_status": 1 }],
      "eval_metric_result_per_invocation": [
        {
          "actual_invocation": {
            "user_content": { "parts": [{ "text": "What is my balance?" }], "role": "user" },
            "final_response": { "parts": [{ "text": "It is 120." }], "role": "model" }
          }
        }
      ]
    }`, i)
	}
	b.WriteString("\n  ],\n  \"creation_timestamp\": 1.5\n}\n")
	return b.String()
}

// TestCases: an evalset or result file has the same diagnostics in chunks as undivided. A
// comment of several lines keeps it undivided.
func TestCases(t *testing.T) {
	all := map[string][]string{"x.evalset.json": evalsets(), "x.evalset_result.json": results()}
	for _, rule := range lint.All() {
		if bad, _ := lint.ParseMarkers(rule.Bad); strings.HasSuffix(rule.FileName, ".evalset.json") && strings.HasPrefix(bad, "{") {
			all["x.evalset.json"] = append(all["x.evalset.json"], bad)
		}
	}
	for path, bodies := range all {
		for _, body := range bodies {
			assertChunksEqualWhole(t, path, body)
		}
	}
}

// assertChunksEqualWhole compares the diagnostics of a divided and an undivided file.
func assertChunksEqualWhole(t *testing.T, path, body string) {
	const mark = "/*\n*/"
	in := analysis.Input{Path: path, Text: body, Paths: true}
	in.FolderNames = func() []string { return []string{"test_config.json"} }
	in.ReadFile = func(string) (string, bool) { return evalsetConfig, true }
	pieces := analysis.Of(in).Diagnostics()
	in.Text = mark + body
	whole := analysis.Of(in).Diagnostics()
	if strings.Contains(whole[0].Message, "have no") || whole[0].Span.End != len(mark) {
		t.Fatalf("%v", whole[0])
	}
	whole = whole[1:]
	if slices.ContainsFunc(whole, func(d diag.Diagnostic) bool {
		return strings.Contains(d.Message, "is missing") || strings.Contains(d.Message, "is not JSON;") || strings.Contains(d.Message, "closed")
	}) {
		return // of a broken text more can be read in pieces
	}
	for i, d := range pieces {
		if i < len(whole) && (d.Code == "unused-ignore" || d.Code == "not-json") {
			d.Path = whole[i].Path // a comment before a case is in no node of the whole
		}
		if moved := d.MapSpans(func(s text.Span) text.Span { return s.Shift(len(mark)) }); i >= len(whole) || !reflect.DeepEqual(moved, whole[i]) {
			t.Errorf("in chunks:\n%v\nas a whole:\n%v\nin\n%s", moved, whole[min(i, len(whole)-1)], body)
		}
	}
	if len(pieces) != len(whole) {
		t.Errorf("%d findings in chunks, %d as a whole, of\n%s", len(pieces), len(whole), body)
	}
}

// TestCasesAreSeparated: cases are divided in every layout, even if one is broken.
func TestCasesAreSeparated(t *testing.T) {
	sets, recorded := manyConversations(30), manyResults(30)
	for name, c := range map[string]struct {
		path, body string
		parts      int
	}{
		"indented":        {"x.evalset.json", sets, 31},
		"minified":        {"x.evalset.json", minified(sets), 1},
		"as braces go":    {"x.evalset.json", strings.ReplaceAll(strings.Replace(sets, "[\n    {", "[{", 1), "    },\n    {", "    }, {"), 1},
		"under camelCase": {"x.evalset.json", strings.Replace(sets, "eval_cases", "evalCases", 1), 31},
		"one is broken":   {"x.evalset.json", strings.Replace(sets, `"case_7"`, `"case_7",,`, 1), 31},
		"results":         {"x.evalset_result.json", recorded, 31},
	} {
		parts := 0
		analysis.Of(analysis.Input{Path: c.path, Text: c.body}).Chunks(func(*analysis.Chunk) bool { parts++; return true })
		if parts != c.parts {
			t.Errorf("%s: %d parts, want %d", name, parts, c.parts)
		}
	}
}

// TestHalfTypedCase: typing in one case of an evalset keeps the diagnostics of the others.
func TestHalfTypedCase(t *testing.T) {
	body := strings.Replace(manyConversations(5), `"rubric_id": "amount"`, `"rubric_idd": "amount"`, -1)
	other := func(a *analysis.Analysis) (n int) {
		for _, d := range a.Diagnostics() {
			if d.Code == "unknown-key" {
				n++
			}
		}
		return n
	}
	a := analysis.Of(analysis.Input{Path: "x.evalset.json", Text: body})
	if other(a) != 5 {
		t.Fatalf("%v", a.Diagnostics())
	}
	at := strings.Index(body, `"case_2"`)
	for _, typed := range []string{`"a": `, `"a": [`, `{`, `}`, `"half`, `]`, `,,`, "\\"} {
		b := a.Edit(text.Edit{Span: text.Span{Start: at, End: at}, New: typed})
		if n := other(b); n < 4 {
			t.Errorf("after %s only %d of 5 faults are reported: %v", typed, n, b.Diagnostics())
		}
	}
}
