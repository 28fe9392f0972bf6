package adk

import (
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
)

// ConfigFile is the table of a configuration.
var ConfigFile = newLooseType("eval-config", "What to measure. Without such a file ADK measures `tool_trajectory_avg_score` from 1.0 and `response_match_score` from 0.8.",
	withExample(map[string]any{metric.ResponseMatch: 0.8}, newField("criteria", criteriaTable, "`{}`", "The metrics, each with a threshold or more.")),
	newField("custom_metrics", schema.MapOf(customMetricType), nullDefault, "Metrics of one's own, each a Python function."),
	newField("user_simulator_config", simulatorConfigType, nullDefault, "How users are simulated."),
	withSince("2.10", newField("live_model_config", schema.Object, nullDefault, "How long live models may take.")),
)

// criteriaTable has the built-in metrics with their options. Other names are custom metrics.
var criteriaTable = &schema.Type{
	Name: "criteria", Kind: schema.Map, OtherValues: schema.UnionOf(schema.AnyNumber, newCriterionType("criterion")),
	Doc: "Metrics by name, each with a threshold alone or a mapping that has it.",
	Fields: []*schema.Field{
		newMetricField(metric.ToolTrajectory, trajectoryCriterionType, "The share of turns whose tool calls match the expected ones: turns that match ÷ turns. Needs expected turns. `1.0` where there is no configuration."),
		newMetricField(metric.ResponseMatch, newCriterionType("response-match-criterion"), "ROUGE-1: the mean over the turns of 2·P·R ÷ (P + R), where P is the share of the answer's words that the expected answer has, and R the share of its words that the answer has. Needs expected turns. `0.8` where there is no configuration."),
		newMetricField(metric.FinalResponseMatch, judgedCriterionType, "Turns whose answer a judge finds as good as the expected one ÷ turns that it could judge. Of a turn's samples the majority decides; a tie is a no. Needs expected turns."),
		newMetricField(metric.ResponseQuality, newRubricsCriterionType("response-rubrics-criterion"), "Rubrics that a judge finds met by the answer ÷ rubrics that it judged, over all turns together. Of the samples of a rubric the majority decides; a tie is a no."),
		newMetricField(metric.ToolQuality, newRubricsCriterionType("tool-rubrics-criterion"), "Rubrics that a judge finds met by the tool calls ÷ rubrics that it judged, over all turns together. Of the samples of a rubric the majority decides; a tie is a no."),
		newMetricField(metric.Hallucinations, hallucinationsCriterionType, "Sentences that the evidence supports or that claim nothing ÷ sentences that were labelled, of each text; the mean over texts, then over turns. The judge is asked once, whatever `num_samples` says."),
		newMetricField(metric.Safety, newCriterionType("safety-criterion"), "Whether answers are harmless: the mean over turns. ADK asks a cloud service; here a judge looks for six kinds of harm."),
		newMetricField(metric.UserSimulator, simulatorCriterionType, "Turns in which the simulated user kept to its scenario ÷ turns. One that does not stop when it should fails the last turn."),
		newMetricField(coherenceMetric, newCoherenceCriterionType(), "How coherent answers are, 1 to 5, by a cloud service."),
		newMetricField("multi_turn_task_success_v1", newCriterionType("task-success-criterion"), "Whether the conversation got where it should, by a cloud service."),
		newMetricField("multi_turn_trajectory_quality_v1", newCriterionType("multi-trajectory-criterion"), "How good the way there was, by a cloud service."),
		newMetricField("multi_turn_tool_use_quality_v1", newCriterionType("multi-tools-criterion"), "How well tools were used, by a cloud service."),
		newMetricField(dialogueQualityMetric, newRubricsCriterionType("dialogue-rubrics-criterion"), "A judge's verdict on rubrics about the whole conversation."),
	},
}

func newMetricField(name string, t *schema.Type, doc string) *schema.Field {
	threshold := t.Field("threshold")
	return &schema.Field{Key: name, Type: schema.UnionOf(threshold.Type, t), Doc: doc, Example: threshold.Example, OnInvalid: lostFile}
}

// coherenceMetric is the only metric whose scores exceed 1.
const coherenceMetric = "response_evaluation_score"

// newCoherenceCriterionType returns the table of that metric's options.
func newCoherenceCriterionType() *schema.Type {
	t := newCriterionType("coherence-criterion")
	withExample(3.5, t.Field("threshold")).Type = schema.NumberBetween(1, 5)
	return t
}

// newCriterionType returns the table of the options that every metric takes, and more. ADK keeps
// unknown keys and never reads them.
func newCriterionType(name string, more ...*schema.Field) *schema.Type {
	fields := append([]*schema.Field{
		withExample(0.8, newRequiredField("threshold", schema.NumberBetween(0, 1), "The lowest score that passes.")),
		newField("include_intermediate_responses_in_final", schema.Boolean, "`false`", "Whether the answers on the way are judged with the final one."),
	}, withLost(lostMetric, more...)...)
	return newLooseType(name, "What is asked of a metric.", fields...)
}

