package score

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
)

// DefaultThreshold is the smallest difference of two scores that counts.
const DefaultThreshold = 0.1

// Outcome says which run won a case: the second, the first, or neither. A case that is ungraded in
// either run has no winner.
type Outcome string

const (
	Win       Outcome = "win"
	Loss      Outcome = "loss"
	Tie       Outcome = "tie"
	NoOutcome Outcome = "ungraded"
)

// Classify classifies a difference of scores: a win from threshold on, a loss from −threshold down.
// Both are compared as doubles.
func Classify(delta, threshold float64) Outcome {
	switch {
	case delta >= threshold:
		return Win
	case delta <= -threshold:
		return Loss
	}
	return Tie
}

// Outcomes counts outcomes.
type Outcomes struct {
	Wins     int `json:"wins"`
	Losses   int `json:"losses"`
	Ties     int `json:"ties"`
	Ungraded int `json:"ungraded"` // in one run or both
}

// Add counts one more.
func (o *Outcomes) Add(outcome Outcome) {
	count := map[Outcome]*int{Win: &o.Wins, Loss: &o.Losses, Tie: &o.Ties, NoOutcome: &o.Ungraded}[outcome]
	*count++
}

// Comparison compares two runs over the same cases.
type Comparison struct {
	Total   int `json:"total"` // cases in either run
	Matched int `json:"matched"`
	Outcomes
	MeanDelta float64     `json:"mean_delta"` // of the matched cases; 0 if there are none
	Unmatched Unmatched   `json:"unmatched"`
	Cases     []CaseDelta `json:"cases"`          // the matched cases, by id and dataset
	Gone      []GoneCase  `json:"gone,omitempty"` // those that only the first run has
}

// GoneCase is a case that the second run does not have.
type GoneCase struct {
	Dataset string   `json:"dataset,omitempty"` // only if several datasets have the id
	ID      string   `json:"eval_id"`
	First   *float64 `json:"score1"` // nil if ungraded
}

// Unmatched counts the cases that only one of the runs has.
type Unmatched struct {
	First  int `json:"file1"`
	Second int `json:"file2"`
}

// CaseDelta is one case's two scores.
type CaseDelta struct {
	Dataset string   `json:"dataset,omitempty"` // only if several datasets have the id
	ID      string   `json:"eval_id"`
	First   *float64 `json:"score1"` // nil if ungraded
	Second  *float64 `json:"score2"`
	Delta   *float64 `json:"delta"` // Second − First; nil if one of them is
	Outcome Outcome  `json:"outcome"`
}

// Scores are a run's scores by case; nil for an ungraded case.
type Scores map[CaseKey]*float64

// CaseKey is the key of a case: its id and its dataset, "" if results name none.
type CaseKey struct{ Dataset, ID string }

// Compare compares the scores of two runs, case by case. Cases match by id, as in the reference
// implementation, unless one of the runs has the id in several datasets.
func Compare(a, b Scores, threshold float64) Comparison {
	shared := ambiguousIDs(a, b)
	a, b = a.withoutDatasets(shared), b.withoutDatasets(shared)
	c := Comparison{Cases: []CaseDelta{}}
	sum := 0.0
	keys := slices.Collect(maps.Keys(a))
	sort.Slice(keys, func(i, j int) bool {
		return cmp.Or(cmp.Compare(keys[i].ID, keys[j].ID), cmp.Compare(keys[i].Dataset, keys[j].Dataset)) < 0
	})
	for _, key := range keys {
		second, ok := b[key]
		if !ok {
			c.Unmatched.First++
			c.Gone = append(c.Gone, GoneCase{key.Dataset, key.ID, a[key]})
			continue
		}
		p := CaseDelta{Dataset: key.Dataset, ID: key.ID, First: a[key], Second: second, Outcome: NoOutcome}
		if p.First != nil && p.Second != nil {
			delta := *p.Second - *p.First
			p.Delta, p.Outcome = &delta, Classify(delta, threshold)
			sum += delta
		}
		c.Add(p.Outcome)
		c.Cases = append(c.Cases, p)
	}
	c.Matched = len(c.Cases)
	c.Unmatched.Second = len(b) - c.Matched
	c.Total = c.Matched + c.Unmatched.First + c.Unmatched.Second
	if graded := c.Matched - c.Ungraded; graded > 0 {
		c.MeanDelta = sum / float64(graded)
	}
	return c
}

// ambiguousIDs returns the ids that occur in several datasets of a run.
func ambiguousIDs(runs ...Scores) map[string]bool {
	shared := map[string]bool{}
	for _, scores := range runs {
		seen := map[string]bool{}
		for key := range scores {
			shared[key.ID] = shared[key.ID] || seen[key.ID]
			seen[key.ID] = true
		}
	}
	return shared
}

// withoutDatasets drops the dataset of every id that is not shared.
func (s Scores) withoutDatasets(shared map[string]bool) Scores {
	reduced := Scores{}
	for key, value := range s {
		if !shared[key.ID] {
			key.Dataset = ""
		}
		reduced[key] = value
	}
	return reduced
}

// ErrNoID is wrapped by errors about a result line without an eval_id.
var ErrNoID = errors.New("no `eval_id`")

// ErrNoScore is wrapped by errors about a result line without a score.
var ErrNoScore = errors.New("no `score`")

// ReadScores reads the scores of a run from its result lines, one JSON object each. It skips blank
// lines. The last line of a repeated case counts.
func ReadScores(r io.Reader) (Scores, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	scores := Scores{}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		key, value, err := decodeScore(line)
		if err != nil {
			return nil, fmt.Errorf("read results: line %d: %w", n, err)
		}
		scores[key] = value
	}
	return scores, nil
}

// ResultError replaces an error of encoding/json by one that explains why a line is not a result.
func ResultError(err error) error {
	var typeErr *json.UnmarshalTypeError
	var syntaxErr *json.SyntaxError
	switch {
	case errors.As(err, &typeErr) && typeErr.Field == "":
		return fmt.Errorf("it is a JSON %s", typeErr.Value)
	case errors.As(err, &typeErr):
		return fmt.Errorf("its `%s` is a %s", typeErr.Field, typeErr.Value)
	case errors.As(err, &syntaxErr):
		return errors.New("it is not JSON")
	}
	return err
}

// IsResult reports whether a line of JSON is a result with a score.
func IsResult(line []byte) bool {
	_, _, err := decodeScore(line)
	return err == nil
}

func decodeScore(line []byte) (key CaseKey, value *float64, err error) {
	var row struct {
		ID      string   `json:"eval_id"`
		Dataset string   `json:"dataset"`
		Score   *float64 `json:"score"`
		Verdict Verdict  `json:"verdict"`
	}
	if err := json.Unmarshal(line, &row); err != nil {
		return key, nil, ResultError(err)
	}
	if row.ID == "" {
		return key, nil, ErrNoID
	}
	if row.Score == nil && row.Verdict != Ungraded {
		return key, nil, fmt.Errorf("`%s` has %w", row.ID, ErrNoScore)
	}
	return CaseKey{row.Dataset, row.ID}, row.Score, nil
}
