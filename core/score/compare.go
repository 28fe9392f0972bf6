package score

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// DefaultThreshold is the smallest difference of two scores that counts.
const DefaultThreshold = 0.1

// Outcome says who won a case: the second run, the first, or neither.
type Outcome string

const (
	Win  Outcome = "win"
	Loss Outcome = "loss"
	Tie  Outcome = "tie"
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
	Total     int       `json:"total"` // cases in either run
	Matched   int       `json:"matched"`
	Wins      int       `json:"wins"`
	Losses    int       `json:"losses"`
	Ties      int       `json:"ties"`
	MeanDelta float64   `json:"mean_delta"` // of the matched cases; 0 without any
	Unmatched Unmatched `json:"unmatched"`
	Cases     []Pair    `json:"cases"` // the matched, by id
}

// Unmatched counts the cases that only one of the runs has.
type Unmatched struct {
	First  int `json:"file1"`
	Second int `json:"file2"`
}

// Pair is one case's two scores.
type Pair struct {
	ID      string  `json:"eval_id"`
	First   float64 `json:"score1"`
	Second  float64 `json:"score2"`
	Delta   float64 `json:"delta"` // Second − First
	Outcome Outcome `json:"outcome"`
}

// Compare sets the scores of two runs, by case id, against each other.
func Compare(a, b map[string]float64, threshold float64) Comparison {
	c := Comparison{Cases: []Pair{}}
	sum := 0.0
	for _, id := range slices.Sorted(maps.Keys(a)) {
		second, ok := b[id]
		if !ok {
			c.Unmatched.First++
			continue
		}
		delta := second - a[id]
		p := Pair{ID: id, First: a[id], Second: second, Delta: delta, Outcome: Classify(delta, threshold)}
		switch p.Outcome {
		case Win:
			c.Wins++
		case Loss:
			c.Losses++
		default:
			c.Ties++
		}
		sum += delta
		c.Cases = append(c.Cases, p)
	}
	c.Matched = len(c.Cases)
	c.Unmatched.Second = len(b) - c.Matched
	c.Total = c.Matched + c.Unmatched.First + c.Unmatched.Second
	if c.Matched > 0 {
		c.MeanDelta = sum / float64(c.Matched)
	}
	return c
}

// NoWorse reports whether the second run is, on average, at least as good as
// the first. The command line exits with 1 when it is not.
func (c Comparison) NoWorse() bool { return c.MeanDelta >= 0 }

// ErrNoID is wrapped by errors about a result line without an eval_id.
var ErrNoID = errors.New("no `eval_id`")

// ErrNoScore is wrapped by errors about a result line without a score.
var ErrNoScore = errors.New("no `score`")

// ReadScores reads the scores of a run from its result lines, one JSON object
// each. Blank lines are skipped; of a repeated id the last line counts.
func ReadScores(r io.Reader) (map[string]float64, error) {
	scores := map[string]float64{}
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("read results: %w", err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			id, value, bad := readScore(line)
			if bad != nil {
				return nil, fmt.Errorf("read results: line %d: %w", n, bad)
			}
			scores[id] = value
		}
		if err == io.EOF {
			return scores, nil
		}
	}
}

func readScore(line []byte) (string, float64, error) {
	var row struct {
		ID    *string  `json:"eval_id"`
		Score *float64 `json:"score"`
	}
	if err := json.Unmarshal(line, &row); err != nil {
		return "", 0, err
	}
	if row.ID == nil || *row.ID == "" {
		return "", 0, ErrNoID
	}
	if row.Score == nil {
		return "", 0, fmt.Errorf("`%s` has %w", *row.ID, ErrNoScore)
	}
	return *row.ID, *row.Score, nil
}
