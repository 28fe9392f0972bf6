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
	Unlike   []string        `json:"unlike"` // see [Unlike]
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
	Name
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
		Unlike:     Unlike(a, b), Grades: []GradePair{}, Criteria: []CriterionPair{},
	}
	if c.Unlike == nil {
		c.Unlike = []string{}
	}
	var criteria ByName[CriterionPair]
	pairs(a, b, func(first, second Record) {
		gradePairs(first.Graders, second.Graders, func(was, is *graded) {
			old, now := was.grade, is.grade
			outcome := criteria.Of("", is.of).compare(old, now, threshold)
			if worth(old) != worth(now) || (old.Ungraded == "") != (now.Ungraded == "") {
				pair := GradePair{Dataset: second.Dataset, ID: second.EvalID, Grader: is.grader, Criterion: is.of.ID, First: old, Second: now, Outcome: outcome}
				if is.of.numbered() {
					pair.Text = is.of.Text
				}
				c.Grades = append(c.Grades, pair)
			}
		})
	})
	criteria.Each((*CriterionPair).add, func(name Name, p CriterionPair) {
		p.Name = name
		c.Criteria = append(c.Criteria, p)
	})
	slices.SortStableFunc(c.Criteria, func(a, b CriterionPair) int {
		return cmp.Or(cmp.Compare(a.Unnamed, b.Unnamed), cmp.Compare(a.Criterion, b.Criterion))
	})
	return c
}

// compare counts one case.
func (p *CriterionPair) compare(old, now score.Grade, threshold float64) score.Outcome {
	p.Cases++
	if old.Ungraded != "" || now.Ungraded != "" {
		p.Ungraded++
		return score.Tie
	}
	outcome := score.Classify(worth(now)-worth(old), threshold)
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

// worth is what a grade counts for, 0–1.
func worth(g score.Grade) float64 {
	switch {
	case g.Score != nil:
		return *g.Score / 10
	case g.Satisfied != nil && *g.Satisfied:
		return 1
	}
	return 0
}

// pairs visits the cases that both runs have, in the second's order. Of a case
// that a run has twice the last record counts.
func pairs(a, b []Record, visit func(first, second Record)) {
	old, now := filed(a), filed(b)
	for i, r := range b {
		at := filing(r)
		if j, ok := old[at]; ok && now[at] == i {
			visit(a[j], r)
		}
	}
}

func filing(r Record) score.Filed { return score.Filed{Dataset: r.Dataset, ID: r.EvalID} }

func filed(records []Record) map[score.Filed]int {
	at := map[score.Filed]int{}
	for i, r := range records {
		at[filing(r)] = i
	}
	return at
}
