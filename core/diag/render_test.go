package diag_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

func TestRender(t *testing.T) {
	for _, c := range []struct {
		name string
		body string
		d    diag.Diagnostic
		want string
	}{
		{"one line", "a: 1\nkey: value\n", diag.Diagnostic{Code: "odd-key", Severity: diag.Warning, Span: text.Span{Start: 5, End: 8}, Message: "odd",
			Notes: []diag.Note{{Span: text.Span{Start: 0, End: 1}, Message: "as here"}}, Fixes: []diag.Fix{{Title: "change it"}}},
			"f.yaml:2:1: warning: odd [odd-key]\n   2 | key: value\n     | ^^^\n  note: f.yaml:1:1: as here\n   1 | a: 1\n     | ^\n  fix: change it\n"},
		{"many lines", "ab\ncd\n", diag.Diagnostic{Code: "x-y", Severity: diag.Error, Span: text.Span{Start: 1, End: 5}, Message: "m"},
			"f.yaml:1:2: error: m [x-y]\n   1 | ab\n     |  ^ … to line 2\n"},
		{"a caret", "ab", diag.Diagnostic{Code: "x-y", Severity: diag.Info, Span: text.Span{Start: 2, End: 2}, Message: "m"},
			"f.yaml:1:3: info: m [x-y]\n   1 | ab\n     |   ^\n"},
		{"wide characters", "日本: x", diag.Diagnostic{Code: "x-y", Severity: diag.Hint, Span: text.Span{Start: 8, End: 9}, Message: "m"},
			"f.yaml:1:5: hint: m [x-y]\n   1 | 日本: x\n     |       ^\n"},
		{"control characters", "a\x1b[2Jb", diag.Diagnostic{Code: "x-y", Severity: diag.Error, Span: text.Span{Start: 0, End: 1}, Message: "m\x1b[2J"}, ""},
	} {
		var out strings.Builder
		if err := (diag.Renderer{}).Render(&out, text.New("f.yaml", c.body), c.d); err != nil {
			t.Fatal(err)
		}
		if c.want != "" && out.String() != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, out.String(), c.want)
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s steers the terminal: %q", c.name, out.String())
		}
	}
}

// TestLongLine renders a span in a line that is wider than any screen.
func TestLongLine(t *testing.T) {
	body := strings.Repeat("x", 5000) + "HERE" + strings.Repeat("y", 5000)
	var out strings.Builder
	if err := (diag.Renderer{}).Render(&out, text.New("", body), diag.Diagnostic{Severity: diag.Error, Span: text.Span{Start: 5000, End: 5004}}); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 600 || !strings.Contains(out.String(), "HERE") || !strings.Contains(out.String(), "^^^^") {
		t.Errorf("%s", out.String())
	}
}

func TestSeverityNames(t *testing.T) {
	for _, s := range []diag.Severity{diag.Error, diag.Warning, diag.Info, diag.Hint} {
		if back, ok := diag.ParseSeverity(s.String()); !ok || back != s {
			t.Errorf("%v is read back as %v", s, back)
		}
	}
	if _, ok := diag.ParseSeverity("fatal"); ok || diag.Severity(9).String() != "unknown" {
		t.Error("a severity that there is not")
	}
}

// TestLongLineAround: a span in the middle of a long line is shown with its surroundings.
func TestLongLineAround(t *testing.T) {
	body := strings.Repeat("日", 5000) + "<" + strings.Repeat("x", 5000) + ">" + strings.Repeat("y", 5000)
	for _, c := range []struct {
		span text.Span
		want string
	}{
		{text.Span{Start: 15000, End: 15001}, "   1 | …" + strings.Repeat("日", 27) + "<" + strings.Repeat("x", 54) + "…\n     |  " + strings.Repeat(" ", 54) + "^\n"},
		{text.Span{Start: 15001, End: 20001}, "   1 | …" + strings.Repeat("x", 110) + "……\n     |  " + strings.Repeat("^", 111) + "\n"},
		{text.Span{Start: 25002, End: 25002}, "   1 | …" + strings.Repeat("y", 55) + "\n     |  " + strings.Repeat(" ", 55) + "^\n"},
	} {
		var out strings.Builder
		if err := (diag.Renderer{}).Render(&out, text.New("f.yaml", body), diag.Diagnostic{Code: "x-y", Severity: diag.Error, Span: c.span, Message: "m"}); err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(out.String(), "\n"); got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.span, got, c.want)
		}
	}
}

// TestWrap: headlines, notes and fixes are wrapped, and excerpts are not.
func TestWrap(t *testing.T) {
	var out strings.Builder
	r := diag.Renderer{Wrap: func(text string, start, indent int) string { return fmt.Sprintf("%d,%d<%s>", start, indent, text) }}
	d := diag.Diagnostic{Code: "x-y", Severity: diag.Error, Message: "m", Notes: []diag.Note{{Message: "n"}}, Fixes: []diag.Fix{{Title: "f"}}}
	if err := r.Render(&out, text.New("f", "body"), d); err != nil {
		t.Fatal(err)
	}
	want := "f:1:1: error: 14,2<m [x-y]>[x-y]\n   1 | body\n     | ^\n  note: 8,4<f:1:1: n>\n  fix: 7,4<f>\n"
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}
