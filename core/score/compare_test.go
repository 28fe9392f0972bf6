package score_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rubric-ls/rubric/core/score"
)

func TestClassify(t *testing.T) {
	tests := []struct {
		delta, threshold float64
		want             score.Outcome
	}{
		{0.5, 0.1, score.Win}, {-0.5, 0.1, score.Loss}, {0.05, 0.1, score.Tie}, {-0.09, 0.1, score.Tie},
		{0.1, 0.1, score.Win}, {-0.1, 0.1, score.Loss}, {0, 0, score.Win},
		{0.09999999999999998, 0.1, score.Tie}, // 0.9 − 0.8 in doubles, as the reference has it
	}
	for _, tt := range tests {
		if got := score.Classify(tt.delta, tt.threshold); got != tt.want {
			t.Errorf("%v at %v: %s, want %s", tt.delta, tt.threshold, got, tt.want)
		}
	}
}

func TestCompare(t *testing.T) {
	a := score.Scores{{ID: "x"}: new(0.5), {ID: "y"}: new(0.9), {ID: "z"}: new(0.5), {ID: "gone"}: new(1.0)}
	b := score.Scores{{ID: "x"}: new(1.0), {ID: "y"}: new(0.4), {ID: "z"}: new(0.5), {ID: "new"}: new(1.0), {ID: "newer"}: new(0.0)}
	c := score.Compare(a, b, score.DefaultThreshold)
	if c.Total != 6 || c.Matched != 3 || c.Wins != 1 || c.Losses != 1 || c.Ties != 1 || c.Unmatched != (score.Unmatched{First: 1, Second: 2}) {
		t.Errorf("%+v", c)
	}
	if math.Abs(c.MeanDelta) > 1e-12 || c.Cases[0].ID != "x" || c.Cases[0].Outcome != score.Win {
		t.Errorf("%+v", c)
	}
	if two := score.Compare(score.Scores{{ID: "x"}: new(0.0), {ID: "y"}: new(0.5)}, score.Scores{{ID: "x"}: new(0.25), {ID: "y"}: new(1.0)}, 0.1); two.MeanDelta != 0.375 {
		t.Errorf("of 0.25 and 0.5: %v", two.MeanDelta)
	}
	if empty := score.Compare(nil, nil, 0.1); empty.MeanDelta != 0 {
		t.Errorf("empty: %+v", empty)
	}
}

// TestCompareUngraded: a case without a score in either run is counted on its own; it
// is no loss and has no part in the mean.
func TestCompareUngraded(t *testing.T) {
	a := score.Scores{{ID: "x"}: new(0.5), {ID: "y"}: new(0.9), {ID: "z"}: nil}
	b := score.Scores{{ID: "x"}: new(0.6), {ID: "y"}: nil, {ID: "z"}: new(1.0)}
	c := score.Compare(a, b, score.DefaultThreshold)
	if c.Matched != 3 || c.Ungraded != 2 || c.Losses != 0 || math.Abs(c.MeanDelta-0.1) > 1e-12 {
		t.Errorf("%+v", c)
	}
	if p := c.Cases[1]; p.Outcome != score.NoOutcome || p.Delta != nil || p.Second != nil {
		t.Errorf("%+v", p)
	}
}

// TestCompareDatasets: a case is known by its id, and by its dataset too where
// that is not enough.
func TestCompareDatasets(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b score.Scores
		want string
	}{
		{"a dataset that has another name now", score.Scores{{"old", "x"}: new(0.0)}, score.Scores{{"new", "x"}: new(1.0)}, "/x 0 1"},
		{"one id in two datasets", score.Scores{{"p", "x"}: new(0.0), {"q", "x"}: new(1.0), {"p", "y"}: new(1.0)}, score.Scores{{"q", "x"}: new(0.5), {"p", "x"}: new(1.0), {"r", "y"}: new(0.0)}, "p/x 0 1, q/x 1 0.5, /y 1 0"},
		{"in one run only", score.Scores{{"p", "x"}: new(0.0), {"q", "x"}: new(1.0)}, score.Scores{{"q", "x"}: new(1.0)}, "q/x 1 1"},
	} {
		var got []string
		for _, p := range score.Compare(c.a, c.b, 0.1).Cases {
			got = append(got, fmt.Sprint(p.Dataset, "/", p.ID, " ", *p.First, " ", *p.Second))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestReadScores(t *testing.T) {
	got, err := score.ReadScores(strings.NewReader("{\"eval_id\":\"a\",\"score\":0.5}\n\n{\"eval_id\":\"b\",\"score\":0,\"hits\":[]}\r\n{\"eval_id\":\"a\",\"score\":1}"))
	if err != nil || len(got) != 2 || *got[score.CaseKey{ID: "a"}] != 1 {
		t.Errorf("%v %v", got, err)
	}
	if got, err := score.ReadScores(strings.NewReader(`{"eval_id":"a","score":null,"verdict":"ungraded"}`)); err != nil || len(got) != 1 || got[score.CaseKey{ID: "a"}] != nil {
		t.Errorf("ungraded: %v %v", got, err)
	}
	tests := []struct {
		lines, message string
		is             error
	}{
		{`{"score":1}`, "read results: line 1: no `eval_id`", score.ErrNoID},
		{"\n" + `{"eval_id":"a"}`, "read results: line 2: `a` has no `score`", score.ErrNoScore},
		{`{"eval_id":"a","score":null}`, "read results: line 1: `a` has no `score`", score.ErrNoScore},
		{`{"eval_id":"a","score":"1"}`, "read results: line 1: its `score` is a string", nil},
		{`[1]`, "read results: line 1: it is a JSON array", nil},
		{`nonsense`, "read results: line 1: it is not JSON", nil},
	}
	if !score.IsResult([]byte(`{"eval_id":"a","score":0}`)) {
		t.Error("a result is not taken for one")
	}
	for _, tt := range tests {
		if score.IsResult([]byte(tt.lines)) {
			t.Errorf("%s is taken for a result", tt.lines)
		}
		_, err := score.ReadScores(strings.NewReader(tt.lines))
		if err == nil || !strings.HasPrefix(err.Error(), tt.message) || (tt.is != nil && !errors.Is(err, tt.is)) {
			t.Errorf("%s: %v", tt.lines, err)
		}
	}
	if _, err := score.ReadScores(iotest.ErrReader(errors.New("disk"))); err == nil {
		t.Error("a read error is an error")
	}
}
