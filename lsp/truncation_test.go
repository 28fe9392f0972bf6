package lsp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// faulty returns a suite in which every case has an error, except one with a hint.
func faulty(cases, mild int) string {
	var b strings.Builder
	b.WriteString("evalcases:\n")
	for i := range cases {
		fmt.Fprintf(&b, "  - id: case-%d\n    expected_outcome: It works\n    input: Do it\n", i)
		if i == mild {
			b.WriteString("    rubrics: [Is good]\n")
		} else {
			b.WriteString("    wieght: 1\n")
		}
	}
	return b.String()
}

// TestCut checks that with more than a thousand findings the client learns how many are left out
// and gets those near the cursor.
func TestCut(t *testing.T) {
	const cases, mild = 1200, 1100
	line := 1 + 4*mild
	near := func(all []lsptest.Diagnostic) (n int) {
		for _, d := range all {
			if d.Range.Start.Line >= line && d.Range.Start.Line < line+4 {
				n++
			}
		}
		return n
	}
	check := func(t *testing.T, all []lsptest.Diagnostic, hidden bool) {
		t.Helper()
		if len(all) != 1000 || all[0].Code != "not-all-shown" || all[0].Severity != 3 || all[0].Range.End.Line != 0 || all[0].Range.End.Character == 0 {
			t.Fatalf("%d, first %+v", len(all), all[0])
		}
		if !strings.Contains(all[0].Message, "more findings are not shown") {
			t.Errorf("%s", all[0].Message)
		}
		if (near(all) == 0) != hidden {
			t.Errorf("%d near line %d", near(all), line)
		}
	}
	t.Run("pushed", func(t *testing.T) {
		e := start(t, nil, "{}")
		e.Open(doc, faulty(cases, mild))
		check(t, e.AwaitDiagnostics(doc, 1), true)
		e.Request("textDocument/inlayHint", fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{"start":{"line":%d,"character":0},"end":{"line":%d,"character":0}}}`, doc, line-20, line+20))
		e.Await("the findings where somebody looks", func(m lsptest.Message) bool {
			var p lsptest.Published
			return m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil && near(p.Diagnostics) > 0
		})
		e.Change(doc, 2, lsptest.TextChange(2, 6, 6, "x"))
		check(t, e.AwaitDiagnostics(doc, 2), true)
		e.Change(doc, 3, lsptest.TextChange(line+1, 25, 25, "x"))
		check(t, e.AwaitDiagnostics(doc, 3), false)
	})
	t.Run("pulled", func(t *testing.T) {
		e := start(t, nil, `{"textDocument":{"diagnostic":{}}}`)
		e.Open(doc, faulty(cases, mild))
		pull := func() []lsptest.Diagnostic {
			var r fileReport
			e.RequestInto(&r, "textDocument/diagnostic", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, doc))
			return r.Items
		}
		check(t, pull(), true)
		e.Change(doc, 2, lsptest.TextChange(line+1, 25, 25, "x"))
		check(t, pull(), false)
	})
}

// TestUncut checks that nothing is left out up to that number.
func TestUncut(t *testing.T) {
	e := start(t, nil, "{}")
	e.Open(doc, faulty(999, -1))
	if all := e.AwaitDiagnostics(doc, 1); len(all) != 999 || all[0].Code != "unknown-key" {
		t.Errorf("%d, first %+v", len(all), all[0])
	}
}
