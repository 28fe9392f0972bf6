package assertion

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// form is how the entries of one type are read: the kind of grader they make,
// and the function that reads their settings and says whether they are kept.
type form struct {
	kind rubric.Kind
	read func(r *reading, g *rubric.Grader, n *yaml.Node) (keep bool)
}

// commonForms are the types that all versions have.
func commonForms() map[string]form {
	forms := map[string]form{
		"field-accuracy":    {rubric.FieldAccuracy, (*reading).settings},
		"latency":           {rubric.Latency, (*reading).settings},
		"cost":              {rubric.Cost, (*reading).settings},
		"token-usage":       {rubric.TokenUsage, (*reading).settings},
		"execution-metrics": {rubric.ExecutionMetrics, (*reading).settings},
		rubric.IsJSON:       {rubric.Deterministic, (*reading).isJSON},
		rubric.Regex:        {rubric.Deterministic, (*reading).regex},
	}
	for _, typ := range []string{rubric.Contains, rubric.IContains, rubric.StartsWith, rubric.EndsWith, rubric.Equals} {
		forms[typ] = form{rubric.Deterministic, (*reading).text}
	}
	for _, typ := range []string{rubric.ContainsAny, rubric.ContainsAll, rubric.IContainsAny, rubric.IContainsAll} {
		forms[typ] = form{rubric.Deterministic, (*reading).texts}
	}
	return forms
}

func stableForms() map[string]form {
	forms := commonForms()
	maps.Copy(forms, map[string]form{
		"rubrics":         {rubric.LLMJudge, (*reading).rubrics},
		"rubric":          {rubric.LLMJudge, (*reading).legacyRubric},
		"llm-grader":      {rubric.LLMJudge, (*reading).llmGrader},
		"code-grader":     {rubric.CodeJudge, (*reading).program},
		"composite":       {rubric.Composite, (*reading).composite},
		"tool-trajectory": {rubric.ToolTrajectory, (*reading).settings},
		"skill-trigger":   {rubric.External, (*reading).skill},
	})
	return forms
}

func headForms() map[string]form {
	forms := commonForms()
	maps.Copy(forms, map[string]form{
		"llm-rubric":   {rubric.LLMJudge, (*reading).llmRubric},
		"agent-rubric": {rubric.LLMJudge, (*reading).llmRubric},
		"script":       {rubric.CodeJudge, (*reading).program},
		"assert-set":   {rubric.AssertSet, (*reading).set},
	})
	for _, typ := range []string{"javascript", "python", "webhook", "similar"} {
		forms[typ] = form{rubric.External, (*reading).service}
	}
	for _, typ := range []string{
		"skill-used", "not-skill-used", "trajectory:tool-used", "trajectory:tool-args-match",
		"trajectory:tool-sequence", "trajectory:step-count", "trajectory:goal-success",
	} {
		forms[typ] = form{rubric.External, (*reading).trace}
	}
	return forms
}

// settings reads a grader whose settings are written alike in all versions.
func (r *reading) settings(g *rubric.Grader, n *yaml.Node) (keep bool) {
	keep, lost := agentv.Settings(g, n)
	for _, l := range lost {
		if r.place != nil {
			l.Span = *r.place
		}
		r.losses = append(r.losses, l)
	}
	return keep
}

// retiredTypes are those that Stable skips because they have another name there.
var retiredTypes = []string{"code-judge", "code_judge", "llm-judge", "llm_judge"}

// replaced are types that Head refuses because they have another name there.
var replaced = []string{
	"script-grader", "code-judge", "code_judge", "code_grader", "g-eval", "rubrics", "rubric", "composite",
	"llm-grader", "llm_grader", "llm-judge", "llm_judge", "tool-trajectory", "tool_trajectory", "skill-trigger",
	"field_accuracy", "token_usage", "execution_metrics", "contains_any", "contains_all", "icontains_any",
	"icontains_all", "starts_with", "ends_with", "is_json",
}

// foreign are types of another tool's that Head refuses, also after `not-`, so
// that they are not taken for a plugin's.
var foreign = []string{
	"answer-relevance", "bleu", "classifier", "contains-html", "contains-json", "contains-sql", "contains-xml",
	"context-faithfulness", "context-recall", "context-relevance", "conversation-relevance", "factuality",
	"finish-reason", "gleu", "guardrails", "is-html", "is-refusal", "is-sql", "is-valid-function-call",
	"is-valid-openai-function-call", "is-valid-openai-tools-call", "is-xml", "levenshtein", "meteor",
	"model-graded-closedqa", "model-graded-factuality", "moderation", "perplexity", "perplexity-score", "pi",
	"rouge-n", "ruby", "similar:cosine", "similar:dot", "similar:euclidean", "select-best", "human", "max-score",
	"tool-call-f1", "trace-error-spans", "trace-span-count", "trace-span-duration", "search-rubric", "word-count",
}

// Refused are the types that a version does not take, though it takes unknown
// ones for a plugin's.
func Refused(v agentv.Version) []string {
	if v == agentv.Stable {
		return retiredTypes
	}
	refused := slices.Concat(replaced, foreign)
	for _, typ := range foreign {
		refused = append(refused, "not-"+typ)
	}
	return refused
}
