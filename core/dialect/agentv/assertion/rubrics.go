package assertion

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// judgeKeys are the keys of a judge that the runner knows, besides those that
// every entry may have.
var judgeKeys = []string{"prompt", "model", "target", "config", "max_steps", "maxSteps", "temperature", "preprocessors", "samples"}

// readRubrics reads Stable's `type: rubrics`, a list of criteria.
func (r *listReader) readRubrics(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Type = r.keys.rubricType
	list := n.Get("criteria")
	if len(list.List()) == 0 {
		at := n
		if list != nil {
			at = list
		}
		return r.skipEntry(CriteriaNotList, at, "")
	}
	g.Samples = agentv.ReadSamples(n)
	if g.Criteria = r.readCriteria(list.List(), true); len(g.Criteria) == 0 {
		return r.skipEntry(agentv.RubricsMissing, n, "")
	}
	return true
}

// readLegacyRubric reads Stable's `type: rubric`, which has criteria under the
// oldest name.
func (r *listReader) readLegacyRubric(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Type = r.keys.rubricType
	if g.Criteria = r.readCriteria(n.Get("rubrics").List(), false); len(g.Criteria) == 0 {
		return r.skipEntry(agentv.RubricsMissing, n, "")
	}
	return true
}

// readLLMGrader reads Stable's judge, which may have criteria, a prompt or neither.
func (r *listReader) readLLMGrader(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Criteria = r.readCriteria(n.Get("rubrics").List(), false)
	g.Prompt, g.Samples = r.readPrompt(n.Get("prompt")), agentv.ReadSamples(n)
	g.Assert.Config = r.mergeConfig(n, r.otherKeys(n, append([]string{"rubrics"}, judgeKeys...)))
	return true
}
