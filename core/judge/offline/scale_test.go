package offline_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func TestScores(t *testing.T) {
	halves := []rubric.Band{{Lo: 0, Hi: 4, Text: "Wrong"}, {Lo: 5, Hi: 10, Text: "Names the refund window"}}
	gap := []rubric.Band{{Lo: 0, Hi: 2, Text: "Wrong"}, {Lo: 8, Hi: 9, Text: "Right"}}
	points := []rubric.Band{{Lo: 0, Hi: 0, Text: "No"}, {Lo: 5, Hi: 5, Text: "Partly"}, {Lo: 10, Hi: 10, Text: "All"}}
	odd := []rubric.Band{{Lo: 8, Hi: 3, Text: "Reversed"}, {Lo: -4, Hi: 1.5, Text: "Wide"}, {Lo: 20, Hi: 30, Text: "Outside"}}
	long := "Is under 30 words"
	for _, c := range []struct {
		text, submission string
		bands            []rubric.Band
		want             float64
	}{
		{"States the refund window", refund, halves, 10},
		{"States the refund window of 60 days", refund, halves, 6},
		{"Names a hotline", refund, halves, 0},
		{"Names lamp, window, label and hotline", refund, halves, 8}, // three of four
		{long, reset, halves, 10},
		{long, refund, halves, 6},                                      // 33 words come near
		{"Is under 10 words", refund, halves, 2},                       // they do not come near this
		{"", refund, halves, 10},                                       // judged by "Names the refund window"
		{"Accuracy", refund, halves, 10},                               // so is a mere heading
		{"States the refund window", refund, gap, 9},                   // 10 is in no band
		{"States the refund window of 60 days", refund, gap, 8},        // nor is 6: two from 8, four from 2
		{"Names the prepaid hotline", refund, gap, 2},                  // nor is 5: of two the lower
		{"Names lamp, window, label and hotline", refund, points, 10},  // 8
		{"Names the hotline, fee, credit and lamp", refund, points, 0}, // 2
		{"States the refund window", refund, odd, 1},
		{"States the refund window", refund, []rubric.Band{{Lo: 6, Hi: 2}}, 10}, // no band to go to
		{"States the refund window", "", halves, 0},
	} {
		criteria := []*rubric.Criterion{{ID: "a", Text: c.text, Bands: c.bands}}
		g := asked(t, score.Spec, &rubric.Case{}, criteria, c.submission).Grades[0]
		if *g.Score != c.want {
			t.Errorf("%q with %v of %.20q gets %v, want %v: %s", c.text, c.bands, c.submission, *g.Score, c.want, g.Reasoning)
		}
	}
}
