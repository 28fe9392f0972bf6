package run

import (
	"slices"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// RescoredCase is what today's rubric makes of a stored record.
type RescoredCase struct {
	Dataset        string        `json:"dataset,omitempty"`
	ID             string        `json:"eval_id"`
	OldVerdict     score.Verdict `json:"verdict1"`
	NewVerdict     score.Verdict `json:"verdict2"`
	OldScore       float64       `json:"score1"`
	NewScore       float64       `json:"score2"`
	VerdictChanged bool          `json:"flips"` // the verdict is another
	// Stale are the criteria whose grades are not for what they ask today, or
	// that have none; Moved says so of the whole case.
	Stale       []string `json:"stale"`
	StaleLabels []string `json:"-"` // by the Words of the criteria
	CaseChanged bool     `json:"moved"`
	Record      Record   `json:"-"` // as it is scored today
}

// RescoreCase scores a stored record by a case as it is now: its weights, gates,
// thresholds and criteria, with the grades that were given. A grade is found by
// its criterion's id, or, where the runner made the id up, by its text. A nil case
// leaves the record's own rubric, and what metrics measured stays. Profile "" is the
// record's.
func RescoreCase(r Record, c *rubric.Case, profile score.Profile) RescoredCase {
	rescored := RescoredCase{Dataset: r.Dataset, ID: r.EvalID, OldVerdict: r.Verdict, OldScore: r.Score, Stale: []string{}}
	if profile == "" {
		profile = r.Profile
	}
	if c != nil && r.Error == "" && !r.HasMetrics() {
		rescored.CaseChanged = r.Question != c.Question || r.ExpectedOutcome != c.ExpectedOutcome
		keys := rescored.matchGrades(r, c)
		r.Threshold = c.Threshold
		r.Graders = updateGraders(r.Graders, grade.GradersOf(c), keys)
	}
	rescored.Record = Rescore(r, profile)
	rescored.NewVerdict, rescored.NewScore = rescored.Record.Verdict, rescored.Record.Score
	rescored.VerdictChanged = rescored.OldVerdict != rescored.NewVerdict
	return rescored
}

// matchGrades is where the grade of each of a case's criteria stands in a record. Those
// whose grades are for another text or are not there are stale.
func (r *RescoredCase) matchGrades(rec Record, c *rubric.Case) map[GradeKey]GradeKey {
	keys, recorded := map[GradeKey]GradeKey{}, map[GradeKey]CriterionRecord{}
	eachGrader(rec.Graders, func(g *GraderRecord) {
		for _, criterion := range g.Criteria {
			recorded[GradeKey{g.Name, criterion.ID}] = criterion
		}
	})
	var visit func([]*rubric.Grader)
	visit = func(graders []*rubric.Grader) {
		for _, g := range graders {
			for _, criterion := range g.Criteria {
				key := GradeKey{g.Name, criterion.ID}
				keys[key] = recordedKey(recorded, g, criterion)
				old, ok := recorded[keys[key]]
				if now := newCriterionRecord(criterion); !ok || !old.sameQuestion(now) {
					r.Stale = append(r.Stale, g.Name+"/"+criterion.ID)
					r.StaleLabels = append(r.StaleLabels, g.Name+"/"+now.Label())
				}
			}
			visit(g.Members)
		}
	}
	visit(grade.GradersOf(c))
	return keys
}

// recordedKey is what a criterion was called in a record. A made-up id says only
// where a criterion stands, so one with the same text is the same, and one whose
// number belonged to a text that now stands elsewhere is new.
func recordedKey(recorded map[GradeKey]CriterionRecord, g *rubric.Grader, c *rubric.Criterion) GradeKey {
	key := GradeKey{g.Name, c.ID}
	old, ok := recorded[key]
	if !c.AutoID || ok && old.Text == c.Text {
		return key
	}
	for part, other := range recorded {
		if part.Grader == g.Name && other.Text == c.Text {
			return part
		}
	}
	if slices.ContainsFunc(g.Criteria, func(other *rubric.Criterion) bool { return other.Text == old.Text }) {
		return GradeKey{}
	}
	return key
}
