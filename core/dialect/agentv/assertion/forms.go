package assertion

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// entryType is how the entries of one type are read: the kind of grader they make,
// and the function that reads their settings and says whether they are kept.
type entryType struct {
	kind rubric.Kind
	read func(r *listReader, g *rubric.Grader, n *yaml.Node) (keep bool)
}

// commonTypes are the types that all versions have.
func commonTypes() map[string]entryType {
	forms := map[string]entryType{
		"field-accuracy":    {rubric.FieldAccuracy, (*listReader).readSettings},
		"latency":           {rubric.Latency, (*listReader).readSettings},
		"cost":              {rubric.Cost, (*listReader).readSettings},
		"token-usage":       {rubric.TokenUsage, (*listReader).readSettings},
		"execution-metrics": {rubric.ExecutionMetrics, (*listReader).readSettings},
		rubric.IsJSON:       {rubric.Deterministic, (*listReader).readIsJSON},
		rubric.Regex:        {rubric.Deterministic, (*listReader).readRegex},
	}
	for _, typ := range []string{rubric.Contains, rubric.IContains, rubric.StartsWith, rubric.EndsWith, rubric.Equals} {
		forms[typ] = entryType{rubric.Deterministic, (*listReader).readText}
	}
	for _, typ := range []string{rubric.ContainsAny, rubric.ContainsAll, rubric.IContainsAny, rubric.IContainsAll} {
		forms[typ] = entryType{rubric.Deterministic, (*listReader).readTexts}
	}
	return forms
}

func stableTypes() map[string]entryType {
	forms := commonTypes()
	maps.Copy(forms, map[string]entryType{
		"rubrics":         {rubric.LLMJudge, (*listReader).readRubrics},
		"rubric":          {rubric.LLMJudge, (*listReader).readLegacyRubric},
		"llm-grader":      {rubric.LLMJudge, (*listReader).readLLMGrader},
		"code-grader":     {rubric.CodeJudge, (*listReader).readProgram},
		"composite":       {rubric.Composite, (*listReader).readComposite},
		"tool-trajectory": {rubric.ToolTrajectory, (*listReader).readSettings},
		"skill-trigger":   {rubric.External, (*listReader).readSkill},
	})
	return forms
}

func headTypes() map[string]entryType {
	forms := commonTypes()
	maps.Copy(forms, map[string]entryType{
		"llm-rubric":   {rubric.LLMJudge, (*listReader).readLLMRubric},
		"agent-rubric": {rubric.LLMJudge, (*listReader).readLLMRubric},
		"script":       {rubric.CodeJudge, (*listReader).readProgram},
		"assert-set":   {rubric.AssertSet, (*listReader).readSet},
	})
	for _, typ := range []string{"javascript", "python", "webhook", "similar"} {
		forms[typ] = entryType{rubric.External, (*listReader).readService}
	}
	for _, typ := range []string{
		"skill-used", "not-skill-used", "trajectory:tool-used", "trajectory:tool-args-match",
		"trajectory:tool-sequence", "trajectory:step-count", "trajectory:goal-success",
	} {
		forms[typ] = entryType{rubric.External, (*listReader).readTrace}
	}
	return forms
}

// readSettings reads a grader whose settings are written alike in all versions.
func (r *listReader) readSettings(g *rubric.Grader, n *yaml.Node) (keep bool) {
	keep, lost := agentv.ReadSettings(g, n)
	for _, l := range lost {
		if r.includedAt != nil {
			l.Span = *r.includedAt
		}
		r.losses = append(r.losses, l)
	}
	return keep
}

// retiredTypes are those that Stable skips because they have another name there.
var retiredTypes = []string{"code-judge", "code_judge", "llm-judge", "llm_judge"}

// renamedTypes are types that Head refuses because they have another name there.
var renamedTypes = []string{
	"script-grader", "code-judge", "code_judge", "code_grader", "g-eval", "rubrics", "rubric", "composite",
	"llm-grader", "llm_grader", "llm-judge", "llm_judge", "tool-trajectory", "tool_trajectory", "skill-trigger",
	"field_accuracy", "token_usage", "execution_metrics", "contains_any", "contains_all", "icontains_any",
	"icontains_all", "starts_with", "ends_with", "is_json",
}

// foreignTypes are types of another tool's that Head refuses, also after `not-`, so
// that they are not taken for a plugin's.
var foreignTypes = []string{
	"answer-relevance", "bleu", "classifier", "contains-html", "contains-json", "contains-sql", "contains-xml",
	"context-faithfulness", "context-recall", "context-relevance", "conversation-relevance", "factuality",
	"finish-reason", "gleu", "guardrails", "is-html", "is-refusal", "is-sql", "is-valid-function-call",
	"is-valid-openai-function-call", "is-valid-openai-tools-call", "is-xml", "levenshtein", "meteor",
	"model-graded-closedqa", "model-graded-factuality", "moderation", "perplexity", "perplexity-score", "pi",
	"rouge-n", "ruby", "similar:cosine", "similar:dot", "similar:euclidean", "select-best", "human", "max-score",
	"tool-call-f1", "trace-error-spans", "trace-span-count", "trace-span-duration", "search-rubric", "word-count",
}

// RefusedTypes are the types that a version does not take, though it takes unknown
// ones for a plugin's.
func RefusedTypes(v agentv.Version) []string {
	if v == agentv.Stable {
		return retiredTypes
	}
	refused := slices.Concat(renamedTypes, foreignTypes)
	for _, typ := range foreignTypes {
		refused = append(refused, "not-"+typ)
	}
	return refused
}
