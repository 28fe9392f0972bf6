// Package calibrate measures how well a judge agrees with people. For each criterion it computes
// the share of equal grades and Cohen's κ, with their confidence intervals, the confusion matrix and,
// for scores, the mean absolute error. It also finds criteria that always get the same grade, how far
// several people agree, what changed since an earlier report, and how many labels are missing.
//
// It is arithmetic over stored records and labels; nothing is judged here.
package calibrate

import (
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Report says how well a judge agrees with people.
type Report struct {
	Judge     string   `json:"judge,omitempty"`
	Labels    int      `json:"labels"`
	Unmatched []string `json:"unmatched"`          // labels without a grade, as case/criterion
	Stale     []string `json:"stale,omitempty"`    // labels of another question, criterion or answer, which do not count
	Disputed  []string `json:"disputed,omitempty"` // checks that as many people found satisfied as not, which do not count
	Within    float64  `json:"within"`             // half the width of an accuracy's interval that MoreLabels are for
	// Pinned are the labels that match a grade, with the fingerprints of what was graded.
	Pinned   []rubric.Label `json:"-"`
	Criteria []Criterion    `json:"criteria"` // checks, then scores; each in order of first appearance
	Checks   *Criterion     `json:"checks,omitempty"`
	Scores   *Criterion     `json:"scores,omitempty"` // all criteria of a kind together, if there are several
}

// Fingerprint identifies what a person or a judge grades: the question, the criterion and the answer.
func Fingerprint(rec run.Record, c run.CriterionRecord) string {
	return rubric.Digest([]any{rec.Question, c.Text, c.Bands, rec.CandidateAnswer})[:16]
}

// NewReport compares the grades of records with labels. A label of another kind than its
// criterion is unmatched. The labels of several people for one answer count as one: their majority, or
// the median of scores. within is half the width of the intervals that [Criterion.MoreLabels] is for.
func NewReport(records []run.Record, labels []rubric.Label, within float64) Report {
	r := Report{Labels: len(labels), Unmatched: []string{}, Criteria: []Criterion{}, Within: within}
	byKey := map[labelKey][]int{} // indices of labels
	for i, l := range labels {
		byKey[keyOf(l)] = append(byKey[keyOf(l)], i)
	}
	used := make([]bool, len(labels))
	var checks, scores run.CriterionTable[Criterion]
	for _, rec := range records {
		r.Judge = rec.Judge
		EachGrade(rec, func(turn int, c run.CriterionRecord, g score.Grade) {
			key := labelKey{rec.EvalID, c.ID, turn}
			own := byKey[key]
			if len(own) == 0 {
				own = byKey[labelKey{rec.EvalID, c.ID, 0}]
			}
			table := &checks
			if len(c.Bands) > 0 {
				table = &scores
			}
			row, fingerprint := table.Row("", c), Fingerprint(rec, c)
			var people []float64
			for _, i := range own {
				l := labels[i]
				if (l.Score != nil) != (len(c.Bands) > 0) {
					continue
				}
				if used[i] = true; l.Fingerprint != "" && l.Fingerprint != fingerprint {
					row.Stale++
					r.Stale = append(r.Stale, keyOf(l).String())
				} else if value, ok := gradeValue(l.Satisfied, l.Score); ok {
					people = append(people, value)
				}
				l.Fingerprint = fingerprint
				r.Pinned = append(r.Pinned, l)
			}
			if row.addGrade(key, c, g, people); len(c.Bands) == 0 && isTie(people) {
				r.Disputed = append(r.Disputed, key.String())
			}
		})
	}
	for i, l := range labels {
		if !used[i] {
			r.Unmatched = append(r.Unmatched, keyOf(l).String())
		}
	}
	r.Checks, r.Scores = r.summarize("all checks", false, checks), r.summarize("all scores", true, scores)
	return r
}

// EachGrade visits the grades of a record. Those of metrics belong to a turn, counted from 1.
func EachGrade(rec run.Record, visit func(turn int, c run.CriterionRecord, g score.Grade)) {
	rec.EachGrade(func(c run.CriterionRecord, g score.Grade) { visit(0, c, g) })
	for _, m := range rec.MetricResults() {
		for i, turn := range run.TurnRecords(m) {
			for k, c := range turn.Criteria {
				visit(i+1, c, turn.Grades[k])
			}
		}
	}
}

// summarize computes the figures of every criterion of one kind. It returns those of all of them
// together, or nil if fewer than two have labels.
func (r *Report) summarize(title string, ranged bool, criteria run.CriterionTable[Criterion]) *Criterion {
	whole, labelled := &Criterion{CriterionName: run.CriterionName{Criterion: title}, Ranged: ranged}, 0
	criteria.Each((*Criterion).merge, func(name run.CriterionName, c Criterion) {
		c.CriterionName, c.Ranged = name, ranged
		c.computeStats(r.Within)
		r.Criteria = append(r.Criteria, c)
		if c.N > 0 {
			labelled++
		}
		whole.merge(c)
	})
	if labelled < 2 {
		return nil
	}
	whole.computeStats(r.Within)
	return whole
}

// BelowKappa returns the criteria whose κ is below bound. Among them are those whose κ is not
// defined, unless all grades are equal, and those whose labels are all stale or never graded by the judge.
func (r Report) BelowKappa(bound float64) (below []Criterion) {
	for _, c := range r.Criteria {
		if c.Kappa != nil && c.Kappa.Value < bound || c.Kappa == nil && c.Accuracy < 1 && c.N+c.Ungraded+c.Stale > 0 {
			below = append(below, c)
		}
	}
	return below
}

// Drift is the change of a criterion's accuracy since an earlier report.
type Drift struct {
	N        int            `json:"n"`        // grades of the earlier report
	Accuracy float64        `json:"accuracy"` // then, 0–1
	Interval score.Interval `json:"interval"` // of the change; see [ShareDifference]
}

// Changed reports whether the change is more than chance.
func (d *Drift) Changed() bool { return d.Interval.Low > 0 || d.Interval.High < 0 }

// SetDrift compares every criterion with the one of the same name in an earlier report.
func (r *Report) SetDrift(earlier Report) {
	for i := range r.Criteria {
		c := &r.Criteria[i]
		for _, old := range earlier.Criteria {
			if old.CriterionName == c.CriterionName && old.Ranged == c.Ranged && min(old.N, c.N) > 0 {
				c.Drift = &Drift{old.N, old.Accuracy, ShareDifference(old.Accuracy, old.N, c.Accuracy, c.N)}
			}
		}
	}
}