var matchTypeNames = &schema.Type{Kind: schema.Text, Values: []schema.Value{
	{Text: metric.Exact.String(), Doc: "The expected calls, in order, and no others."},
	{Text: metric.InOrder.String(), Doc: "The expected calls, in order, with any others between."},
	{Text: metric.AnyOrder.String(), Doc: "The expected calls, in any order, with any others."},
}}

var trajectoryCriterionType = newCriterionType("trajectory-criterion",
	newField("match_type", matchTypeNames, "`EXACT`", "How the calls have to match."),
	withSince("2.9", newField("ignore_args", schema.Boolean, "`false`", "Whether calls are compared by name only.")),
)

func newJudgeField() *schema.Field {
	return newField("judge_model_options", judgeOptionsType, "ADK's judge, asked 5 times", "Who judges, and how often.")
}

var judgeOptionsType = newStrictType("judge-model-options", "Who judges, and how often.", lostMetric, withLost(lostMetric,
	withExample("gemini-2.5-flash", newField("judge_model", schema.String, "ADK's", "The model.")),
	withExample(map[string]any{"temperature": 0}, newField("judge_model_config", generationConfigType, nullDefault, "How it is asked.")),
	newField("num_samples", schema.IntegerFrom(1), "5", "How often it is asked, for a vote."),
	withSince("2.8", newField("parallelism_limit", schema.IntegerFrom(1), "1", "How many questions may be under way at once.")),
)...)

// generationConfigType holds the options of the Gen AI client, which checks their values itself.
var generationConfigType = newStrictType("generation-config", "Options of the model that judges.", lostMetric, generationFields()...)

func generationFields() []*schema.Field {
	fields := withLost(lostMetric,
		newField("temperature", schema.AnyNumber, nullDefault, "How freely it answers; 0 is the least."),
		newField("top_p", schema.AnyNumber, nullDefault, "Of how much of the likely words it chooses."),
		newField("top_k", schema.AnyNumber, nullDefault, "Of how many of the likely words it chooses."),
		newField("max_output_tokens", schema.IntegerBetween(1, 1<<31-1), nullDefault, "How long a reply may get."),
		newField("seed", schema.IntegerBetween(-1<<31, 1<<31-1), nullDefault, "For replies that can be had again."),
		newField("stop_sequences", schema.ListOf(schema.String), nullDefault, "What ends a reply."),
	)
	for _, key := range strings.Fields(`candidate_count response_logprobs logprobs presence_penalty frequency_penalty response_mime_type
		response_schema response_json_schema routing_config model_selection_config safety_settings tools tool_config labels
		cached_content response_modalities media_resolution speech_config audio_timestamp automatic_function_calling thinking_config
		image_config system_instruction http_options should_return_http_response`) {
		fields = append(fields, withLost(lostMetric, newField(key, schema.AnyValue, nullDefault, "An option of the Gen AI client."))...)
	}
	return fields
}

// simulatorKinds are the ways to simulate a user. Version 2.0 has only the first.
var simulatorKinds = schema.EnumOf(
	schema.Value{Text: "llm_backed", Doc: "A model writes what the user says."}, schema.Value{Text: "llm_audio", Doc: "A model speaks it."},
)

var simulatorConfigType = &schema.Type{
	Name: "user-simulator-config", Doc: "How users are simulated.", Kind: schema.Map, OtherValues: schema.AnyValue,
	Fields: []*schema.Field{
		withSince("2.10", newField("type", simulatorKinds, nullDefault, "The way of simulating.")),
		newField("model", schema.String, "ADK's", "The model."),
		withExample(20, newField("max_allowed_invocations", schema.AnyNumber, "20", "After how many turns a conversation ends at the latest.")),
		newField("custom_instructions", schema.String, nullDefault, "Instructions in place of ADK's. They have to name the stop signal."),
	},
}

var judgedCriterionType = newCriterionType("judged-criterion", newJudgeField())

func newRubricsCriterionType(name string) *schema.Type {
	return newCriterionType(name, newJudgeField(),
		newField("rubrics", schema.ListOf(criterionRubricType), "`[]`", "Rubrics for every turn, of whatever `type`."))
}

var criterionRubricType = newRubricType("criterion-rubric", lostMetric)

var hallucinationsCriterionType = newCriterionType("hallucinations-criterion", newJudgeField(),
	newField("evaluate_intermediate_nl_responses", schema.Boolean, "`false`", "Whether the answers on the way are looked through as well."),
)

var simulatorCriterionType = newCriterionType("user-simulator-criterion", newJudgeField(),
	newField("stop_signal", schema.String, "`"+metric.DefaultStopSignal+"`", "What the simulated user says when it is done."),
)

var customMetricType = newLooseType("custom-metric", "A metric of one's own.",
	newRequiredField("code_config", newStrictType("code-config", "Where its code is.", lostFile, append(withoutCamelCase(
		withExample("my_agent.metrics.politeness", newRequiredField("name", schema.String, "The Python function, with its module."))),
		newField("args", schema.AnyValue, nullDefault, "Arguments for it."))...), "Where its code is."),
	newField("metric_info", schema.Object, nullDefault, "What it measures, for people."),
	newField("description", schema.String, "\"\"", "What it measures, for people."),
)
