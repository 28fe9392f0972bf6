package analysis_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// wideFile is a file that is wide in one way: many items after one case.
type wideFile struct {
	name, before, each, after string
	rule                      string
	from                      int // the first item that the rule reports; it reports all that follow
}

var wideFiles = []wideFile{
	{"ignore comments", "", "    # rubric: ignore x%d -- y\n", "", "unused-ignore", 0},
	{"anchors", "note:\n", "  - &a%d v\n", "", "unused-anchor", 0},
	{"criteria", "    rubrics:\n", "      - Names the refund window that order number %d has\n", "", "vague-criterion", 1 << 20},
	{"equal criteria", "    rubrics:\n", "      - { id: r%d, expected_outcome: Names the refund window clearly }\n", "", "near-duplicate", 1},
	{"bands", "    rubrics:\n      - id: warm\n        score_ranges:\n", "          - { score_range: [0, 10], expected_outcome: Warm %d }\n", "", "ranges-overlap", 1},
	{"aliases", "note:\n", "  - *b%d\n", "", "unknown-alias", 0},
	{"unknown keys", "", "    zzz%d: 1\n", "", "unknown-key", 0},
	{"misspelt keys", "", "    expected_outcme%d: 1\n", "", "unknown-key", 0},
	{"one line", "    rubrics: [", "{ id: é%d, expected_outcome: Greets, zzz: 1 }, ", "]\n", "unknown-key", 0},
}

func (s wideFile) body(n int) string {
	var b strings.Builder
	b.WriteString(file + s.before)
	for i := range n {
		fmt.Fprintf(&b, s.each, i)
	}
	return b.String() + s.after
}

// BenchmarkWide measures how analysis grows with the width of a file: four times as many items
// should take about four times as long.
func BenchmarkWide(b *testing.B) {
	for _, s := range wideFiles {
		for _, n := range []int{5_000, 20_000} {
			body := s.body(n)
			b.Run(fmt.Sprintf("%s/n=%d", strings.ReplaceAll(s.name, " ", "-"), n), func(b *testing.B) {
				for b.Loop() {
					analyse("a.eval.yaml", body).Diagnostics()
				}
			})
		}
	}
}

// TestWide: in a wide file each item is reported once.
func TestWide(t *testing.T) {
	const n = 500
	for _, s := range wideFiles {
		var want, got []int
		body := s.body(n)
		ends := make([]int, 0, n)
		for i := range n {
			at := len(file) + len(s.before)
			if i > 0 {
				at = ends[i-1]
			}
			ends = append(ends, at+len(fmt.Sprintf(s.each, i)))
		}
		for i := s.from; i < n; i++ {
			want = append(want, i)
		}
		for _, d := range analyse("a.eval.yaml", body).Diagnostics() {
			if d.Code == s.rule {
				i, _ := slices.BinarySearch(ends, d.Span.Start+1)
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s at %v", s.name, s.rule, got)
		}
	}
}

// TestNearDuplicates: a criterion is reported if it shares four of five words with any earlier
// one.
func TestNearDuplicates(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var texts [][]int
		var want, got []int
		body := file + "    rubrics:\n"
		for j := range 80 {
			words := random.Perm(9)[:3+random.IntN(5)]
			alike := func(other []int) bool {
				shared := 0
				for _, w := range words {
					if slices.Contains(other, w) {
						shared++
					}
				}
				return 5*shared >= 4*(len(words)+len(other)-shared)
			}
			if slices.ContainsFunc(texts, alike) {
				want = append(want, j)
			}
			texts = append(texts, words)
			body += "      - "
			for _, w := range words {
				body += strings.Repeat(string(rune('a'+w)), 3) + " "
			}
			body += "\n"
		}
		for _, d := range analyse("a.eval.yaml", body).Diagnostics() {
			if d.Code == "near-duplicate" {
				got = append(got, strings.Count(body[:d.Span.Start], "\n")-strings.Count(file, "\n")-1)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v of %s", got, want, body)
		}
	}
}

// TestIgnoresApart: each comment silences diagnostics on its own line only.
func TestIgnoresApart(t *testing.T) {
	body := file + "    # rubric: ignore unknown-key -- a\n\n    # rubric: ignore unknown-key -- b\n    zzz1: 1\n    zzz2: 1\n" +
		"    # rubric: ignore unknown-key, unknown-key -- c\n    zzz3: 1  # rubric: ignore unknown-key -- d\n    zzz4: 1  # rubric: ignore unknown-key -- e\n"
	var got []string
	for _, d := range analyse("a.eval.yaml", body).Diagnostics() {
		got = append(got, fmt.Sprint(d.Code, " in line ", strings.Count(body[:d.Span.Start], "\n")+1))
	}
	want := []string{"unused-ignore in line 7", "unknown-key in line 9", "unused-ignore in line 11"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
