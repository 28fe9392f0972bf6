package run

import (
	"slices"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Flip is what today's rubric makes of a stored record.
type Flip struct {
	Dataset string        `json:"dataset,omitempty"`
	ID      string        `json:"eval_id"`
	Was     score.Verdict `json:"verdict1"`
	Is      score.Verdict `json:"verdict2"`
	First   float64       `json:"score1"`
	Second  float64       `json:"score2"`
	Flips   bool          `json:"flips"` // the verdict is another
	// Stale are the criteria whose grades are not for what they ask today, or
	// that have none; Moved says so of the whole case.
	Stale      []string `json:"stale"`
	StaleWords []string `json:"-"` // by the Words of the criteria
	Moved      bool     `json:"moved"`
	Record     Record   `json:"-"` // as it is scored today
}

// Today scores a stored record by a case as it is now: its weights, gates,
// thresholds and criteria, with the grades that were given. A grade is found by
// its criterion's id, or, where the runner made the id up, by its text. A nil case
// leaves the record's own rubric, and what metrics measured stays. Profile "" is the
// record's.
func Today(r Record, c *rubric.Case, profile score.Profile) Flip {
	f := Flip{Dataset: r.Dataset, ID: r.EvalID, Was: r.Verdict, First: r.Score, Stale: []string{}}
	if profile == "" {
		profile = r.Profile
	}
	if c != nil && r.Error == "" && !r.Measured() {
		f.Moved = r.Question != c.Question || r.ExpectedOutcome != c.ExpectedOutcome
		was := f.standing(r, c)
		r.Threshold = c.Threshold
		r.Graders = reweighed(r.Graders, grade.Graders(c), was)
	}
	f.Record = Rescore(r, profile)
	f.Is, f.Second = f.Record.Verdict, f.Record.Score
	f.Flips = f.Was != f.Is
	return f
}

// standing is where the grade of each of a case's criteria stands in a record. Those
// whose grades are for another text or are not there are stale.
func (f *Flip) standing(r Record, c *rubric.Case) map[Part]Part {
	was, recorded := map[Part]Part{}, map[Part]CriterionRecord{}
	each(r.Graders, func(g *GraderRecord) {
		for _, criterion := range g.Criteria {
			recorded[Part{g.Name, criterion.ID}] = criterion
		}
	})
	var visit func([]*rubric.Grader)
	visit = func(graders []*rubric.Grader) {
		for _, g := range graders {
			for _, criterion := range g.Criteria {
				at := Part{g.Name, criterion.ID}
				was[at] = recordedAs(recorded, g, criterion)
				old, ok := recorded[was[at]]
				if now := criterionRecord(criterion); !ok || !old.asksAs(now) {
					f.Stale = append(f.Stale, g.Name+"/"+criterion.ID)
					f.StaleWords = append(f.StaleWords, g.Name+"/"+now.Words())
				}
			}
			visit(g.Members)
		}
	}
	visit(grade.Graders(c))
	return was
}

// recordedAs is what a criterion was called in a record. A made-up id says only
// where a criterion stands, so one with the same text is the same, and one whose
// number belonged to a text that now stands elsewhere is new.
func recordedAs(recorded map[Part]CriterionRecord, g *rubric.Grader, c *rubric.Criterion) Part {
	at := Part{g.Name, c.ID}
	old, ok := recorded[at]
	if !c.AutoID || ok && old.Text == c.Text {
		return at
	}
	for part, other := range recorded {
		if part.Grader == g.Name && other.Text == c.Text {
			return part
		}
	}
	if slices.ContainsFunc(g.Criteria, func(other *rubric.Criterion) bool { return other.Text == old.Text }) {
		return Part{}
	}
	return at
}
