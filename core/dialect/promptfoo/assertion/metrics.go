package assertion

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Details are what a grader adds to the named scores of its row. The keys are in alphabetical order,
// so that decoding into a map and encoding again gives the same line.
type Details struct {
	Metric  string             `json:"metric,omitempty"`
	Weights map[string]float64 `json:"named_score_weights,omitempty"` // of Scores; 1 if it is missing
	Scores  map[string]float64 `json:"named_scores,omitempty"`        // that its parts have
}

// orNil returns the details, or nil if they are empty.
func (d Details) orNil() any {
	if d.Metric == "" && len(d.Scores) == 0 {
		return nil
	}
	return d
}

// NewResult returns the result of an assertion. A score that is no number counts as 0.
func NewResult(pass bool, value float64, reason string, details Details) score.Result {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		value = 0
	}
	r := score.Result{Score: &value, Verdict: score.Fail, Gates: []score.Gate{}, Hits: []string{}, Misses: []string{}, Details: details.orNil()}
	if pass {
		r.Verdict, r.Hits = score.Pass, []string{reason}
	} else if reason != "" {
		r.Misses = []string{reason}
	}
	return r
}

// NamedScores returns the named scores of a row, from the results of its graders: weighted means, or 0 without a
// weight.
func NamedScores(parts []score.WeightedResult) Details {
	named := Details{Scores: map[string]float64{}, Weights: map[string]float64{}}
	add := func(name string, value, weight float64) {
		named.Scores[name] += value * weight
		named.Weights[name] += weight
	}
	for _, p := range parts {
		d := DetailsOf(p.Result)
		if d.Metric != "" && p.Result.Score != nil {
			add(d.Metric, *p.Result.Score, p.Weight)
		}
		for name, value := range d.Scores {
			own, has := d.Weights[name]
			if !has {
				own = 1
			}
			if name != d.Metric {
				add(name, value, own*p.Weight)
			}
		}
	}
	for name, weight := range named.Weights {
		if named.Scores[name] /= weight; !(weight > 0) {
			named.Scores[name] = 0
		}
	}
	return named
}

// DetailsOf returns the details of a result, also of one in a record.
func DetailsOf(r score.Result) Details {
	d, isDetails := r.Details.(Details)
	if !isDetails && r.Details != nil {
		raw, _ := json.Marshal(r.Details)
		_ = json.Unmarshal(raw, &d) // details of others stay empty
	}
	return d
}

// Derive adds derived metrics to the sums of a column with a number of rows, in order. One that cannot
// be computed is 0.
func Derive(sums map[string]float64, rows int, derived []rubric.DerivedMetric) {
	const count = "__count"
	sums[count] = float64(rows)
	defer delete(sums, count)
	for _, d := range derived {
		value, err := Evaluate(d.Formula, sums)
		if err != nil {
			value = sums[d.Name]
		}
		sums[d.Name] = value
	}
}

// Evaluate computes a formula with numbers, names, + - * / % ^, parentheses and functions: the part of
// mathjs that people write.
func Evaluate(formula string, names map[string]float64) (float64, error) {
	t, err := nunjucks.Parse("{{ " + strings.ReplaceAll(formula, "^", "**") + " }}")
	if err != nil {
		return 0, errors.New("it is no formula")
	}
	vars := map[string]any{}
	for _, name := range t.Names() {
		value, known := names[name]
		if !known {
			return 0, fmt.Errorf("there is no metric `%s`", name)
		}
		vars[name] = value
	}
	text, err := t.Render(vars)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(text, 64)
}
