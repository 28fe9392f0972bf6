package run

import (
	"iter"

	"github.com/rubric-ls/rubric/core/score"
)

// Agreement is how far the samples of a criterion agree, over the cases that were
// judged more than once.
type Agreement struct {
	CriterionName
	Cases     int     `json:"cases"`
	Contested int     `json:"contested"` // cases on which they did not all give the same grade
	Agreement float64 `json:"agreement"` // mean over the cases; see score.Grade
	FlipRate  float64 `json:"flip_rate"` // mean over the cases
}

// EachGrade visits the criteria of a record that have a grade, or are ungraded, with
// it; those of members too.
func (r Record) EachGrade(visit func(CriterionRecord, score.Grade)) {
	eachGrader(r.Graders, func(g *GraderRecord) {
		for _, grade := range g.Grades {
			if c := g.findCriterion(grade.ID); c.ID != "" {
				visit(c, grade)
			}
		}
	})
}

// findCriterion is the first with an id; it has none itself if there is none.
func (g *GraderRecord) findCriterion(id string) CriterionRecord {
	for _, c := range g.Criteria {
		if c.ID == id {
			return c
		}
	}
	return CriterionRecord{}
}

// AgreementOf sums up the criteria of records, in the order in which they first
// come. It is nil where no judge was asked twice.
func AgreementOf(records iter.Seq[Record]) []Agreement {
	var all Agreements
	for r := range records {
		all.Add(r)
	}
	return all.List()
}

// Agreements are the criteria of the records that were added so far.
type Agreements struct{ rows CriterionTable[Agreement] }

// Add takes in one more record.
func (a *Agreements) Add(r Record) {
	eachGrader(r.Graders, func(g *GraderRecord) {
		for _, grade := range g.Grades {
			if grade.Agreement != nil {
				c := g.findCriterion(grade.ID)
				c.ID = grade.ID
				a.rows.Row(g.Name, c).add(caseAgreement(grade))
			}
		}
	})
}

// List are they in the order in which they first came.
func (a *Agreements) List() (list []Agreement) {
	a.rows.Each((*Agreement).add, func(name CriterionName, a Agreement) {
		a.CriterionName = name
		list = append(list, a)
	})
	return list
}

// caseAgreement is that of one case.
func caseAgreement(g score.Grade) Agreement {
	a := Agreement{Cases: 1, Agreement: *g.Agreement}
	if g.FlipRate != nil {
		a.FlipRate = *g.FlipRate
	}
	if g.IsContested() {
		a.Contested = 1
	}
	return a
}

// add takes in some more cases.
func (a *Agreement) add(more Agreement) {
	a.Cases += more.Cases
	share := float64(more.Cases) / float64(a.Cases)
	a.Agreement += (more.Agreement - a.Agreement) * share
	a.FlipRate += (more.FlipRate - a.FlipRate) * share
	a.Contested += more.Contested
}
