package run

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Kept is the last record of a case and what its grades depend on, so that it can
// be told of the case as it is now which of them still hold. It never changes.
type Kept struct {
	Record  Record
	depends map[Part]string
}

// Part is what is graded by itself: a criterion, or a grader without any.
type Part struct {
	Grader    string // by its name
	Criterion string // by its id, "" for the grader as a whole
}

// Keep keeps the record of a case that was just run.
func Keep(r Record, c *rubric.Case) Kept {
	k := Kept{Record: r, depends: map[Part]string{}}
	for part, on := range dependencies(c) {
		k.depends[part] = on.fingerprint
	}
	return k
}

// Now is the record as the case stands: with its weights, gates and thresholds as
// they are now, and the grades as they were given. A criterion that no grade is
// kept for is ungraded. Stale are the parts that have changed since they were
// graded, or were not.
func (k Kept) Now(c *rubric.Case) (r Record, stale map[Part]bool) {
	stale = map[Part]bool{}
	was := map[Part]Part{} // where the grade of a part is kept
	on := dependencies(c)
	for part, d := range on {
		was[part] = k.find(part, on)
		if k.depends[was[part]] != d.fingerprint {
			stale[part] = true
		}
	}
	r = k.Record
	if r.Error != "" {
		return r, stale
	}
	r.Threshold = c.Threshold
	r.Graders = reweighed(r.Graders, grade.Graders(c), was)
	return Rescore(r, r.Profile), stale
}

// With takes in a record of some of the criteria of a case, which the others'
// grades stay beside.
func (k Kept) With(some Record, c *rubric.Case) Kept {
	whole, _ := k.Now(c)
	on := dependencies(c)
	next := Kept{Record: whole, depends: maps.Clone(k.depends)}
	for part := range on { // from here on they are kept by the names they have now
		next.depends[part] = k.depends[k.find(part, on)]
	}
	next.Record.Graders = slices.Clone(whole.Graders)
	each(some.Graders, func(g *GraderRecord) {
		for _, fresh := range g.Grades {
			part := Part{g.Name, fresh.ID}
			if on[part].fingerprint != "" {
				next.depends[part] = on[part].fingerprint
			}
		}
		next.Record.Graders = replaced(next.Record.Graders, *g)
	})
	next.Record = Rescore(next.Record, next.Record.Profile)
	return next
}

// dependency is what the grade of a part depends on.
type dependency struct {
	fingerprint string
	numbered    bool // its id only says where it stands
}

func dependencies(c *rubric.Case) map[Part]dependency {
	all := map[Part]dependency{}
	ground := c.Ground()
	var add func(graders []*rubric.Grader, above string)
	add = func(graders []*rubric.Grader, above string) {
		for _, g := range graders {
			own := above + " " + g.Fingerprint()
			if len(g.Criteria) == 0 {
				all[Part{Grader: g.Name}] = dependency{fingerprint: own}
			}
			for _, criterion := range g.Criteria {
				all[Part{g.Name, criterion.ID}] = dependency{own + " " + criterion.Fingerprint(), criterion.AutoID}
			}
			add(g.Members, own)
		}
	}
	add(grade.Graders(c), ground)
	return all
}

// find is the part under which the grade of one is kept: its own name, but for
// numbered ones the one that depends on the same, wherever it stood. One that is
// new where another stood has none.
func (k Kept) find(part Part, on map[Part]dependency) Part {
	if !on[part].numbered || k.depends[part] == on[part].fingerprint {
		return part
	}
	for other, fingerprint := range k.depends {
		if other.Grader == part.Grader && fingerprint == on[part].fingerprint {
			return other
		}
	}
	for _, d := range on {
		if d.fingerprint == k.depends[part] {
			return Part{}
		}
	}
	return part
}

// reweighed are graders' records with the settings that the graders have now.
func reweighed(records []GraderRecord, graders []*rubric.Grader, was map[Part]Part) []GraderRecord {
	fresh := make([]GraderRecord, 0, len(graders))
	for _, g := range graders {
		i := slices.IndexFunc(records, func(r GraderRecord) bool { return r.Name == g.Name && r.Type == g.Kind })
		if i < 0 {
			fresh = append(fresh, GraderRecord{Name: g.Name, Type: g.Kind, Weight: g.Weight, Result: score.UngradedResult("it has not been run")})
			continue
		}
		r := records[i]
		r.Weight, r.Terms.Required, r.Terms.MinScore = g.Weight, g.Required, g.MinScore
		if len(g.Criteria) > 0 {
			r.Criteria, r.Grades = nil, grades(r, g, was)
			for _, c := range g.Criteria {
				r.Criteria = append(r.Criteria, criterionRecord(c))
			}
		}
		r.Members = reweighed(r.Members, g.Members, was)
		fresh = append(fresh, r)
	}
	return fresh
}

// grades are a record's, under the ids that the criteria have now.
func grades(r GraderRecord, g *rubric.Grader, was map[Part]Part) (all []score.Grade) {
	for _, c := range g.Criteria {
		kept := was[Part{g.Name, c.ID}].Criterion
		grade := score.Grade{Ungraded: "it has not been judged"}
		if i := slices.IndexFunc(r.Grades, func(s score.Grade) bool { return s.ID == kept }); i >= 0 {
			grade = r.Grades[i]
		}
		grade.ID = c.ID
		all = append(all, grade)
	}
	return all
}

// each visits graders' records, members too.
func each(records []GraderRecord, visit func(*GraderRecord)) {
	for i := range records {
		visit(&records[i])
		each(records[i].Members, visit)
	}
}

// replaced are graders' records with the grades of one with the same name in the
// place of those that they had.
func replaced(records []GraderRecord, by GraderRecord) []GraderRecord {
	records = slices.Clone(records)
	for i := range records {
		r := &records[i]
		if r.Name != by.Name {
			r.Members = replaced(r.Members, by)
			continue
		}
		r.Grades = slices.Clone(r.Grades)
		for _, fresh := range by.Grades {
			for j := range r.Grades {
				if r.Grades[j].ID == fresh.ID {
					r.Grades[j] = fresh
				}
			}
		}
	}
	return records
}
