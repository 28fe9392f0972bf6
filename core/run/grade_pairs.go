package run

import "github.com/rubric-ls/rubric/core/score"

type gradedCriterion struct {
	grader    string
	criterion CriterionRecord
	grade     score.Grade
	match     *gradedCriterion // the same criterion in the other run; nil if none was found
}

type criterionKey struct {
	grader, name string
	isText       bool // name is the criterion's text rather than its id
}

func keyByID(g gradedCriterion) criterionKey { return criterionKey{g.grader, g.criterion.ID, false} }

// keyByText returns a key with the criterion's text if the criterion has no id of its own, and
// keyByID otherwise.
func keyByText(g gradedCriterion) criterionKey {
	if g.criterion.hasNumberedID() && g.criterion.Text != "" {
		return criterionKey{g.grader, g.criterion.Text, true}
	}
	return keyByID(g)
}

// pairGrades visits the criteria that both runs of a case have, in the second's order. It matches
// by text first and then by number, because the text may have been reworded. Criteria with equal
// keys are matched in order.
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
