package run

import (
	"iter"
	"slices"

	"github.com/rubric-ls/rubric/core/score"
)

// Agreement says how far the samples of a criterion agree, over the cases that were judged more
// than once.
type Agreement struct {
	CriterionName
	Cases     int     `json:"cases"`
	Contested int     `json:"contested"` // cases whose samples did not all give the same grade
	Agreement float64 `json:"agreement"` // mean over the cases; see score.Grade
	FlipRate  float64 `json:"flip_rate"` // mean over the cases
}

// EachGrade calls visit for each criterion that has a grade or is ungraded, including those of
// members.
func (r Record) EachGrade(visit func(CriterionRecord, score.Grade)) {
	eachGrade(r.Graders, func(_ string, c CriterionRecord, grade score.Grade, isKnown bool) {
		if isKnown {
			visit(c, grade)
		}
	})
}

// eachGrade visits all grades, each with the name of its grader and with its criterion. Of a
// criterion that is not known there is only the id.
func eachGrade(graders []GraderRecord, visit func(grader string, c CriterionRecord, grade score.Grade, isKnown bool)) {
	eachGrader(graders, func(g *GraderRecord) {
		for _, grade := range g.Grades {
			i := slices.IndexFunc(g.Criteria, func(c CriterionRecord) bool { return c.ID == grade.ID })
			if i >= 0 {
				visit(g.Name, g.Criteria[i], grade, true)
			} else {
				visit(g.Name, CriterionRecord{ID: grade.ID}, grade, false)
			}
		}
	})
}

// AgreementOf sums up the agreement of each criterion, in order of first appearance. It returns
// nil if no judge was asked twice.
func AgreementOf(records iter.Seq[Record]) []Agreement {
	var all Agreements
	for r := range records {
		all.Add(r)
	}
	return all.List()
}

// Agreements accumulates the agreement of criteria, one record at a time.
type Agreements struct{ rows CriterionTable[Agreement] }

// Add counts one more record.
func (a *Agreements) Add(r Record) {
	eachGrade(r.Graders, func(grader string, c CriterionRecord, grade score.Grade, _ bool) {
		if grade.Agreement != nil {
			a.rows.Row(grader, c).add(caseAgreement(grade))
		}
	})
}

// List returns one row for each criterion, in order of first appearance.
func (a *Agreements) List() (list []Agreement) {
	a.rows.Each((*Agreement).add, func(name CriterionName, a Agreement) {
		a.CriterionName = name
		list = append(list, a)
	})
	return list
}

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

func (a *Agreement) add(more Agreement) {
	a.Cases += more.Cases
	share := float64(more.Cases) / float64(a.Cases)
	a.Agreement += (more.Agreement - a.Agreement) * share
	a.FlipRate += (more.FlipRate - a.FlipRate) * share
	a.Contested += more.Contested
}
