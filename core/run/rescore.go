package run

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// RescoredCase is a stored record, scored again with the present rubric of its case.
type RescoredCase struct {
	Dataset        string        `json:"dataset,omitempty"`
	ID             string        `json:"eval_id"`
	OldVerdict     score.Verdict `json:"verdict1"`
	NewVerdict     score.Verdict `json:"verdict2"`
	OldScore       *float64      `json:"score1"` // nil if ungraded
	NewScore       *float64      `json:"score2"`
	VerdictChanged bool          `json:"flips"` // the verdict is another
	// Stale lists criteria whose grades are missing or were given for another text.
	Stale       []string `json:"stale"`
	StaleLabels []string `json:"-"`     // Stale, by the criteria's labels
	CaseChanged bool     `json:"moved"` // the case asks something else now
	Record      Record   `json:"-"`     // with the new scores
}

// RescoreCase scores a stored record with the present weights, gates, thresholds and criteria of
// c, from the grades that were given. A grade belongs to the criterion with its id or, if the id
// was generated, with its text. If c is nil, the record's own rubric is used. Records with
// metrics stay as they are. profile "" means the record's own.
func RescoreCase(r Record, c *rubric.Case, profile score.Profile) RescoredCase {
	if c != nil && cmp.Or(profile, r.Profile).IsReference() {
		c = c.AsReference()
	}
	rescored := RescoredCase{Dataset: r.Dataset, ID: r.EvalID, OldVerdict: r.Verdict, OldScore: r.Score, Stale: []string{}}
	if c != nil && r.Error == "" && !r.HasMetrics() {
		rescored.CaseChanged = r.Question != c.Question || r.ExpectedOutcome != c.ExpectedOutcome
		keys := rescored.matchGrades(r, c)
		r.Threshold = c.PassAt(r.Profile.IsReference())
		r.Graders = updateGraders(r.Graders, grade.GradersOf(c), keys)
	}
	rescored.Record = Rescore(r, cmp.Or(profile, r.Profile))
	rescored.NewVerdict, rescored.NewScore = rescored.Record.Verdict, rescored.Record.Score
	rescored.VerdictChanged = rescored.OldVerdict != rescored.NewVerdict
	return rescored
}

// matchGrades returns, for each criterion of c, the key of its grade in rec. Criteria whose
// grades are missing or were given for another text are added to Stale.
func (r *RescoredCase) matchGrades(rec Record, c *rubric.Case) map[GradeKey]GradeKey {
	recorded, texts := map[GradeKey]CriterionRecord{}, map[GradeKey]string{}
	eachGrader(rec.Graders, func(g *GraderRecord) {
		for _, criterion := range g.Criteria {
			key := GradeKey{g.Name, criterion.ID}
			recorded[key], texts[key] = criterion, criterion.Text
		}
	})
	present := map[GradeKey]dependency{}
	for g := range rubric.Walk(grade.GradersOf(c)) {
		for _, criterion := range g.Criteria {
			present[GradeKey{g.Name, criterion.ID}] = dependency{criterion.Text, criterion.AutoID}
		}
	}
	keys := map[GradeKey]GradeKey{}
	for g := range rubric.Walk(grade.GradersOf(c)) {
		for _, criterion := range g.Criteria {
			key := GradeKey{g.Name, criterion.ID}
			keys[key] = storedKey(key, texts, present)
			old, ok := recorded[keys[key]]
			if now := newCriterionRecord(criterion); !ok || !old.sameQuestion(now) {
				r.Stale = append(r.Stale, g.Name+"/"+criterion.ID)
				r.StaleLabels = append(r.StaleLabels, g.Name+"/"+now.Label())
			}
		}
	}
	return keys
}

// Rescore scores a record again under profile, from the grades that it holds.
//
// Rubrics and composites follow the profile. Other graders keep their results, because their
// settings and inputs are not in the record. Some records stay as they are: those of cases that
// did not finish, those with metrics (which have profiles of their own) and those of other
// runners that hold a score alone.
func Rescore(r Record, profile score.Profile) Record {
	if r.HasMetrics() || r.Error == "" && len(r.Graders) == 0 {
		return r
	}
	r.Profile = profile
	if r.Error != "" {
		if profile != "" { // a record of another runner has none
			r.unfinished()
		}
		return r
	}
	r.Graders = rescoreGraders(r.Graders, profile)
	r.combine()
	return r
}

func rescoreGraders(graders []GraderRecord, profile score.Profile) []GraderRecord {
	updated := make([]GraderRecord, len(graders))
	for i, g := range graders {
		switch {
		case g.Terms.ByVerdict: // it keeps what it has decided
		case len(g.Criteria) > 0 && profile.IsReference() && (len(g.Grades) == 0 || g.Verdict != score.Ungraded && !slices.ContainsFunc(g.Grades, isGraded)):
			// Keep the reference's 0, or a reply's own score.
		case len(g.Criteria) > 0:
			g.Result = g.Terms.Apply(profile, g.Name, g.rescoreRubric(profile))
		case len(g.Members) > 0:
			g.Members = rescoreGraders(g.Members, profile)
			parts := WeightedResults(g.Members)
			if g.Type == rubric.Turn || g.Type == rubric.Transcript {
				g.Result = g.Terms.Apply(profile, g.Name, score.CombineTurn(profile, g.Terms.Threshold, parts))
				break
			}
			switch g.Aggregator {
			case "weighted_average":
				g.Result = g.Terms.Apply(profile, g.Name, score.Combine(profile, nil, parts))
			case "threshold": // only the rounding differs
				g.Result = g.Result.RestoreExact(g.Terms.Apply(profile, g.Name, score.CombineByCount(profile, 1, parts)))
			case string(rubric.AssertSet):
				g.Result = g.Result.RestoreExact(g.Terms.Apply(profile, g.Name, score.Combine(profile, nil, parts)))
			}
		}
		updated[i] = g
	}
	return updated
}

func isGraded(s score.Grade) bool { return s.Ungraded == "" }

// rescoreRubric computes a rubric's result from its grades. Without grades every criterion is
// ungraded, for the reason that the record gives.
func (g GraderRecord) rescoreRubric(profile score.Profile) score.Result {
	grades, criteria := g.Grades, make([]*rubric.Criterion, len(g.Criteria))
	for i, c := range g.Criteria {
		criteria[i] = c.toCriterion()
		if len(g.Grades) == 0 {
			reason := cmp.Or(g.Ungraded, strings.Join(g.Misses, "; "), "the judge did not grade it")
			grades = append(grades, score.Grade{ID: c.ID, Ungraded: reason})
		}
	}
	r := score.Rubric(profile, criteria, grades)
	r.Reasoning = g.Reasoning
	return r
}
