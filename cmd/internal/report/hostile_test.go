package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"reflect"
	"regexp"
	"slices"
	"strconv"
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
		records := slices.Clone(r.Suites[i].Records)
		poison(reflect.ValueOf(&records).Elem())
		r.Suites[i].Records = records
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

func pageOf(t *testing.T, r report.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.HTML(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// checkSelfContained: the page loads nothing, links to nothing but itself, and has
// the one style sheet and the one script that its policy allows.
func checkSelfContained(t *testing.T, page string) {
	t.Helper()
	parts := regexp.MustCompile(`(?s)<style>(.*?)</style>\n<script type="module">(.*?)</script>`).FindAllStringSubmatch(page, -1)
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if len(parts) != 1 || policy == nil {
		t.Fatalf("%d style sheets with scripts, policy %q", len(parts), policy)
	}
	for _, tag := range regexp.MustCompile(`<[a-zA-Z/!][^>]*>`).FindAllString(strings.Replace(page, parts[0][0], "", 1), -1) {
		name := regexp.MustCompile(`^</?[a-zA-Z0-9]*`).FindString(tag)
		switch {
		case regexp.MustCompile(`(?i)^</?(script|img|link|iframe|object|embed|form|base|video|audio)$`).MatchString(name):
			t.Errorf("the page has a %s", tag)
		case regexp.MustCompile(`(?i)\s(on\w+|src|style|srcset|action)\s*=`).MatchString(withoutAttributeValues(tag)):
			t.Errorf("the page has an attribute that runs or loads: %s", tag)
		case strings.Contains(withoutAttributeValues(tag), " href=") && !strings.Contains(tag, ` href="#`):
			t.Errorf("the page links outside: %s", tag)
		}
	}
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	want := fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'; script-src 'sha256-%s'", hash(parts[0][1]), hash(parts[0][2]))
	if got := html.UnescapeString(policy[1]); got != want {
		t.Errorf("a browser would leave the page without its style or script: the policy is %q, want %q", got, want)
	}
	if regexp.MustCompile(`(?i)url\(|@import|https?:|\bfetch\b|\bimport\b`).MatchString(parts[0][0]) {
		t.Error("the style sheet or the script loads something")
	}
}

// withoutAttributeValues is a tag without the values of its attributes.
func withoutAttributeValues(tag string) string {
	return regexp.MustCompile(`"[^"]*"`).ReplaceAllString(tag, `""`)
}

func TestPage(t *testing.T) {
	page := pageOf(t, sample())
	checkSelfContained(t, page)
	for _, part := range []string{
		"<h1>2 of 6 passed</h1>", "graded by a stand-in, not a model", "support-agent", "offline", "14 March 2026, 15:09 UTC",
		`<li class="reached"><span class="num">4–6</span> <span>Misses the broken lid or the slow support <b>reached</b>`,
		"at least 7 <span class=\"mark bad\">✗ not met", "required <span class=\"mark good\">✓ met", "(2 of 3 agree: strict 6, kind 6, quick 5)",
		"? ungraded", "Not run to its end.", "Sure! Here is what I found.", "Not usable.", "combined by weighted average", "✗ miss",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	ids := map[string]bool{}
	for _, id := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if ids[id[1]] {
			t.Errorf("two elements have the id %s", id[1])
		}
		ids[id[1]] = true
	}
	for _, to := range regexp.MustCompile(` (?:href="#|aria-labelledby=")([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if !ids[to[1]] {
			t.Errorf("nothing has the id %s", to[1])
		}
	}
	level := 0
	for _, h := range regexp.MustCompile(`<h([1-6])`).FindAllStringSubmatch(page, -1) {
		n, _ := strconv.Atoi(h[1])
		if n > level+1 {
			t.Errorf("a heading of level %d follows one of level %d", n, level)
		}
		level = n
	}
	if n := strings.Count(pageOf(t, report.Report{}), "<h1>0 of 0 passed</h1>"); n != 1 {
		t.Error("an empty report has no page")
	}
}
