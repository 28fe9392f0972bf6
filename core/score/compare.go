package score

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// DefaultThreshold is the smallest difference of two scores that counts.
const DefaultThreshold = 0.1

// Outcome says who won a case: the second run, the first, or neither. A case that is
// ungraded in either run has no winner.
type Outcome string

const (
	Win       Outcome = "win"
	Loss      Outcome = "loss"
	Tie       Outcome = "tie"
	NoOutcome Outcome = "ungraded"
)

// Classify names a difference of scores: a win from threshold on, a loss from
// −threshold down. Both are compared as the doubles they are.
func Classify(delta, threshold float64) Outcome {
	switch {
	case delta >= threshold:
		return Win
	case delta <= -threshold:
		return Loss
	}
	return Tie
}

// Comparison is two runs over the same cases.
type Comparison struct {
	Total     int         `json:"total"` // cases in either run
	Matched   int         `json:"matched"`
	Wins      int         `json:"wins"`
	Losses    int         `json:"losses"`
	Ties      int         `json:"ties"`
	Ungraded  int         `json:"ungraded"`   // matched cases without a score in either run
	MeanDelta float64     `json:"mean_delta"` // of the other matched cases; 0 without any
	Unmatched Unmatched   `json:"unmatched"`
	Cases     []CaseDelta `json:"cases"` // the matched, by id and dataset
}

// Unmatched counts the cases that only one of the runs has.
type Unmatched struct {
	First  int `json:"file1"`
	Second int `json:"file2"`
}

// CaseDelta is one case's two scores.
type CaseDelta struct {
	Dataset string   `json:"dataset,omitempty"` // where several have a case of that id
	ID      string   `json:"eval_id"`
	First   *float64 `json:"score1"` // nil if ungraded
	Second  *float64 `json:"score2"`
	Delta   *float64 `json:"delta"` // Second − First; nil if one of them is
	Outcome Outcome  `json:"outcome"`
}

// Scores are a run's scores by what a result is filed under; nil for an ungraded case.
type Scores map[CaseKey]*float64

// CaseKey is a case's dataset, "" where results name none, and its id.
type CaseKey struct{ Dataset, ID string }

// Compare sets the scores of two runs against each other, case by case. An id is
// enough to know a case by, as for the reference implementation, unless one of
// the runs has it in several datasets.
func Compare(a, b Scores, threshold float64) Comparison {
	shared := ambiguousIDs(a)
	maps.Copy(shared, ambiguousIDs(b))
	a, b = a.withoutDatasets(shared), b.withoutDatasets(shared)
	c := Comparison{Cases: []CaseDelta{}}
	sum := 0.0
	for _, key := range slices.SortedFunc(maps.Keys(a), func(a, b CaseKey) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Dataset, b.Dataset)) }) {
		second, ok := b[key]
		if !ok {
			c.Unmatched.First++
			continue
		}
		p := CaseDelta{Dataset: key.Dataset, ID: key.ID, First: a[key], Second: second, Outcome: NoOutcome}
		if p.First != nil && p.Second != nil {
			delta := *p.Second - *p.First
			p.Delta, p.Outcome = &delta, Classify(delta, threshold)
			sum += delta
		}
		switch p.Outcome {
		case Win:
			c.Wins++
		case Loss:
			c.Losses++
		case Tie:
			c.Ties++
		default:
			c.Ungraded++
		}
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

// ambiguousIDs are the ids that several datasets have.
func ambiguousIDs(s Scores) map[string]bool {
	times, shared := map[string]int{}, map[string]bool{}
	for key := range s {
		if times[key.ID]++; times[key.ID] > 1 {
			shared[key.ID] = true
		}
	}
	return shared
}

// withoutDatasets leaves out the datasets of ids that are enough without.
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

// IsNoWorse reports whether the second run is, on average, at least as good as
// the first. The command line exits with 1 when it is not.
func (c Comparison) IsNoWorse() bool { return c.MeanDelta >= 0 }

// ErrNoID is wrapped by errors about a result line without an eval_id.
var ErrNoID = errors.New("no `eval_id`")

// ErrNoScore is wrapped by errors about a result line without a score.
var ErrNoScore = errors.New("no `score`")

// ReadScores reads the scores of a run from its result lines, one JSON object
// each. Blank lines are skipped; of a repeated case the last line counts.
func ReadScores(r io.Reader) (Scores, error) {
	scores := Scores{}
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("read results: %w", err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			key, value, bad := decodeScore(line)
			if bad != nil {
				return nil, fmt.Errorf("read results: line %d: %w", n, bad)
			}
			scores[key] = value
		}
		if err == io.EOF {
			return scores, nil
		}
	}
}

// ResultError says in words why a line cannot be read as a result, for an error of
// encoding/json.
func ResultError(err error) error {
	var typeErr *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typeErr) && typeErr.Field == "":
		return fmt.Errorf("it is a JSON %s", typeErr.Value)
	case errors.As(err, &typeErr):
		return fmt.Errorf("its `%s` is a %s", typeErr.Field, typeErr.Value)
	}
	return errors.New("it is not JSON")
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
