package run

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/score"
)

// Comparison is two runs over the same cases: their scores, and beneath them the
// grades of each criterion that both have.
type Comparison struct {
	score.Comparison
	Warnings []string        `json:"unlike"` // see [Unlike]
	Grades   []GradePair     `json:"grades"` // that differ, in the second run's order
	Criteria []CriterionPair `json:"criteria"`
}

// GradePair is one criterion's two grades in one case.
type GradePair struct {
	Dataset   string        `json:"dataset,omitempty"`
	ID        string        `json:"eval_id"`
	Grader    string        `json:"evaluator"`
	Criterion string        `json:"criterion"`
	Text      string        `json:"expected_outcome,omitempty"` // where the id only numbers it
	First     score.Grade   `json:"grade1"`
	Second    score.Grade   `json:"grade2"`
	Outcome   score.Outcome `json:"outcome"` // a tie if one of them is ungraded
}

// CriterionPair sums up a criterion over the cases that both runs have it in.
type CriterionPair struct {
	CriterionName
	Cases    int `json:"cases"`
	Wins     int `json:"wins"`
	Losses   int `json:"losses"`
	Ties     int `json:"ties"`
	Ungraded int `json:"ungraded"` // in one run or both; not among the others
}

// Compare sets two runs against each other, case by case and criterion by
// criterion. A criterion is known by its grader's name and its id or, where that only
// numbers it, its text, and by its number if that is another now; a difference of grades, a check counting as 0 or 1 and a score
// as tenths, is a win or a loss from threshold on.
func Compare(a, b []Record, scores [2]score.Scores, threshold float64) Comparison {
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

// count counts one case.
func (p *CriterionPair) count(old, now score.Grade, threshold float64) score.Outcome {
	p.Cases++
	if old.Ungraded != "" || now.Ungraded != "" {
		p.Ungraded++
		return score.Tie
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

// add takes in the cases of another.
func (p *CriterionPair) add(o CriterionPair) {
	p.Cases, p.Wins, p.Losses, p.Ties, p.Ungraded = p.Cases+o.Cases, p.Wins+o.Wins, p.Losses+o.Losses, p.Ties+o.Ties, p.Ungraded+o.Ungraded
}

// gradeValue is what a grade counts for, 0–1.
func gradeValue(g score.Grade) float64 {
	switch {
	case g.Score != nil:
		return *g.Score / 10
	case g.Satisfied != nil && *g.Satisfied:
		return 1
	}
	return 0
}

// eachPair visits the cases that both runs have, in the second's order. Of a case
// that a run has twice the last record counts.
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
