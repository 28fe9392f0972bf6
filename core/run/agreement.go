package run

import (
	"iter"

	"github.com/rubric-ls/rubric/core/score"
)

// Agreement is how far the samples of a criterion agree, over the cases that were
// judged more than once.
type Agreement struct {
	Name
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
			if c := g.criterion(grade.ID); c.ID != "" {
				visit(c, grade)
			}
		}
	})
}

// criterion is the first with an id; it has none itself if there is none.
func (g *GraderRecord) criterion(id string) CriterionRecord {
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
type Agreements struct{ criteria ByName[Agreement] }

// Add takes in one more record.
func (all *Agreements) Add(r Record) {
	each(r.Graders, func(g *GraderRecord) {
		for _, grade := range g.Grades {
			if grade.Agreement != nil {
				c := g.criterion(grade.ID)
				c.ID = grade.ID
				all.criteria.Of(g.Name, c).add(agreementOn(grade))
			}
		}
	})
}

// List are they in the order in which they first came.
func (all *Agreements) List() (list []Agreement) {
	all.criteria.Each((*Agreement).add, func(name Name, a Agreement) {
		a.Name = name
		list = append(list, a)
	})
	return list
}

// agreementOn is that of one case.
func agreementOn(g score.Grade) Agreement {
	a := Agreement{Cases: 1, Agreement: *g.Agreement}
	if g.FlipRate != nil {
		a.FlipRate = *g.FlipRate
	}
	if g.Contested() {
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
