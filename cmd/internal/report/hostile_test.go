package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/report"
)

// evil tries to break out of HTML, XML, a terminal and the order of what is read.
const evil = "<script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>\"'&`{{.}}]]>--><style>*{}</style>\x1b[2J\x00\ufffe\u202e\u2028\xff\r\n"

// hostile is the sample with evil in place of every text.
func hostile() report.Report {
	r := sample()
	poison(reflect.ValueOf(&r).Elem())
	for i := range r.Suites {
		records := slices.Collect(r.Suites[i].Records)
		poison(reflect.ValueOf(&records).Elem())
		r.Suites[i].Records = slices.Values(records)
	}
	return r
}

func poison(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(evil)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			poison(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			poison(v.Field(i))
		}
	}
}

func TestHostilePage(t *testing.T) {
	page := pageOf(t, hostile())
	checkSelfContained(t, page)
	if !strings.Contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Error("the texts are not there at all")
	}
}

func TestHostileTable(t *testing.T) {
	for _, style := range []report.Style{{}, {Width: 60}} {
		var out bytes.Buffer
		if err := hostile().Text(&out, style); err != nil {
			t.Fatal(err)
		}
		if at := strings.IndexAny(out.String(), "\x1b\x00\r\u202e\u2028"); at >= 0 {
			t.Errorf("the table steers the terminal: %q", out.String()[max(0, at-40):at+10])
		}
	}
}

func TestHostileLines(t *testing.T) {
	var out bytes.Buffer
	if err := hostile().JSONL(&out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %.80q", line)
		}
	}
	if n := strings.Count(out.String(), "\n"); n != 6 {
		t.Errorf("6 records are %d lines", n)
	}
}

// TestHostileJUnit reads the XML back: every text is as it was, but for the
// characters that XML has no place for.
func TestHostileJUnit(t *testing.T) {
	var out bytes.Buffer
	if err := hostile().JUnit(&out); err != nil {
		t.Fatal(err)
	}
	var got junit
	if err := xml.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("\x1b", "\ufffd", "\x00", "\ufffd", "\ufffe", "\ufffd", "\xff", "\ufffd").Replace(evil)
	if c := got.Suites[0].Cases[0]; c.Name != want || c.Classname != want || c.Error.Message != want {
		t.Errorf("the case is %q in %q: %q", c.Name, c.Classname, c.Error.Message)
	}
	if p := got.Suites[0].Properties[0]; p.Value != want {
		t.Errorf("the judge is %q", p.Value)
	}
}
