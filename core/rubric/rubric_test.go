package rubric_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

func band(lo, hi float64) rubric.Band { return rubric.Band{Lo: lo, Hi: hi} }

func TestBands(t *testing.T) {
	for _, c := range []struct {
		bands     []rubric.Band
		faults    []rubric.BandFault
		overlaps  int
		uncovered []int
	}{
		{[]rubric.Band{band(0, 4), band(5, 10)}, nil, 0, nil},
		{[]rubric.Band{band(5, 10), band(0, 5)}, nil, 1, nil},
		{[]rubric.Band{band(0, 3), band(6, 10)}, nil, 0, []int{4, 5}},
		{[]rubric.Band{band(4, 0), band(-1, 11), band(0.5, 1)}, []rubric.BandFault{rubric.ReversedBounds, rubric.BoundOutOfRange, rubric.FractionalBound}, 1, nil},
		{nil, nil, 0, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
	} {
		var faults []rubric.BandFault
		for _, b := range c.bands {
			if f := b.Fault(); f != "" {
				faults = append(faults, f)
			}
		}
		if !slices.Equal(faults, c.faults) || len(rubric.OverlappingBands(c.bands)) != c.overlaps || !slices.Equal(rubric.UncoveredScores(c.bands), c.uncovered) {
			t.Errorf("%v: %v, %v, %v", c.bands, faults, rubric.OverlappingBands(c.bands), rubric.UncoveredScores(c.bands))
		}
	}
}

// TestIsRequired checks the defaults of required gates, and that a written value takes precedence.
func TestIsRequired(t *testing.T) {
	yes, no := true, false
	ranged := []rubric.Band{band(0, 10)}
	for _, c := range []struct {
		c    rubric.Criterion
		want bool
	}{
		{rubric.Criterion{}, true}, {rubric.Criterion{Required: &no}, false}, {rubric.Criterion{Bands: ranged}, false}, {rubric.Criterion{Bands: ranged, Required: &yes}, true},
	} {
		if c.c.IsRequired() != c.want {
			t.Errorf("%+v", c.c)
		}
	}
	if (&rubric.Criterion{ID: "a"}).DisplayName() != "a" || (&rubric.Criterion{ID: "a", Text: "A"}).DisplayName() != "A" {
		t.Error("the display name is not the text or else the id")
	}
}

// TestFingerprint checks that the fingerprint depends on a case's meaning and not on its position.
func TestFingerprint(t *testing.T) {
	at := func(n int, outcome string) string {
		return (&rubric.Case{
			ID: "a", ExpectedOutcome: outcome, Span: text.Span{Start: n, End: n + 5}, SelectionSpan: text.Span{Start: n},
			Graders: []*rubric.Grader{{Name: "g", Span: text.Span{Start: n}, Criteria: []*rubric.Criterion{{ID: "c", Span: text.Span{Start: n}}}}},
		}).Fingerprint()
	}
	if at(1, "x") != at(9, "x") || at(1, "x") == at(1, "y") || len(at(1, "x")) != 64 {
		t.Errorf("%s %s %s", at(1, "x"), at(9, "x"), at(1, "y"))
	}
	suite := rubric.Suite{Cases: []*rubric.Case{{ID: "a"}, {ID: "a", Question: "2"}}}
	if suite.Case("a").Question != "" || suite.Case("b") != nil {
		t.Error("not the first of duplicates")
	}
}

// TestDigest fixes the digests by which stored results are found.
func TestDigest(t *testing.T) {
	for text, value := range map[string]any{
		`{"id":"\u003cé\u003e \u2028","weight":1e-7}`: map[string]any{"weight": 1e-7, "id": "<é> \u2028"},
		"json: unsupported value: NaN":                math.NaN(),
	} {
		if got, want := rubric.Digest(value), fmt.Sprintf("%x", sha256.Sum256([]byte(text))); got != want {
			t.Errorf("%v has the digest %s, want %s", value, got, want)
		}
	}
}

// TestFingerprintParts checks that a grade depends on what the judge sees of its case, grader and
// criterion, and on nothing that only affects the score.
func TestFingerprintParts(t *testing.T) {
	fresh := func() *rubric.Case {
		return &rubric.Case{ID: "a", Question: "q", Graders: []*rubric.Grader{{Name: "g", Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{
			{ID: "c", Text: "t", Weight: 1}, {ID: "rubric-2", AutoID: true, Text: "u"},
		}}}}
	}
	all := func(c *rubric.Case) string {
		g := c.Graders[0]
		return c.ContextFingerprint() + " " + g.Fingerprint() + " " + g.Criteria[0].Fingerprint() + " " + g.Criteria[1].Fingerprint()
	}
	yes, least := true, 3.0
	for _, c := range []struct {
		name    string
		change  func(*rubric.Case)
		changes string // of the ground, the grader and the two criteria
	}{
		{"nothing", func(*rubric.Case) {}, "0000"},
		{"the question", func(c *rubric.Case) { c.Question = "other" }, "1000"},
		{"what the case needs", func(c *rubric.Case) { c.Threshold = &least }, "0000"},
		{"a prompt", func(c *rubric.Case) { c.Graders[0].Prompt = &rubric.Prompt{Text: "x"} }, "0100"},
		{"what the grader counts", func(c *rubric.Case) { c.Graders[0].Weight, c.Graders[0].Required = 2, true }, "0000"},
		{"a text", func(c *rubric.Case) { c.Graders[0].Criteria[0].Text = "v" }, "0010"},
		{"bands", func(c *rubric.Case) { c.Graders[0].Criteria[0].Bands = []rubric.Band{band(0, 10)} }, "0010"},
		{"what a criterion counts", func(c *rubric.Case) {
			one := c.Graders[0].Criteria[0]
			one.Weight, one.Required, one.MinScore = 2, &yes, &least
		}, "0000"},
		{"a place in the list", func(c *rubric.Case) { c.Graders[0].Criteria[1].ID = "rubric-3" }, "0000"},
	} {
		changed := fresh()
		c.change(changed)
		was, is := strings.Fields(all(fresh())), strings.Fields(all(changed))
		for i := range was {
			if (was[i] != is[i]) != (c.changes[i] == '1') {
				t.Errorf("%s: part %d changes: %v", c.name, i, was[i] != is[i])
			}
		}
	}
}

// TestOverlappingBands checks that each band is paired with the first earlier band that shares a
// score.
func TestOverlappingBands(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var bands []rubric.Band
		var want [][2]int
		for j := range random.IntN(40) {
			lo := random.IntN(11)
			b := band(float64(lo), float64(lo+random.IntN(11-lo)/2))
			if i := slices.IndexFunc(bands, func(a rubric.Band) bool { return a.Lo <= b.Hi && b.Lo <= a.Hi }); i >= 0 {
				want = append(want, [2]int{i, j})
			}
			bands = append(bands, b)
		}
		if got := rubric.OverlappingBands(bands); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", bands, got, want)
		}
	}
}
