package assertion

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// entryType is the grader kind for one type of entry, and the function that reads its settings.
// The function returns false to skip the entry.
type entryType struct {
	kind rubric.Kind
	read func(r *listReader, g *rubric.Grader, n *yaml.Node) (keep bool)
}

// commonTypes returns the types that all versions have.
func commonTypes() map[string]entryType {
	types := map[string]entryType{
		"field-accuracy":    {rubric.FieldAccuracy, (*listReader).ReadSettings},
		"latency":           {rubric.Latency, (*listReader).ReadSettings},
		"cost":              {rubric.Cost, (*listReader).ReadSettings},
		"token-usage":       {rubric.TokenUsage, (*listReader).ReadSettings},
		"execution-metrics": {rubric.ExecutionMetrics, (*listReader).ReadSettings},
		rubric.IsJSON:       {rubric.Deterministic, (*listReader).readAny},
		rubric.Regex:        {rubric.Deterministic, (*listReader).readRegex},
	}
	for _, typ := range []string{rubric.Contains, rubric.IContains, rubric.StartsWith, rubric.EndsWith, rubric.Equals} {
		types[typ] = entryType{rubric.Deterministic, (*listReader).readText}
	}
	for _, typ := range []string{rubric.ContainsAny, rubric.ContainsAll, rubric.IContainsAny, rubric.IContainsAll} {
		types[typ] = entryType{rubric.Deterministic, (*listReader).readTexts}
	}
	return types
}

func v4Types() map[string]entryType {
	types := commonTypes()
	maps.Copy(types, map[string]entryType{
		"rubrics":           {rubric.LLMJudge, (*listReader).readRubrics},
		"rubric":            {rubric.LLMJudge, (*listReader).readLegacyRubric},
		"llm-grader":        {rubric.LLMJudge, (*listReader).readLLMGrader},
		"code-grader":       {rubric.CodeJudge, (*listReader).readProgram},
		"composite":         {rubric.Composite, (*listReader).readComposite},
		"tool-trajectory":   {rubric.ToolTrajectory, (*listReader).ReadSettings},
		rubric.SkillTrigger: {rubric.TraceSteps, (*listReader).readSkill},
	})
	return types
}

func headTypes() map[string]entryType {
	types := commonTypes()
	maps.Copy(types, map[string]entryType{
		"llm-rubric":   {rubric.LLMJudge, (*listReader).readLLMRubric},
		"agent-rubric": {rubric.LLMJudge, (*listReader).readLLMRubric},
		"script":       {rubric.CodeJudge, (*listReader).readProgram},
		"assert-set":   {rubric.AssertSet, (*listReader).readSet},
	})
	for _, typ := range []string{"javascript", "python", "webhook", "similar"} {
		types[typ] = entryType{rubric.External, (*listReader).readService}
	}
	for _, typ := range []string{"trajectory:tool-used", "trajectory:tool-args-match", "trajectory:tool-sequence", "trajectory:step-count", rubric.GoalSuccess, rubric.SkillUsed, rubric.NotSkillUsed} {
		types[typ] = entryType{rubric.TraceSteps, (*listReader).readTrace}
		if strings.HasPrefix(typ, trajectoryPrefix) {
			types["not-"+typ] = types[typ]
		}
	}
	return types
}

// retiredTypes are the types that V4 skips because it has new names for them.
var retiredTypes = []string{"code-judge", "code_judge", "llm-judge", "llm_judge"}

// renamedTypes are the types that Head refuses because it has new names for them.
var renamedTypes = []string{
	"script-grader", "code-judge", "code_judge", "code_grader", "g-eval", "rubrics", "rubric", "composite",
	"llm-grader", "llm_grader", "llm-judge", "llm_judge", "tool-trajectory", "tool_trajectory", "skill-trigger",
	"field_accuracy", "token_usage", "execution_metrics", "contains_any", "contains_all", "icontains_any",
	"icontains_all", "starts_with", "ends_with", "is_json",
}

// foreignTypes are another tool's types. Head refuses them, also after `not-`, so that they are
// not mistaken for a plugin's types.
var foreignTypes = []string{
	"answer-relevance", "bleu", "classifier", "contains-html", "contains-json", "contains-sql", "contains-xml",
	"context-faithfulness", "context-recall", "context-relevance", "conversation-relevance", "factuality",
	"finish-reason", "gleu", "guardrails", "is-html", "is-refusal", "is-sql", "is-valid-function-call",
	"is-valid-openai-function-call", "is-valid-openai-tools-call", "is-xml", "levenshtein", "meteor",
	"model-graded-closedqa", "model-graded-factuality", "moderation", "perplexity", "perplexity-score", "pi",
	"rouge-n", "ruby", "similar:cosine", "similar:dot", "similar:euclidean", "select-best", "human", "max-score",
	"tool-call-f1", "trace-error-spans", "trace-span-count", "trace-span-duration", "search-rubric", "word-count",
}

// RefusedTypes returns the types that a version refuses. Other unknown types belong to plugins.
func RefusedTypes(v agentv.Version) []string {
	if v == agentv.V4 {
		return retiredTypes
	}
	refused := slices.Concat(renamedTypes, foreignTypes)
	for _, typ := range foreignTypes {
		refused = append(refused, "not-"+typ)
	}
	return refused
}

// versionKeys are a version's names. V4 has `assertions` with `rubrics`; Head has `assert`
// with `llm-rubric`.
type versionKeys struct {
	lists      []string // keys of the list in a case or a suite; the first one present counts
	execution  []string // the same within `execution`
	graderName string   // the key of a grader's name
	rubricName string   // the name of the rubric made of plain texts
	rubricType string   // the type of a rubric
	types      map[string]entryType
}

func keysFor(v agentv.Version) versionKeys {
	if v == agentv.V4 {
		return versionKeys{
			lists: []string{"assertions", "assert"}, execution: []string{"evaluators"},
			graderName: "name", rubricName: "rubrics", rubricType: "llm-grader", types: v4Types(),
		}
	}
	return versionKeys{
		lists: []string{"assert"}, execution: []string{"assert"},
		graderName: "metric", rubricName: "llm-rubric", rubricType: "llm-rubric", types: headTypes(),
	}
}
