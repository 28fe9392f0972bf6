package adk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/text"
)

// caseSpans returns the spans of the cases that SplitCases finds.
func caseSpans(body string) []text.Span {
	if o := adk.SplitCases(body); o != nil {
		return o.Cases
	}
	return nil
}

// TestSplitLong checks that a long text is split through a moving window as it is in one go, in any
// layout, or not at all.
func TestSplitLong(t *testing.T) {
	set, _ := shop(9000)
	one := strings.NewReplacer("\n", "", "  ", "").Replace(set)
	for name, c := range map[string]struct {
		body  string
		whole bool // split only in one go
	}{
		"as ADK writes it":        {set, false},
		"in one line":             {one, true},
		"a case to a line":        {strings.ReplaceAll(one, `{"eval_id"`, "\n{\"eval_id\""), true},
		"with comments":           {strings.ReplaceAll(set, "\n    {\n", "\n    // one\n    {\n"), false},
		"Windows' breaks":         {strings.ReplaceAll(set, "\n", "\r\n"), false},
		"more after the list":     {strings.TrimSuffix(set, "\n}\n") + ",\n  \"more\": \"" + strings.Repeat("x", 3<<20) + "\"\n}\n", false},
		"much before the list":    {"{\n  \"before\": \"" + strings.Repeat("x", 3<<20) + "\"," + set[1:], false},
		"a large case":            {strings.Replace(set, "order", strings.Repeat("order ", 400_000), 1), false},
		"two such lists":          {strings.TrimSuffix(set, "\n}\n") + ",\n  \"eval_cases\": []\n}\n", true},
		"a comment of two lines":  {strings.Replace(set, "\n    {\n      \"eval_id\": \"case_700\"", "\n    /* a\n b */\n    {\n      \"eval_id\": \"case_700\"", 1), true},
		"a list that is not over": {set[:len(set)-6], true},
		"no list":                 {strings.ReplaceAll(set, "eval_cases", "evil_cases"), true},
		"a mark at the start":     {"\uFEFF" + set, true},
		"nothing":                 {"", true},
	} {
		long, err := adk.SplitLong(strings.NewReader(c.body), int64(len(c.body)))
		if err != nil || (long == nil) != c.whole {
			t.Errorf("%s: %v, divided %v", name, err, long != nil)
			continue
		}
		if long == nil {
			continue
		}
		spans := caseSpans(c.body)
		if head, tail := c.body[:spans[0].Start], c.body[spans[len(spans)-1].End:]; long.Head != head || long.Tail != tail {
			t.Errorf("%s: the text around the cases differs", name)
		}
		at := spans[0].Start
		for i, p := range long.Chunks {
			ends := func(s text.Span) bool { return s.End == p.End }
			if p.Start != at || !slices.ContainsFunc(spans, ends) {
				t.Errorf("%s: chunk %d is %v, after %d", name, i, p, at)
			}
			at = p.End
		}
		if at != spans[len(spans)-1].End || len(long.Chunks) < len(spans)/64 {
			t.Errorf("%s: %d chunks of %d cases, up to %d", name, len(long.Chunks), len(spans), at)
		}
	}
}

// TestReadRecordedCase reads a conversation from the text of its case.
func TestReadRecordedCase(t *testing.T) {
	run := fmt.Sprintf(`{"eval_id": "a", "conversation": [%s]}`, shopTurn(1, "%d"))
	result := fmt.Sprintf(`{"eval_id": "a", "eval_metric_result_per_invocation": [{"actual_invocation": %s}]}`, shopTurn(1, "%d"))
	for _, c := range []struct {
		of   adk.Role
		body string
		ok   bool
	}{
		{adk.EvalSet, run, true}, {adk.Results, result, true}, {adk.EvalSet, run + ",", true}, {adk.EvalSet, `{"eval_id": "a"}`, false}, {adk.EvalSet, run[:50], false}, {adk.Results, run + run, false}, {adk.Results, "", false},
	} {
		got, ok := adk.ReadRecordedCase(c.of, c.body)
		if ok != c.ok || ok && (got.ID != "a" || len(got.Actual) != 1 || len(got.Actual[0].Calls()) != 2) {
			t.Errorf("%.60s: %v, %+v", c.body, ok, got)
		}
	}
}
