package assertion

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// judgeKeys are the keys of a judge that the runner knows, besides those that
// every entry may have.
var judgeKeys = []string{"prompt", "model", "target", "config", "max_steps", "maxSteps", "temperature", "preprocessors", "samples"}

// rubrics reads Stable's `type: rubrics`, a list of criteria.
func (r *reading) rubrics(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Type = r.words.judge
	list := n.Get("criteria")
	if len(list.List()) == 0 {
		at := n
		if list != nil {
			at = list
		}
		return r.skip(CriteriaNotList, at, "")
	}
	g.Samples = agentv.Samples(n)
	if g.Criteria = r.criteria(list.List(), true); len(g.Criteria) == 0 {
		return r.skip(agentv.RubricsMissing, n, "")
	}
	return true
}

// legacyRubric reads Stable's `type: rubric`, which has criteria under the
// oldest name.
func (r *reading) legacyRubric(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Type = r.words.judge
	if g.Criteria = r.criteria(n.Get("rubrics").List(), false); len(g.Criteria) == 0 {
		return r.skip(agentv.RubricsMissing, n, "")
	}
	return true
}

// llmGrader reads Stable's judge, which may have criteria, a prompt or neither.
func (r *reading) llmGrader(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Criteria = r.criteria(n.Get("rubrics").List(), false)
	g.Prompt, g.Samples = r.prompt(n.Get("prompt")), agentv.Samples(n)
	g.Assert.Config = r.config(n, r.rest(n, append([]string{"rubrics"}, judgeKeys...)))
	return true
}
