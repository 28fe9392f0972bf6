package run

import "github.com/rubric-ls/rubric/core/score"

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
func AgreementOf(records []Record) (all []Agreement) {
	at := map[Part]int{}
	for _, r := range records {
		each(r.Graders, func(g *GraderRecord) {
			for _, grade := range g.Grades {
				if grade.Agreement == nil {
					continue
				}
				part := Part{g.Name, grade.ID}
				i, known := at[part]
				if !known {
					i = len(all)
					at[part] = i
					all = append(all, Agreement{Grader: g.Name, Criterion: grade.ID})
				}
				a := &all[i]
				a.Cases++
				a.Agreement += (*grade.Agreement - a.Agreement) / float64(a.Cases)
				if grade.FlipRate != nil {
					a.FlipRate += (*grade.FlipRate - a.FlipRate) / float64(a.Cases)
				}
				if grade.Contested() {
					a.Contested++
				}
			}
		})
	}
	return all
}
