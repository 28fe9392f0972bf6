package newer

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
)

// filled are copies of graders whose texts are filled with variables. What is
// there stays as it is, for other cases share it.
func filled(graders []*rubric.Grader, vars map[string]any) []*rubric.Grader {
	out := make([]*rubric.Grader, len(graders))
	for i, g := range graders {
		copied := *g
		fillString(&copied.Name, vars)
		copied.Members = filled(g.Members, vars)
		copied.Criteria = slices.Clone(g.Criteria)
		for j, c := range g.Criteria {
			copied.Criteria[j] = filledCriterion(*c, vars)
		}
		said := *g.Assert
		said.Value = fill(said.Value, vars)
		copied.Assert = &said
		if g.Prompt != nil {
			prompt := *g.Prompt
			fillString(&prompt.Text, vars)
			copied.Prompt = &prompt
		}
		out[i] = &copied
	}
	return out
}

func filledCriterion(c rubric.Criterion, vars map[string]any) *rubric.Criterion {
	fillString(&c.Text, vars)
	c.Bands = slices.Clone(c.Bands)
	for i := range c.Bands {
		fillString(&c.Bands[i].Text, vars)
	}
	return &c
}
