package metric

import "fmt"

// EffectiveRubrics is the rubrics that a turn is judged by: all of the criterion's, and
// of the turn's those whose type is exactly the metric's. A turn's rubric without
// a type is for no metric. An error says which id comes twice, or that there are
// none.
func EffectiveRubrics(p Profile, kind string, criterion, turn []Rubric) ([]Rubric, error) {
	if p == V2 && len(criterion) == 0 {
		return nil, unusableError("the criterion has no rubrics, and ADK 2.0 takes those of cases only beside them")
	}
	var fitting []Rubric
	for _, r := range turn {
		if kind == "" || r.Type == kind {
			fitting = append(fitting, r)
		}
	}
	scope := "criterion"
	all, duplicate := mergeRubrics(criterion)
	if duplicate == "" {
		scope = "turn"
		all, duplicate = mergeRubrics(criterion, fitting)
	}
	switch {
	case duplicate != "":
		return nil, unusableError(fmt.Sprintf("a rubric with the id `%s` already exists; the %s has it once more", duplicate, scope))
	case len(all) == 0 && len(turn) > 0:
		return nil, unusableError(fmt.Sprintf("there are no rubrics to judge by: of the turn's %d none has the type `%s`", len(turn), kind))
	case len(all) == 0:
		return nil, unusableError("there are no rubrics to judge by")
	}
	return all, nil
}
