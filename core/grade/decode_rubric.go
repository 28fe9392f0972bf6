package grade

import (
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// decodeSpec wants every criterion named exactly once and graded in its own
// form. What the judge gives as reasons may be missing.
func decodeSpec(criteria []*rubric.Criterion, object map[string]any) DecodedReply {
	var d DecodedReply
	d.Reasoning, _ = object["overall_reasoning"].(string)
	list, ok := object["checks"].([]any)
	if !ok {
		d.Problems = append(d.Problems, fmt.Sprintf("`checks` is %s, not a list", describeValue(object["checks"])))
	}
	wanted := map[string]int{}
	for _, c := range criteria {
		wanted[c.ID]++
	}
	found := map[string][]map[string]any{}
	for i, item := range list {
		check, _ := item.(map[string]any)
		id, ok := check["id"].(string)
		switch {
		case !ok:
			d.Problems = append(d.Problems, fmt.Sprintf("check %d has no `id`", i+1))
		case wanted[id] == 0:
			d.Problems = append(d.Problems, fmt.Sprintf("`%s` is none of the criteria", id))
		default:
			found[id] = append(found[id], check)
		}
	}
	next := map[string]int{}
	for _, c := range criteria {
		checks := found[c.ID]
		g := score.Grade{ID: c.ID}
		switch i := next[c.ID]; {
		case i >= len(checks):
			g.Ungraded = "it is missing"
		case len(checks) > wanted[c.ID]:
			g.Ungraded = fmt.Sprintf("it is graded %d times", len(checks))
		default:
			g = decodeCheck(c, checks[i])
		}
		next[c.ID]++
		if g.Ungraded != "" {
			d.Problems = append(d.Problems, fmt.Sprintf("criterion `%s`: %s", c.ID, g.Ungraded))
		}
		d.Grades = append(d.Grades, g)
	}
	return d
}

func decodeCheck(c *rubric.Criterion, check map[string]any) score.Grade {
	g := score.Grade{ID: c.ID}
	g.Reasoning, _ = check["reasoning"].(string)
	if c.HasBands() {
		var wrong string
		if g.Score, wrong = rawScore(check["score"]); wrong != "" {
			g.Ungraded = "`score` " + wrong
		}
		return g
	}
	satisfied, ok := check["satisfied"].(bool)
	if !ok {
		g.Ungraded = fmt.Sprintf("`satisfied` is %s, not true or false", describeValue(check["satisfied"]))
		return g
	}
	g.Satisfied = &satisfied
	return g
}

// decodeAgentV wants the form of one check everywhere, and does not mind which
// criteria are named: checks of unknown ones are dropped.
func decodeAgentV(criteria []*rubric.Criterion, object map[string]any) DecodedReply {
	scored := score.HasRanged(criteria)
	var d DecodedReply
	d.readReasoning(object, "overall_reasoning", !scored)
	list, ok := object["checks"].([]any)
	if !ok {
		d.Problems = append(d.Problems, fmt.Sprintf("`checks` is %s, not a list", describeValue(object["checks"])))
	}
	for i, item := range list {
		check, _ := item.(map[string]any)
		g, wrong := decodeCheckAgentV(check, scored)
		if wrong != "" {
			d.Problems = append(d.Problems, fmt.Sprintf("check %d: %s", i+1, wrong))
		}
		if slices.ContainsFunc(criteria, func(c *rubric.Criterion) bool { return c.ID == g.ID }) {
			d.Grades = append(d.Grades, g)
		}
	}
	if len(d.Problems) > 0 {
		return DecodedReply{Problems: d.Problems}
	}
	return d
}

func decodeCheckAgentV(check map[string]any, scored bool) (score.Grade, string) {
	id, ok := check["id"].(string)
	if !ok {
		return score.Grade{}, "it has no `id`"
	}
	g := score.Grade{ID: id}
	reason, given := check["reasoning"]
	if g.Reasoning, ok = reason.(string); !ok && (given || !scored) {
		return g, fmt.Sprintf("`reasoning` is %s, not a string", describeValue(reason))
	}
	if scored {
		var wrong string
		if g.Score, wrong = rawScore(check["score"]); wrong != "" {
			return g, "`score` " + wrong
		}
		return g, ""
	}
	satisfied, ok := check["satisfied"].(bool)
	if !ok {
		return g, fmt.Sprintf("`satisfied` is %s, not true or false", describeValue(check["satisfied"]))
	}
	g.Satisfied = &satisfied
	return g, ""
}
