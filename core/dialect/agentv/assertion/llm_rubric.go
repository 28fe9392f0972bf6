package assertion

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// removedRubricKeys are former keys for the criteria of Head's rubric.
var removedRubricKeys = []string{"criteria", "rubric_item", "rubricItem", "rubrics"}

// readLLMRubric reads Head's rubric. Its value is a list of criteria or one criterion. Any other
// value goes to the judge as it is.
func (r *listReader) readLLMRubric(g *rubric.Grader, n *yaml.Node) (keep bool) {
	for _, key := range removedRubricKeys {
		if older := n.Get(key); older != nil {
			r.refuseCase(RubricField, older, key)
		}
	}
	if _, isText := n.Get("target").Str(); isText {
		r.refuseCase(RubricField, n.Get("target"), "target")
	}
	if g.Assert.Type == "agent-rubric" {
		r.AddLoss(AgentUnasked, rubric.Silent, n.Get("type"), "")
	}
	prompt := n.Get("prompt")
	if prompt.IsNull() && g.Assert.Type == r.keys.rubricType {
		prompt = r.DefaultPrompt
	}
	g.Prompt, g.Samples = r.readPrompt(prompt), seed.ReadSamples(n)
	known := slices.Concat([]string{"value", "score_ranges"}, removedRubricKeys, judgeKeys)
	g.Assert.Config = r.mergeConfig(n, r.otherKeys(n, known))
	value := n.Get("value")
	if value != nil {
		g.Assert.ValueSpan = r.SpanOf(value)
	}
	g.Criteria = r.readStructured(value, n)
	if text, ok := value.Str(); ok && text != "" {
		g.Assert.Value = text
	} else if len(g.Criteria) == 0 && !isFalsy(value) {
		g.Assert.Value = value.Any()
		if value.IsSeq() {
			r.AddLoss(RubricFreeForm, rubric.Silent, value, "")
		}
	}
	if g.Assert.Value == nil && len(g.Criteria) == 0 && g.Prompt == nil {
		return r.Skip(RubricNoValue, cmp.Or(value, n), g.Name)
	}
	if g.Assert.Value == nil && len(g.Criteria) == 0 && (g.Prompt.Path != "" || len(g.Prompt.Script) > 0) {
		g.Unread = true
		r.AddLoss(PromptAlone, rubric.Silent, prompt, "")
	}
	return true
}

// isFalsy reports whether a value is null, false, 0, an empty string or an empty list.
func isFalsy(n *yaml.Node) bool {
	switch value := n.Any().(type) {
	case nil:
		return true
	case bool:
		return !value
	case float64:
		return value == 0
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	}
	return false
}

// readStructured returns the criteria in value, or nil if value has none. Entry is the mapping
// that contains value.
func (r *listReader) readStructured(value, entry *yaml.Node) []*rubric.Criterion {
	if _, ok := value.Str(); ok {
		if entry.Get("score_ranges") == nil {
			return nil
		}
		return r.readSingle(value, entry)
	}
	if isCriterion(value) {
		return r.readNested(value)
	}
	for _, item := range value.List() {
		if _, isText := item.Str(); isText || isCriterion(item) {
			return r.readCriteria(value.List(), true)
		}
	}
	return nil
}

// isCriterion reports whether n is a criterion: it has the newest key for its text, ranges, or
// an older key for its text together with a key that only criteria have.
func isCriterion(n *yaml.Node) bool {
	if _, ok := n.Get("outcome").Str(); ok || n.Get("score_ranges") != nil {
		return true
	}
	if _, ok := n.Get("criteria").Str(); !ok {
		return false
	}
	return agentv.HasAnyKey(n, "id", "weight", "required", "min_score", "operator")
}

// readNested reads a mapping that is a criterion or contains criteria under an older key.
func (r *listReader) readNested(n *yaml.Node) []*rubric.Criterion {
	inner := agentv.FirstValue(n, "criteria", "rubrics", "rubric_item", "rubricItem")
	if _, ok := inner.Str(); ok {
		return r.readSingle(inner, n)
	}
	switch {
	case inner.IsSeq():
		return r.readCriteria(inner.List(), true)
	case inner.IsMap():
		return r.readNested(inner)
	}
	return r.readCriteria([]*yaml.Node{n}, true)
}

// readSingle returns one criterion with the text outcome and the settings in another node.
func (r *listReader) readSingle(outcome, settings *yaml.Node) []*rubric.Criterion {
	c := &rubric.Criterion{ID: rubric.AutoID(1), AutoID: true, Weight: 1, Span: r.SpanOf(settings)}
	if !r.readCriterionFields(c, settings, outcome) {
		return nil
	}
	return []*rubric.Criterion{c}
}

// judgeKeys are the keys of a judge that the runner knows, besides commonKeys.
var judgeKeys = []string{"prompt", "model", "target", "config", "max_steps", "maxSteps", "temperature", "preprocessors", "samples"}

// readRubrics reads V4's `type: rubrics`, a list of criteria.
func (r *listReader) readRubrics(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Type = r.keys.rubricType
	list := n.Get("criteria")
	if len(list.List()) == 0 {
		return r.Skip(CriteriaNotList, cmp.Or(list, n), "")
	}
	g.Samples = seed.ReadSamples(n)
	if g.Criteria = r.readCriteria(list.List(), true); len(g.Criteria) == 0 {
		return r.Skip(agentv.RubricsMissing, n, "")
	}
	return true
}

// readLegacyRubric reads V4's `type: rubric`, with criteria under the oldest key.
func (r *listReader) readLegacyRubric(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Type = r.keys.rubricType
	if g.Criteria = r.readCriteria(n.Get("rubrics").List(), false); len(g.Criteria) == 0 {
		return r.Skip(agentv.RubricsMissing, n, "")
	}
	return true
}

// readLLMGrader reads V4's judge. It may have criteria, a prompt or neither. A prompt without variables
// replaces the expected outcome.
func (r *listReader) readLLMGrader(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Criteria = r.readCriteria(n.Get("rubrics").List(), false)
	g.Prompt, g.Samples = r.readPrompt(n.Get("prompt")), seed.ReadSamples(n)
	if text, ok := n.Get("prompt").Str(); ok && g.Prompt.Path == "" && !grade.HasVariable(text) {
		if g.Prompt = nil; text != "" {
			g.Assert.Value = text
		}
	}
	g.Judge = n.Get("target").Text()
	g.Assert.Config = r.mergeConfig(n, r.otherKeys(n, append([]string{"rubrics"}, judgeKeys...)))
	return true
}
