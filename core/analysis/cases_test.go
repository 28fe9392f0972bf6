package analysis_test

import (
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
		"{\n  \"eval_set_id\": \"s\",\n  \"eval_cases\": [\n  ]\n}\n",
	}
}

// TestCases: an evalset has the findings in pieces that it has in one. A comment of
// several lines keeps it in one piece.
func TestCases(t *testing.T) {
	const mark = "/*\n*/"
	all := evalsets()
	for _, rule := range lint.All() {
		if bad, _ := lint.Marked(rule.Bad); strings.HasSuffix(rule.Name, ".evalset.json") && strings.HasPrefix(bad, "{") {
			all = append(all, bad)
		}
	}
	for _, body := range all {
		in := analysis.Input{Path: "x.evalset.json", Text: body}
		in.Folder = func() []string { return []string{"test_config.json"} }
		in.Files = func(string) (string, bool) { return evalsetConfig, true }
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
			continue // of a broken text more can be read in pieces
		}
		for i, d := range pieces {
			if i < len(whole) && (d.Code == "unused-ignore" || d.Code == "not-json") {
				d.Path = whole[i].Path // a comment before a case is in no node of the whole
			}
			if moved := d.Moved(func(s text.Span) text.Span { return s.Shift(len(mark)) }); i >= len(whole) || !reflect.DeepEqual(moved, whole[i]) {
				t.Errorf("in pieces:\n%v\nas a whole:\n%v\nin\n%s", moved, whole[min(i, len(whole)-1)], body)
			}
		}
		if len(pieces) != len(whole) {
			t.Errorf("%d findings in pieces, %d as a whole, of\n%s", len(pieces), len(whole), body)
		}
	}
}

// TestHalfTypedCase: what is typed in a case of an evalset costs the others nothing.
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
			t.Errorf("after %s only %d of 5 faults are told: %v", typed, n, b.Diagnostics())
		}
	}
}
