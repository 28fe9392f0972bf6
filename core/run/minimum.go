package run

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/score"
)

// The options whose values are minimums.
const (
	minPassRate = "min-pass-rate"
	minMean     = "min-mean"
)

// A Minimum is the lowest pass rate or mean score that a run may have. Cases without a grade do not
// count.
type Minimum struct {
	Option string  `json:"option"`        // min-pass-rate or min-mean
	Tag    string  `json:"tag,omitempty"` // it applies only to cases with this tag
	Value  float64 `json:"minimum"`       // 0 to 1
}

// parseMinimum parses the value of an option: RATE or TAG=RATE.
func parseMinimum(option, text string) (m Minimum, err error) {
	m.Option = option
	number := text
	if at := strings.LastIndexByte(text, '='); at >= 0 {
		m.Tag, number = strings.TrimSpace(text[:at]), text[at+1:]
		if m.Tag == "" {
			return m, fmt.Errorf("must have a tag before the `=`, not `%s`", text)
		}
	}
	m.Value, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(m.Value >= 0 && m.Value <= 1) {
		return m, fmt.Errorf("must be a number from 0 to 1, or TAG=NUMBER, not `%s`", text)
	}
	return m, nil
}

// Minimums returns the minimums that were set.
func (s Settings) Minimums() (all []Minimum) {
	for _, values := range []struct {
		option string
		texts  []string
	}{{minPassRate, s.MinPassRates}, {minMean, s.MinMeans}} {
		for _, text := range values.texts {
			if m, err := parseMinimum(values.option, text); err == nil { // [Option.Set] reports an error
				all = append(all, m)
			}
		}
	}
	return all
}

// A MinimumResult says whether a run reaches a minimum.
type MinimumResult struct {
	Minimum
	Variant
	Reached *float64 `json:"reached"` // nil if no case is graded
	Cases   int      `json:"cases"`   // graded cases
	Passed  int      `json:"passed"`  // of them
	Holds   bool     `json:"holds"`

	sum float64 // of the scores
}

// MinimumResults compares records with minimums, by variant if there are several. The zero value has no
// minimums.
type MinimumResults struct {
	minimums []Minimum
	results  []MinimumResult
}

// NewMinimumResults starts a comparison.
func NewMinimumResults(minimums []Minimum) *MinimumResults {
	return &MinimumResults{minimums: minimums}
}

// Add counts the record of a case with these tags. Fields of v are "" for the only one. threshold is that of
// [Record.Passes]. Add reports whether a minimum applies to the case.
func (r *MinimumResults) Add(v Variant, tags []string, rec *Record, threshold float64) (applies bool) {
	for _, m := range r.minimums {
		if m.Tag != "" && !slices.Contains(tags, m.Tag) {
			continue
		}
		applies = true
		result := r.find(m, v)
		if rec.Score == nil || rec.Verdict == score.Ungraded || rec.Unreachable {
			continue
		}
		result.Cases++
		result.sum += *rec.Score
		if rec.Passes(threshold) {
			result.Passed++
		}
	}
	return applies
}

func (r *MinimumResults) find(m Minimum, v Variant) *MinimumResult {
	i := slices.IndexFunc(r.results, func(o MinimumResult) bool { return o.Minimum == m && o.Variant == v })
	if i < 0 {
		i = len(r.results)
		r.results = append(r.results, MinimumResult{Minimum: m, Variant: v})
	}
	return &r.results[i]
}

// List returns the results of all minimums that apply to a case, by target.
func (r *MinimumResults) List() []MinimumResult {
	for i := range r.results {
		m := &r.results[i]
		if m.Cases == 0 {
			continue
		}
		value := float64(m.Passed) / float64(m.Cases)
		if m.Option == minMean {
			value = m.sum / float64(m.Cases)
		}
		const rounding = 1e-9 // of a mean of scores
		m.Reached, m.Holds = &value, value >= m.Value-rounding
	}
	return r.results
}

// Name returns the minimum as an option of the command line, and what it is for if there are several.
func (m MinimumResult) Name() string {
	name := "--" + m.Option + " "
	if m.Tag != "" {
		name += m.Tag + "="
	}
	return name + strconv.FormatFloat(m.Value, 'g', -1, 64) + m.Variant.forText()
}

// String describes the result in one line: what was asked, and what was reached.
func (m MinimumResult) String() string {
	if m.Reached == nil {
		return m.Name() + " cannot be decided: no case is graded"
	}
	outcome := "is reached"
	if !m.Holds {
		outcome = "is not reached"
	}
	counted := fmt.Sprintf(", %d of %d cases pass", m.Passed, m.Cases)
	if m.Option == minMean {
		counted = " over " + diag.CountNoun(m.Cases, "case")
	}
	return fmt.Sprintf("%s %s: %s%s", m.Name(), outcome, m.reachedText(), counted)
}

// reachedText never rounds up to a minimum that is not reached.
func (m MinimumResult) reachedText() string {
	text := strconv.FormatFloat(*m.Reached, 'f', 3, 64)
	if shown, _ := strconv.ParseFloat(text, 64); !m.Holds && shown >= m.Value {
		text = strconv.FormatFloat(*m.Reached, 'g', 6, 64)
	}
	return text
}
