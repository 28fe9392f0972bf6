package v4

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
)

// fillGraders are copies of graders whose texts are filled with variables. What is
// there stays as it is, for other cases share it.
func fillGraders(graders []*rubric.Grader, vars map[string]any) []*rubric.Grader {
	out := make([]*rubric.Grader, len(graders))
	for i, g := range graders {
		copied := *g
		fillString(&copied.Name, vars)
		copied.Members = fillGraders(g.Members, vars)
		copied.Criteria = slices.Clone(g.Criteria)
		for j, c := range g.Criteria {
			copied.Criteria[j] = fillCriterion(*c, vars)
		}
		assert := *g.Assert
		assert.Value = fillVariables(assert.Value, vars)
		copied.Assert = &assert
		if g.Prompt != nil {
			prompt := *g.Prompt
			fillString(&prompt.Text, vars)
			copied.Prompt = &prompt
		}
		out[i] = &copied
	}
	return out
}

func fillCriterion(c rubric.Criterion, vars map[string]any) *rubric.Criterion {
	fillString(&c.Text, vars)
	c.Bands = slices.Clone(c.Bands)
	for i := range c.Bands {
		fillString(&c.Bands[i].Text, vars)
	}
	return &c
}
