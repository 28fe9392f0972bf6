package report_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

func pageOf(t *testing.T, p report.Page) string {
	t.Helper()
	var out strings.Builder
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestCode: text in backticks is code; an unpaired backtick is literal.
func TestCode(t *testing.T) {
	for reason, want := range map[string]string{
		"`a` is `b`": "<code>a</code> is <code>b</code>", "the ` alone": "the ` alone", "`a` and ` alone": "<code>a</code> and ` alone",
		"`<b>`": "<code>&lt;b&gt;</code>", "``": "<code></code>", "plain": "plain",
	} {
		p := report.Page{Suites: []report.Suite{{Records: []run.Record{{Verdict: score.Fail, Reasons: []string{reason}, Graders: []run.GraderRecord{{
			Criteria: []run.CriterionRecord{{ID: "a"}}, Result: score.Result{Grades: []score.Grade{{ID: "a", Reasoning: reason}}},
		}}}}}}}
		if page := pageOf(t, p); !strings.Contains(page, "<li>"+want+"</li>") || !strings.Contains(page, `<p class="reasoning">`+want+"</p>") {
			t.Errorf("%s is not shown as %s", reason, want)
		}
	}
}

// TestCauses: a cause that several cases share is told once for all of them, and none for a case alone.
func TestCauses(t *testing.T) {
	ungraded := run.Record{Verdict: score.Ungraded, Graders: []run.GraderRecord{{Result: score.Result{Grades: []score.Grade{{Ungraded: "needs a model"}}, Ungraded: "1 of 1"}}}}
	failed := run.Record{Verdict: score.Ungraded, Error: "no answer"}
	const cause = `<td class="num">2</td><td class="why">needs a model</td>`
	page := func(all ...run.Record) string {
		return pageOf(t, report.Page{Suites: []report.Suite{{Records: all}}})
	}
	if both := page(failed, ungraded, ungraded); !strings.Contains(both, cause) || strings.Index(both, cause) > strings.Index(both, `<td class="num">1</td><td class="why">no answer</td>`) {
		t.Error(both)
	}
	if one := page(failed, ungraded); strings.Contains(one, "Why cases are ungraded") {
		t.Error(one)
	}
}

// TestContrast: text has a contrast of at least 4.5 to 1 (WCAG 2) on every background, in the
// light and the dark theme.
func TestContrast(t *testing.T) {
	css, err := os.ReadFile("tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	for i, scheme := range []string{"light", "dark"} {
		colors := map[string]float64{}
		for _, c := range regexp.MustCompile(`--([a-z-]+): light-dark\(#([0-9a-f]+), #([0-9a-f]+)\)`).FindAllStringSubmatch(string(css), -1) {
			colors[c[1]] = luminance(c[2+i])
		}
		var pairs [][2]string
		for _, words := range []string{"ink", "faint", "accent", "pass", "borderline", "fail"} {
			pairs = append(pairs, [2]string{words, "paper"}, [2]string{words, "raised"})
		}
		pairs = append(pairs, [2]string{"pass", "pass-tint"}, [2]string{"borderline", "borderline-tint"}, [2]string{"fail", "fail-tint"}, [2]string{"ink", "borderline-tint"}, [2]string{"on-accent", "accent"})
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
