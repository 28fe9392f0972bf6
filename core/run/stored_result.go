package run

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// StoredResult is the last record of a case, with fingerprints of everything its grades depend
// on. They show which grades still hold after the case was edited. It is immutable.
type StoredResult struct {
	Record       Record              `json:"-"`
	Fingerprints map[GradeKey]string `json:"fingerprints"`
}

// SavedResult is a stored result in a file: a line of a result file with what an editor adds to it.
type SavedResult struct {
	Record Record
	Run    string // when its run began, as a [RunTime]
	Editor json.RawMessage
}

// RunTime is the form of the time that identifies a run of an editor, in UTC. It can be a file's name.
const RunTime = "20060102T150405.000000Z"

// GradeKey identifies something that is graded by itself: a criterion, or a grader without
// criteria.
type GradeKey struct {
	Grader    string // the grader's name
	Criterion string // the criterion's id; "" for a grader without criteria
}

// MarshalText encodes the key as a list of two names in JSON.
func (k GradeKey) MarshalText() ([]byte, error) {
	return json.Marshal([2]string{k.Grader, k.Criterion})
}

// UnmarshalText decodes what MarshalText has encoded.
func (k *GradeKey) UnmarshalText(text []byte) error {
	var names [2]string
	err := json.Unmarshal(text, &names)
	k.Grader, k.Criterion = names[0], names[1]
	return err
}

// NewStoredResult stores r, the record of a run of c.
func NewStoredResult(r Record, c *rubric.Case) StoredResult {
	s := StoredResult{Record: r, Fingerprints: map[GradeKey]string{}}
	for key, dep := range gradeDependencies(c) {
		s.Fingerprints[key] = dep.fingerprint
	}
	return s
}

// ForCase returns the stored record as it applies to c, which may have been edited. Weights,
// gates and thresholds are those of c; grades are the stored ones. A criterion without a stored
// grade is ungraded. stale holds the keys that have changed since they were graded, or that were
// never graded.
func (s StoredResult) ForCase(c *rubric.Case) (r Record, stale map[GradeKey]bool) {
	if s.Record.Profile.IsReference() {
		c = c.AsReference()
	}
	stale = map[GradeKey]bool{}
	storedKeys := map[GradeKey]GradeKey{} // the key under which each grade is stored
	deps := gradeDependencies(c)
	for key, d := range deps {
		storedKeys[key] = storedKey(key, s.Fingerprints, deps)
		if s.Fingerprints[storedKeys[key]] != d.fingerprint {
			stale[key] = true
		}
	}
	r = s.Record
	if r.Error != "" {
		return r, stale
	}
	r.Threshold = c.PassAt(r.Profile.IsReference())
	r.Graders = updateGraders(r.Graders, grade.GradersOf(c), storedKeys)
	return Rescore(r, r.Profile), stale
}

// Merge returns s with the grades of partial, a record of some criteria of c. The other grades
// stay.
func (s StoredResult) Merge(partial Record, c *rubric.Case) StoredResult {
	whole, _ := s.ForCase(c)
	deps := gradeDependencies(c)
	next := StoredResult{Record: whole, Fingerprints: maps.Clone(s.Fingerprints)}
	for key := range deps { // store grades under their present keys from now on
		next.Fingerprints[key] = s.Fingerprints[storedKey(key, s.Fingerprints, deps)]
	}
	next.Record.Graders = slices.Clone(whole.Graders)
	eachGrader(partial.Graders, func(g *GraderRecord) {
		for _, fresh := range g.Grades {
			key := GradeKey{g.Name, fresh.ID}
			if deps[key].fingerprint != "" {
				next.Fingerprints[key] = deps[key].fingerprint
			}
		}
		next.Record.Graders = replaceGrades(next.Record.Graders, *g)
	})
	next.Record = Rescore(next.Record, next.Record.Profile)
	return next
}

// dependency is what a grade depends on.
type dependency struct {
	fingerprint string // or the criterion's text
	numbered    bool   // the criterion's id is only its position
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

// storedKey returns the key under which the grade for key is stored, or a zero key if there is
// none. A generated id is only a position. So a criterion with the same fingerprint is the same
// criterion, and one at the position of another that has moved is new.
func storedKey(key GradeKey, stored map[GradeKey]string, deps map[GradeKey]dependency) GradeKey {
	if !deps[key].numbered || stored[key] == deps[key].fingerprint {
		return key
	}
	for other, fingerprint := range stored {
		if other.Grader == key.Grader && fingerprint == deps[key].fingerprint {
			return other
		}
	}
	for other, d := range deps {
		if other.Grader == key.Grader && d.fingerprint == stored[key] {
			return GradeKey{}
		}
	}
	return key
}

// updateGraders returns the records of graders with the graders' present settings.
func updateGraders(records []GraderRecord, graders []*rubric.Grader, storedKeys map[GradeKey]GradeKey) []GraderRecord {
	updated := make([]GraderRecord, 0, len(graders))
	for _, g := range graders {
		i := slices.IndexFunc(records, func(r GraderRecord) bool { return r.Name == g.Name && r.Type == g.Kind })
		if i < 0 {
			updated = append(updated, GraderRecord{Name: g.Name, Type: g.Kind, Weight: g.Weight, Result: score.UngradedResult("it has not been run")})
			continue
		}
		r := records[i]
		if r.Type == rubric.Turn && r.Turn == nil { // not asked, after a turn that failed
			updated = append(updated, r)
			continue
		}
		r.Weight, r.Terms.Required, r.Terms.MinScore = g.Weight, g.Required, g.MinScore
		if !r.Terms.ByVerdict {
			r.Criteria, r.Grades = CriterionRecords(g.Criteria), updateGrades(r, g, storedKeys)
		}
		r.Members = updateGraders(r.Members, g.Members, storedKeys)
		updated = append(updated, r)
	}
	return updated
}

// updateGrades returns the grades of r under the present ids of g's criteria.
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

func eachGrader(records []GraderRecord, visit func(*GraderRecord)) {
	for i := range records {
		visit(&records[i])
		eachGrader(records[i].Members, visit)
	}
}

// replaceGrades returns records in which the grades of newer replace those of the grader with the
// same name.
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
