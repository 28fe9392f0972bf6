package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/score"
)

func compare(t *testing.T, c testCase) error {
	in := decode[struct {
		A, B      map[string]float64
		Threshold *float64
	}](t, c.Input)
	threshold := score.DefaultThreshold
	if in.Threshold != nil {
		threshold = *in.Threshold
	}
	raw, _ := json.Marshal(score.Compare(scoresOf(in.A), scoresOf(in.B), threshold))
	got := decode[map[string]any](t, raw)
	want := decode[map[string]any](t, c.Expected)
	var d differences
	for _, key := range sortedKeys(want) {
		if !slices.Contains(sortedKeys(got), key) {
			d = append(d, "no "+key)
			continue
		}
		d.check(want, key, got[key], 1e-6)
	}
	return d.err()
}

func scoresOf(scores map[string]float64) score.Scores {
	out := score.Scores{}
	for id, value := range scores {
		out[score.CaseKey{ID: id}] = &value
	}
	return out
}

func compareClassify(t *testing.T, c testCase) error {
	in := decode[struct{ Delta, Threshold float64 }](t, c.Input)
	var d differences
	d.check(decode[map[string]any](t, c.Expected), "outcome", score.Classify(in.Delta, in.Threshold), 0)
	return d.err()
}

func compareExit(t *testing.T, c testCase) error {
	in := decode[struct {
		Mean float64 `json:"mean_delta"`
	}](t, c.Input)
	exit := 1
	if (score.Comparison{MeanDelta: in.Mean}).IsNoWorse() {
		exit = 0
	}
	var d differences
	d.check(decode[map[string]any](t, c.Expected), "exit", exit, 0)
	return d.err()
}

func compareLoad(t *testing.T, c testCase) error {
	in := decode[struct{ Lines []string }](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	got, err := score.ReadScores(strings.NewReader(strings.Join(in.Lines, "\n")))
	fault := ""
	switch {
	case errors.Is(err, score.ErrNoID):
		fault = "missing_eval_id"
	case errors.Is(err, score.ErrNoScore):
		fault = "missing_score"
	case err != nil:
		return err
	}
	if expected, _ := want["error"].(string); fault != expected {
		return fmt.Errorf("error %q, scores %v", fault, got)
	}
	return nil
}
