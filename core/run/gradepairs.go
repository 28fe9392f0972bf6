package run

import "github.com/rubric-ls/rubric/core/score"

// graded is a criterion with its grade.
type graded struct {
	grader  string
	of      CriterionRecord
	grade   score.Grade
	partner *graded // in the other run; nil as long as there is none
}

// known is what a criterion of one grader is known by.
type known struct {
	grader, words string
	text          bool // they are its text, and not its id
}

func byID(g graded) known { return known{g.grader, g.of.ID, false} }

// byText is the text of one that is numbered.
func byText(g graded) known {
	if g.of.numbered() && g.of.Text != "" {
		return known{g.grader, g.of.Text, true}
	}
	return byID(g)
}

// gradePairs visits the criteria that two runs of a case both have, in the second's
// order. Several that are known by the same are paired in their order; what no text
// pairs, such as one that was worded anew, its number may.
func gradePairs(first, second []GraderRecord, visit func(was, is *graded)) {
	old, now := gradesOf(first), gradesOf(second)
	for _, by := range []func(graded) known{byText, byID} {
		left := map[known][]*graded{}
		for i := range old {
			if old[i].partner == nil {
				left[by(old[i])] = append(left[by(old[i])], &old[i])
			}
		}
		for i := range now {
			name := by(now[i])
			if found := left[name]; now[i].partner == nil && len(found) > 0 {
				now[i].partner, found[0].partner, left[name] = found[0], &now[i], found[1:]
			}
		}
	}
	for i := range now {
		if now[i].partner != nil {
			visit(now[i].partner, &now[i])
		}
	}
}

// gradesOf are the grades of graders and their members.
func gradesOf(graders []GraderRecord) (all []graded) {
	each(graders, func(g *GraderRecord) {
		for _, grade := range g.Grades {
			of := g.criterion(grade.ID)
			of.ID = grade.ID
			all = append(all, graded{grader: g.Name, of: of, grade: grade})
		}
	})
	return all
}
