package run

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// StoredResult is the last record of a case and what its grades depend on, so that it can
// be told of the case as it is now which of them still hold. It never changes.
type StoredResult struct {
	Record       Record
	fingerprints map[GradeKey]string
}

// GradeKey is what is graded by itself: a criterion, or a grader without any.
type GradeKey struct {
	Grader    string // by its name
	Criterion string // by its id, "" for the grader as a whole
}

// NewStoredResult keeps the record of a case that was just run.
func NewStoredResult(r Record, c *rubric.Case) StoredResult {
	s := StoredResult{Record: r, fingerprints: map[GradeKey]string{}}
	for key, dep := range gradeDependencies(c) {
		s.fingerprints[key] = dep.fingerprint
	}
	return s
}

// ForCase is the record as the case stands: with its weights, gates and thresholds as
// they are now, and the grades as they were given. A criterion that no grade is
// kept for is ungraded. Stale are the parts that have changed since they were
// graded, or were not.
func (s StoredResult) ForCase(c *rubric.Case) (r Record, stale map[GradeKey]bool) {
	stale = map[GradeKey]bool{}
	storedKeys := map[GradeKey]GradeKey{} // where the grade of a part is kept
	deps := gradeDependencies(c)
	for key, d := range deps {
		storedKeys[key] = s.storedKey(key, deps)
		if s.fingerprints[storedKeys[key]] != d.fingerprint {
			stale[key] = true
		}
	}
	r = s.Record
	if r.Error != "" {
		return r, stale
	}
	r.Threshold = c.Threshold
	r.Graders = updateGraders(r.Graders, grade.GradersOf(c), storedKeys)
	return Rescore(r, r.Profile), stale
}

// Merge takes in a record of some of the criteria of a case, which the others'
// grades stay beside.
func (s StoredResult) Merge(partial Record, c *rubric.Case) StoredResult {
	whole, _ := s.ForCase(c)
	deps := gradeDependencies(c)
	next := StoredResult{Record: whole, fingerprints: maps.Clone(s.fingerprints)}
	for key := range deps { // from here on they are kept by the names they have now
		next.fingerprints[key] = s.fingerprints[s.storedKey(key, deps)]
	}
	next.Record.Graders = slices.Clone(whole.Graders)
	eachGrader(partial.Graders, func(g *GraderRecord) {
		for _, fresh := range g.Grades {
			key := GradeKey{g.Name, fresh.ID}
			if deps[key].fingerprint != "" {
				next.fingerprints[key] = deps[key].fingerprint
			}
		}
		next.Record.Graders = replaceGrades(next.Record.Graders, *g)
	})
	next.Record = Rescore(next.Record, next.Record.Profile)
	return next
}

// dependency is what the grade of a part depends on.
type dependency struct {
	fingerprint string
	numbered    bool // its id only says where it stands
}

func gradeDependencies(c *rubric.Case) map[GradeKey]dependency {
	all := map[GradeKey]dependency{}
	base := c.ContextFingerprint()
	var add func(graders []*rubric.Grader, parent string)
	add = func(graders []*rubric.Grader, parent string) {
		for _, g := range graders {
			fingerprint := parent + " " + g.Fingerprint()
			if len(g.Criteria) == 0 {
				all[GradeKey{Grader: g.Name}] = dependency{fingerprint: fingerprint}
			}
			for _, criterion := range g.Criteria {
				all[GradeKey{g.Name, criterion.ID}] = dependency{fingerprint + " " + criterion.Fingerprint(), criterion.AutoID}
			}
			add(g.Members, fingerprint)
		}
	}
	add(grade.GradersOf(c), base)
	return all
}

// storedKey is the part under which the grade of one is kept: its own name, but for
// numbered ones the one that depends on the same, wherever it stood. One that is
// new where another stood has none.
func (s StoredResult) storedKey(key GradeKey, deps map[GradeKey]dependency) GradeKey {
	if !deps[key].numbered || s.fingerprints[key] == deps[key].fingerprint {
		return key
	}
	for other, fingerprint := range s.fingerprints {
		if other.Grader == key.Grader && fingerprint == deps[key].fingerprint {
			return other
		}
	}
	for _, d := range deps {
		if d.fingerprint == s.fingerprints[key] {
			return GradeKey{}
		}
	}
	return key
}

// updateGraders are graders' records with the settings that the graders have now.
func updateGraders(records []GraderRecord, graders []*rubric.Grader, storedKeys map[GradeKey]GradeKey) []GraderRecord {
	updated := make([]GraderRecord, 0, len(graders))
	for _, g := range graders {
		i := slices.IndexFunc(records, func(r GraderRecord) bool { return r.Name == g.Name && r.Type == g.Kind })
		if i < 0 {
			updated = append(updated, GraderRecord{Name: g.Name, Type: g.Kind, Weight: g.Weight, Result: score.UngradedResult("it has not been run")})
			continue
		}
		r := records[i]
		r.Weight, r.Terms.Required, r.Terms.MinScore = g.Weight, g.Required, g.MinScore
		if len(g.Criteria) > 0 {
			r.Criteria, r.Grades = nil, updateGrades(r, g, storedKeys)
			for _, c := range g.Criteria {
				r.Criteria = append(r.Criteria, newCriterionRecord(c))
			}
		}
		r.Members = updateGraders(r.Members, g.Members, storedKeys)
		updated = append(updated, r)
	}
	return updated
}

// updateGrades are a record's, under the ids that the criteria have now.
func updateGrades(r GraderRecord, g *rubric.Grader, storedKeys map[GradeKey]GradeKey) (all []score.Grade) {
	for _, c := range g.Criteria {
		storedID := storedKeys[GradeKey{g.Name, c.ID}].Criterion
		grade := score.Grade{Ungraded: "it has not been judged"}
		if i := slices.IndexFunc(r.Grades, func(s score.Grade) bool { return s.ID == storedID }); i >= 0 {
			grade = r.Grades[i]
		}
		grade.ID = c.ID
		all = append(all, grade)
	}
	return all
}

// eachGrader visits graders' records, members too.
func eachGrader(records []GraderRecord, visit func(*GraderRecord)) {
	for i := range records {
		visit(&records[i])
		eachGrader(records[i].Members, visit)
	}
}

// replaceGrades are graders' records with the grades of one with the same name in the
// place of those that they had.
func replaceGrades(records []GraderRecord, newer GraderRecord) []GraderRecord {
	records = slices.Clone(records)
	for i := range records {
		r := &records[i]
		if r.Name != newer.Name {
			r.Members = replaceGrades(r.Members, newer)
			continue
		}
		r.Grades = slices.Clone(r.Grades)
		for _, fresh := range newer.Grades {
			for j := range r.Grades {
				if r.Grades[j].ID == fresh.ID {
					r.Grades[j] = fresh
				}
			}
		}
	}
	return records
}
