package run

import (
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
	First     score.Grade   `json:"grade1"`
	Second    score.Grade   `json:"grade2"`
	Outcome   score.Outcome `json:"outcome"` // a tie if one of them is ungraded
}

// CriterionPair sums up a criterion over the cases that both runs have it in.
type CriterionPair struct {
	Criterion string `json:"criterion"`
	Cases     int    `json:"cases"`
	Wins      int    `json:"wins"`
	Losses    int    `json:"losses"`
	Ties      int    `json:"ties"`
	Ungraded  int    `json:"ungraded"` // in one run or both; not among the others
}

// Compare sets two runs against each other, case by case and criterion by
// criterion. A criterion is known by its id and its grader's name; a difference
// of grades, a check counting as 0 or 1 and a score as tenths, is a win or a loss
// from threshold on.
func Compare(a, b []Record, scores [2]score.Scores, threshold float64) Comparison {
	c := Comparison{
		Comparison: score.Compare(scores[0], scores[1], threshold),
		Unlike:     Unlike(a, b), Grades: []GradePair{}, Criteria: []CriterionPair{},
	}
	if c.Unlike == nil {
		c.Unlike = []string{}
	}
	byID := map[string]*CriterionPair{}
	var order []string
	pairs(a, b, func(first, second Record) {
		was := map[Part]score.Grade{}
		gradesOf(first.Graders, func(p Part, g score.Grade) { was[p] = g })
		gradesOf(second.Graders, func(p Part, g score.Grade) {
			old, ok := was[p]
			if !ok {
				return
			}
			if byID[p.Criterion] == nil {
				byID[p.Criterion] = &CriterionPair{Criterion: p.Criterion}
				order = append(order, p.Criterion)
			}
			outcome := byID[p.Criterion].add(old, g, threshold)
			if worth(old) != worth(g) || (old.Ungraded == "") != (g.Ungraded == "") {
				c.Grades = append(c.Grades, GradePair{second.Dataset, second.EvalID, p.Grader, p.Criterion, old, g, outcome})
			}
		})
	})
	slices.Sort(order)
	for _, id := range order {
		c.Criteria = append(c.Criteria, *byID[id])
	}
	return c
}

// add counts one case.
func (p *CriterionPair) add(old, now score.Grade, threshold float64) score.Outcome {
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

// gradesOf visits the grades of graders and their members. Of criteria that share
// an id the first counts.
func gradesOf(graders []GraderRecord, visit func(Part, score.Grade)) {
	seen := map[Part]bool{}
	each(graders, func(g *GraderRecord) {
		for _, grade := range g.Grades {
			if p := (Part{g.Name, grade.ID}); !seen[p] {
				seen[p] = true
				visit(p, grade)
			}
		}
	})
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
