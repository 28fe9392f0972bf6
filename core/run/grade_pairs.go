package run

import "github.com/rubric-ls/rubric/core/score"

// gradedCriterion is a criterion with its grade.
type gradedCriterion struct {
	grader    string
	criterion CriterionRecord
	grade     score.Grade
	match     *gradedCriterion // in the other run; nil as long as there is none
}

// criterionKey is what a criterion of one grader is known by.
type criterionKey struct {
	grader, name string
	isText       bool // they are its text, and not its id
}

func keyByID(g gradedCriterion) criterionKey { return criterionKey{g.grader, g.criterion.ID, false} }

// keyByText is the text of one that is numbered.
func keyByText(g gradedCriterion) criterionKey {
	if g.criterion.hasNumberedID() && g.criterion.Text != "" {
		return criterionKey{g.grader, g.criterion.Text, true}
	}
	return keyByID(g)
}

// pairGrades visits the criteria that two runs of a case both have, in the second's
// order. Several that are known by the same are paired in their order; what no text
// pairs, such as one that was worded anew, its number may.
func pairGrades(first, second []GraderRecord, visit func(was, is *gradedCriterion)) {
	old, now := gradedCriteria(first), gradedCriteria(second)
	for _, keyOf := range []func(gradedCriterion) criterionKey{keyByText, keyByID} {
		unpaired := map[criterionKey][]*gradedCriterion{}
		for i := range old {
			if old[i].match == nil {
				unpaired[keyOf(old[i])] = append(unpaired[keyOf(old[i])], &old[i])
			}
		}
		for i := range now {
			key := keyOf(now[i])
			if found := unpaired[key]; now[i].match == nil && len(found) > 0 {
				now[i].match, found[0].match, unpaired[key] = found[0], &now[i], found[1:]
			}
		}
	}
	for i := range now {
		if now[i].match != nil {
			visit(now[i].match, &now[i])
		}
	}
}

// gradedCriteria are the grades of graders and their members.
func gradedCriteria(graders []GraderRecord) (all []gradedCriterion) {
	eachGrader(graders, func(g *GraderRecord) {
		for _, grade := range g.Grades {
			criterion := g.findCriterion(grade.ID)
			criterion.ID = grade.ID
			all = append(all, gradedCriterion{grader: g.Name, criterion: criterion, grade: grade})
		}
	})
	return all
}
