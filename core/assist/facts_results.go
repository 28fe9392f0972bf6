package assist

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Results are what the last run of each case came to, by the cases' ids. A nil
// map means that none has been run.
type Results map[string]Outcome

// Outcome is what a case came to.
type Outcome struct {
	Score    float64 // 0–1
	Verdict  score.Verdict
	Ungraded int      // how many of its criteria and graders were not judged
	Reasons  []string // why the verdict is not a pass
	Stale    bool     // something that it depends on has changed since
	Grades   []CriterionGrade
	Metrics  []metric.Result // of a case of ADK, instead of Grades
}

// CriterionGrade is the grade of one criterion.
type CriterionGrade struct {
	Grader string // by its name
	Grade  score.Grade
	Stale  bool
}

// NewOutcome is what a record comes to whose stale parts have changed since. Unless
// it was made in the same way as records are made now, it is stale as a whole.
func NewOutcome(r run.Record, stale map[run.GradeKey]bool, comparable bool) Outcome {
	o := Outcome{
		Score: r.Score, Verdict: r.DisplayVerdict(), Ungraded: r.Ungraded, Reasons: r.Reasons,
		Stale: len(stale) > 0 || !comparable, Metrics: r.MetricResults(),
	}
	var add func([]run.GraderRecord)
	add = func(graders []run.GraderRecord) {
		for _, g := range graders {
			for _, given := range g.Grades {
				part := run.GradeKey{Grader: g.Name, Criterion: given.ID}
				o.Grades = append(o.Grades, CriterionGrade{Grader: g.Name, Grade: given, Stale: !comparable || stale[part]})
			}
			add(g.Members)
		}
	}
	add(r.Graders)
	return o
}

// grade is that of a criterion of a grader, nil if there is none.
func (o Outcome) grade(grader, id string) *CriterionGrade {
	for i := range o.Grades {
		if g := &o.Grades[i]; g.Grader == grader && g.Grade.ID == id {
			return g
		}
	}
	return nil
}
