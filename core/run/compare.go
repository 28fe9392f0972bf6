package run

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/score"
)

// Comparison compares two runs over the same cases: their scores, and the grades of each
// criterion that both runs have.
type Comparison struct {
	score.Comparison
	Warnings []string        `json:"unlike"` // see [ComparabilityWarnings]
	Grades   []GradePair     `json:"grades"` // pairs that differ, in the second run's order
	Criteria []CriterionPair `json:"criteria"`
}

// GradePair holds the two grades of one criterion in one case.
type GradePair struct {
	Dataset   string        `json:"dataset,omitempty"`
	ID        string        `json:"eval_id"`
	Grader    string        `json:"evaluator"`
	Criterion string        `json:"criterion"`
	Text      string        `json:"expected_outcome,omitempty"` // set if the criterion has no id of its own
	First     score.Grade   `json:"grade1"`
	Second    score.Grade   `json:"grade2"`
	Outcome   score.Outcome `json:"outcome"` // ungraded if either grade is
}

// CriterionPair sums up a criterion over the cases in which both runs have it.
type CriterionPair struct {
	CriterionName
	Cases    int `json:"cases"`
	Wins     int `json:"wins"`
	Losses   int `json:"losses"`
	Ties     int `json:"ties"`
	Ungraded int `json:"ungraded"` // in one run or both; not counted in the others
}

// Compare compares two runs case by case and criterion by criterion.
//
// Criteria are matched by grader name and id. Without an id of its own, a criterion is matched by
// its text, or by its number if the text has changed. A difference between two grades is a win or
// a loss if it reaches threshold. A check counts as 0 or 1 and a score as tenths.
func Compare(a, b []Record, scores [2]score.Scores, threshold float64) Comparison {
	for i, records := range [][]Record{a, b} {
		for _, r := range records {
			if _, scored := scores[i][caseKey(r)]; scored && r.Verdict == score.Ungraded {
				scores[i][caseKey(r)] = nil // older records have a score there
			}
		}
	}
	c := Comparison{
		Comparison: score.Compare(scores[0], scores[1], threshold),
		Warnings:   ComparabilityWarnings(a, b), Grades: []GradePair{}, Criteria: []CriterionPair{},
	}
	if c.Warnings == nil {
		c.Warnings = []string{}
	}
	var criteria CriterionTable[CriterionPair]
	eachPair(a, b, func(first, second Record) {
		pairGrades(first.Graders, second.Graders, func(oldGrade, newGrade *gradedCriterion) {
			old, now := oldGrade.grade, newGrade.grade
			outcome := criteria.Row("", newGrade.criterion).count(old, now, threshold)
			if gradeValue(old) != gradeValue(now) || (old.Ungraded == "") != (now.Ungraded == "") {
				pair := GradePair{Dataset: second.Dataset, ID: second.EvalID, Grader: newGrade.grader, Criterion: newGrade.criterion.ID, First: old, Second: now, Outcome: outcome}
				if newGrade.criterion.hasNumberedID() {
					pair.Text = newGrade.criterion.Text
				}
				c.Grades = append(c.Grades, pair)
			}
		})
	})
	criteria.Each((*CriterionPair).add, func(name CriterionName, p CriterionPair) {
		p.CriterionName = name
		c.Criteria = append(c.Criteria, p)
	})
	slices.SortStableFunc(c.Criteria, func(a, b CriterionPair) int {
		return cmp.Or(cmp.Compare(a.Unnamed, b.Unnamed), cmp.Compare(a.Criterion, b.Criterion))
	})
	return c
}

// count adds one case and returns its outcome.
func (p *CriterionPair) count(old, now score.Grade, threshold float64) score.Outcome {
	p.Cases++
	if old.Ungraded != "" || now.Ungraded != "" {
		p.Ungraded++
		return score.NoOutcome
	}
	outcome := score.Classify(gradeValue(now)-gradeValue(old), threshold)
	switch outcome {
	case score.Win:
		p.Wins++
	case score.Loss:
		p.Losses++
	default:
		p.Ties++
	}
	return outcome
}

func (p *CriterionPair) add(o CriterionPair) {
	p.Cases, p.Wins, p.Losses, p.Ties, p.Ungraded = p.Cases+o.Cases, p.Wins+o.Wins, p.Losses+o.Losses, p.Ties+o.Ties, p.Ungraded+o.Ungraded
}

// gradeValue returns the value of a grade, 0–1.
func gradeValue(g score.Grade) float64 {
	switch {
	case g.Score != nil:
		return *g.Score / 10
	case g.Satisfied != nil && *g.Satisfied:
		return 1
	}
	return 0
}

// eachPair visits the cases that both runs have, in the second's order. If a run has several
// records of a case, the last one counts.
func eachPair(a, b []Record, visit func(first, second Record)) {
	oldIndex, newIndex := indexByCase(a), indexByCase(b)
	for i, r := range b {
		key := caseKey(r)
		if j, ok := oldIndex[key]; ok && newIndex[key] == i {
			visit(a[j], r)
		}
	}
}

func caseKey(r Record) score.CaseKey { return score.CaseKey{Dataset: r.Dataset, ID: r.EvalID} }

func indexByCase(records []Record) map[score.CaseKey]int {
	index := map[score.CaseKey]int{}
	for i, r := range records {
		index[caseKey(r)] = i
	}
	return index
}
