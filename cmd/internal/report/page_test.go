package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

func pageOf(t *testing.T, r report.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.HTML(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// holdsNothingForeign: the page runs nothing, loads nothing, links to nothing
// but itself, and has the one style sheet that its policy allows.
func holdsNothingForeign(t *testing.T, page string) {
	t.Helper()
	for _, tag := range regexp.MustCompile(`<[a-zA-Z/!][^>]*>`).FindAllString(page, -1) {
		name := regexp.MustCompile(`^</?[a-zA-Z0-9]*`).FindString(tag)
		switch {
		case regexp.MustCompile(`(?i)^</?(script|img|link|iframe|object|embed|form|base|video|audio)$`).MatchString(name):
			t.Errorf("the page has a %s", tag)
		case regexp.MustCompile(`(?i)\s(on\w+|src|style|srcset|action)\s*=`).MatchString(unquoted(tag)):
			t.Errorf("the page has an attribute that runs or loads: %s", tag)
		case strings.Contains(unquoted(tag), " href=") && !strings.Contains(tag, ` href="#`):
			t.Errorf("the page links outside: %s", tag)
		}
	}
	styles := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(page, -1)
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if len(styles) != 1 || policy == nil {
		t.Fatalf("%d style sheets, policy %q", len(styles), policy)
	}
	sum := sha256.Sum256([]byte(styles[0][1]))
	want := fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'", base64.StdEncoding.EncodeToString(sum[:]))
	if got := html.UnescapeString(policy[1]); got != want {
		t.Errorf("a browser would leave the page without its style: the policy is %q, want %q", got, want)
	}
	if regexp.MustCompile(`(?i)url\(|@import|https?:`).MatchString(styles[0][1]) {
		t.Error("the style sheet loads something")
	}
}

// unquoted is a tag without the values of its attributes.
func unquoted(tag string) string {
	return regexp.MustCompile(`"[^"]*"`).ReplaceAllString(tag, `""`)
}

func TestPage(t *testing.T) {
	page := pageOf(t, sample())
	holdsNothingForeign(t, page)
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

// TestCode: what stands in backticks is code; a backtick alone is itself.
func TestCode(t *testing.T) {
	for reason, want := range map[string]string{
		"`a` is `b`": "<code>a</code> is <code>b</code>", "the ` alone": "the ` alone", "`a` and ` alone": "<code>a</code> and ` alone",
		"`<b>`": "<code>&lt;b&gt;</code>", "``": "<code></code>", "plain": "plain",
	} {
		r := report.Report{Suites: []report.Suite{{Records: []run.Record{{Verdict: score.Fail, Reasons: []string{reason}}}}}}
		if page := pageOf(t, r); !strings.Contains(page, "<li>"+want+"</li>") {
			t.Errorf("%s is not shown as %s", reason, want)
		}
	}
}

// TestContrast: every colour of words is readable on every ground it stands on,
// by the measure of WCAG 2 (4.5 to 1), in the light and in the dark.
func TestContrast(t *testing.T) {
	sheet, err := os.ReadFile("report.css")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(string(sheet), -1)
	if len(blocks) != 2 {
		t.Fatalf("%d sets of colours", len(blocks))
	}
	for i, scheme := range []string{"light", "dark"} {
		colors := map[string]float64{}
		for _, c := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]+)`).FindAllStringSubmatch(blocks[i][1], -1) {
			colors[c[1]] = luminance(c[2])
		}
		var pairs [][2]string
		for _, words := range []string{"ink", "soft", "link", "pass", "borderline", "fail"} {
			pairs = append(pairs, [2]string{words, "page"}, [2]string{words, "card"}, [2]string{words, "shade"})
		}
		pairs = append(pairs, [2]string{"pass", "pass-bg"}, [2]string{"borderline", "borderline-bg"}, [2]string{"fail", "fail-bg"}, [2]string{"ink", "borderline-bg"})
		for _, p := range pairs {
			a, okA := colors[p[0]]
			b, okB := colors[p[1]]
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); !okA || !okB || ratio < 4.5 {
				t.Errorf("%s: %s on %s is %.2f to 1", scheme, p[0], p[1], ratio)
			}
		}
	}
}

// luminance is how light a colour is, given as rgb or rrggbb.
func luminance(hex string) float64 {
	if len(hex) == 3 {
		hex = strings.Join([]string{hex[:1], hex[:1], hex[1:2], hex[1:2], hex[2:], hex[2:]}, "")
	}
	n, _ := strconv.ParseUint(hex, 16, 32)
	linear := func(c uint64) float64 {
		if v := float64(c&0xff) / 255; v > 0.04045 {
			return math.Pow((v+0.055)/1.055, 2.4)
		} else {
			return v / 12.92
		}
	}
	return 0.2126*linear(n>>16) + 0.7152*linear(n>>8) + 0.0722*linear(n)
}
