package run

import (
	"iter"

	"github.com/rubric-ls/rubric/core/score"
)

// Agreement is how far the samples of a criterion agree, over the cases that were
// judged more than once.
type Agreement struct {
	Grader    string  `json:"evaluator"`
	Criterion string  `json:"criterion"`
	Cases     int     `json:"cases"`
	Contested int     `json:"contested"` // cases on which they did not all give the same grade
	Agreement float64 `json:"agreement"` // mean over the cases; see score.Grade
	FlipRate  float64 `json:"flip_rate"` // mean over the cases
}

// EachGrade visits the criteria of a record that have a grade, or are ungraded, with
// it; those of members too.
func (r Record) EachGrade(visit func(CriterionRecord, score.Grade)) {
	each(r.Graders, func(g *GraderRecord) {
		for _, grade := range g.Grades {
			for _, c := range g.Criteria {
				if c.ID == grade.ID {
					visit(c, grade)
					break
				}
			}
		}
	})
}

// AgreementOf sums up the criteria of records, in the order in which they first
// come. It is nil where no judge was asked twice.
func AgreementOf(records iter.Seq[Record]) []Agreement {
	var all Agreements
	for r := range records {
		all.Add(r)
	}
	return all.List
}

// Agreements are the criteria of the records that were added so far.
type Agreements struct {
	List []Agreement // in the order in which they first came
	at   map[Part]int
}

// Add takes in one more record.
func (all *Agreements) Add(r Record) {
	each(r.Graders, func(g *GraderRecord) {
		for _, grade := range g.Grades {
			if grade.Agreement != nil {
				all.of(Part{g.Name, grade.ID}).add(grade)
			}
		}
	})
}

// of is the criterion that a part is.
func (all *Agreements) of(part Part) *Agreement {
	i, known := all.at[part]
	if !known {
		if i = len(all.List); all.at == nil {
			all.at = map[Part]int{}
		}
		all.at[part] = i
		all.List = append(all.List, Agreement{Grader: part.Grader, Criterion: part.Criterion})
	}
	return &all.List[i]
}

func (a *Agreement) add(g score.Grade) {
	a.Cases++
	a.Agreement += (*g.Agreement - a.Agreement) / float64(a.Cases)
	if g.FlipRate != nil {
		a.FlipRate += (*g.FlipRate - a.FlipRate) / float64(a.Cases)
	}
	if g.Contested() {
		a.Contested++
	}
}
