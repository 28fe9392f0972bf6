package adk

import (
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
)

// ConfigFile is the table of a configuration.
var ConfigFile = loose("eval-config", "What to measure. Without such a file ADK measures `tool_trajectory_avg_score` from 1.0 and `response_match_score` from 0.8.",
	with(map[string]any{metric.ResponseMatch: 0.8}, field("criteria", criteriaType, "`{}`", "The metrics, each with a threshold or more.")),
	field("custom_metrics", schema.MapOf(customType), null, "Metrics of one's own, each a Python function."),
	field("user_simulator_config", simulationType, null, "How users are simulated."),
	since("2.10", field("live_model_config", schema.Object, null, "How long live models may take.")),
)

// criteriaType has the metrics with what each of them takes. Other names are
// custom metrics.
var criteriaType = &schema.Type{
	Name: "criteria", Kind: schema.Map, OtherValues: schema.UnionOf(schema.AnyNumber, criterion("criterion")),
	Doc: "Metrics by name, each with a threshold alone or a mapping that has it.",
	Fields: []*schema.Field{
		metricField(metric.ToolTrajectory, trajectoryType, "The share of turns whose tool calls match the expected ones: turns that match ÷ turns. Needs expected turns. `1.0` where there is no configuration."),
		metricField(metric.ResponseMatch, criterion("response-match-criterion"), "ROUGE-1: the mean over the turns of 2·P·R ÷ (P + R), where P is the share of the answer's words that the expected answer has, and R the share of its words that the answer has. Needs expected turns. `0.8` where there is no configuration."),
		metricField(metric.FinalResponseMatch, judgedType, "Turns whose answer a judge finds as good as the expected one ÷ turns that it could judge. Of a turn's samples the majority decides; a tie is a no. Needs expected turns."),
		metricField(metric.ResponseQuality, rubricsType("response-rubrics-criterion"), "Rubrics that a judge finds met by the answer ÷ rubrics that it judged, over all turns together. Of the samples of a rubric the majority decides; a tie is a no."),
		metricField(metric.ToolQuality, rubricsType("tool-rubrics-criterion"), "Rubrics that a judge finds met by the tool calls ÷ rubrics that it judged, over all turns together. Of the samples of a rubric the majority decides; a tie is a no."),
		metricField(metric.Hallucinations, hallucinationsType, "Sentences that the evidence supports or that claim nothing ÷ sentences that were labelled, of each text; the mean over texts, then over turns. The judge is asked once, whatever `num_samples` says."),
		metricField(metric.Safety, criterion("safety-criterion"), "Whether answers are harmless: the mean over turns. ADK asks a cloud service; here a judge looks for six kinds of harm."),
		metricField(metric.UserSimulator, simulatorType, "Turns in which the simulated user kept to its scenario ÷ turns. One that does not stop when it should fails the last turn."),
		metricField(coherenceScore, coherence(), "How coherent answers are, 1 to 5, by a cloud service."),
		metricField("multi_turn_task_success_v1", criterion("task-success-criterion"), "Whether the conversation got where it should, by a cloud service."),
		metricField("multi_turn_trajectory_quality_v1", criterion("multi-trajectory-criterion"), "How good the way there was, by a cloud service."),
		metricField("multi_turn_tool_use_quality_v1", criterion("multi-tools-criterion"), "How well tools were used, by a cloud service."),
		metricField(dialogueQuality, rubricsType("dialogue-rubrics-criterion"), "A judge's verdict on rubrics about the whole conversation."),
	},
}

func metricField(name string, t *schema.Type, doc string) *schema.Field {
	threshold := t.Field("threshold")
	return &schema.Field{Key: name, Type: schema.UnionOf(threshold.Type, t), Doc: doc, Example: threshold.Example, OnInvalid: refuses}
}

// coherenceScore is the one metric whose scores are not up to 1.
const coherenceScore = "response_evaluation_score"

// coherence is what is asked of it.
func coherence() *schema.Type {
	t := criterion("coherence-criterion")
	with(3.5, t.Field("threshold")).Type = schema.NumberBetween(1, 5)
	return t
}

// criterion is what every metric takes, and more. ADK keeps keys that it does
// not know, and never looks at them.
func criterion(name string, more ...*schema.Field) *schema.Type {
	fields := append([]*schema.Field{
		with(0.8, needed("threshold", schema.NumberBetween(0, 1), "The lowest score that passes.")),
		field("include_intermediate_responses_in_final", schema.Boolean, "`false`", "Whether the answers on the way are judged with the final one."),
	}, costs(skips, more...)...)
	return loose(name, "What is asked of a metric.", fields...)
}

var matchNames = &schema.Type{Kind: schema.Text, Values: []schema.Value{
	{Text: metric.Exact.String(), Doc: "The expected calls, in order, and no others."},
	{Text: metric.InOrder.String(), Doc: "The expected calls, in order, with any others between."},
	{Text: metric.AnyOrder.String(), Doc: "The expected calls, in any order, with any others."},
}}

var trajectoryType = criterion("trajectory-criterion",
	field("match_type", matchNames, "`EXACT`", "How the calls have to match."),
	since("2.9", field("ignore_args", schema.Boolean, "`false`", "Whether calls are compared by name only.")),
)

func judgeField() *schema.Field {
	return field("judge_model_options", judgeType, "ADK's judge, asked 5 times", "Who judges, and how often.")
}

var judgeType = strict("judge-model-options", "Who judges, and how often.", skips, costs(skips,
	with("gemini-2.5-flash", field("judge_model", schema.String, "ADK's", "The model.")),
	with(map[string]any{"temperature": 0}, field("judge_model_config", generationType, null, "How it is asked.")),
	field("num_samples", schema.IntegerFrom(1), "5", "How often it is asked, for a vote."),
	since("2.8", field("parallelism_limit", schema.IntegerFrom(1), "1", "How many questions may be under way at once.")),
)...)

// generationType has the options of the Gen AI client, whose values are its
// business.
var generationType = strict("generation-config", "Options of the model that judges.", skips, generationFields()...)

func generationFields() []*schema.Field {
	fields := costs(skips,
		field("temperature", schema.AnyNumber, null, "How freely it answers; 0 is the least."),
		field("top_p", schema.AnyNumber, null, "Of how much of the likely words it chooses."),
		field("top_k", schema.AnyNumber, null, "Of how many of the likely words it chooses."),
		field("max_output_tokens", schema.IntegerBetween(1, 1<<31-1), null, "How long a reply may get."),
		field("seed", schema.IntegerBetween(-1<<31, 1<<31-1), null, "For replies that can be had again."),
		field("stop_sequences", schema.ListOf(schema.String), null, "What ends a reply."),
	)
	for _, key := range strings.Fields(`candidate_count response_logprobs logprobs presence_penalty frequency_penalty response_mime_type
		response_schema response_json_schema routing_config model_selection_config safety_settings tools tool_config labels
		cached_content response_modalities media_resolution speech_config audio_timestamp automatic_function_calling thinking_config
		image_config system_instruction http_options should_return_http_response`) {
		fields = append(fields, costs(skips, field(key, schema.AnyValue, null, "An option of the Gen AI client."))...)
	}
	return fields
}

// simulationKinds are the ways of simulating a user, of which 2.0 knew one.
var simulationKinds = schema.EnumOf(
	schema.Value{Text: "llm_backed", Doc: "A model writes what the user says."}, schema.Value{Text: "llm_audio", Doc: "A model speaks it."},
)

var simulationType = &schema.Type{
	Name: "user-simulator-config", Doc: "How users are simulated.", Kind: schema.Map, OtherValues: schema.AnyValue,
	Fields: []*schema.Field{
		since("2.10", field("type", simulationKinds, null, "The way of simulating.")),
		field("model", schema.String, "ADK's", "The model."),
		with(20, field("max_allowed_invocations", schema.AnyNumber, "20", "After how many turns a conversation ends at the latest.")),
		field("custom_instructions", schema.String, null, "Instructions in place of ADK's. They have to name the stop signal."),
	},
}

var judgedType = criterion("judged-criterion", judgeField())

func rubricsType(name string) *schema.Type {
	return criterion(name, judgeField(),
		field("rubrics", schema.ListOf(criterionRubric), "`[]`", "Rubrics for every turn, of whatever `type`."))
}

var criterionRubric = rubricType("criterion-rubric", skips)

var hallucinationsType = criterion("hallucinations-criterion", judgeField(),
	field("evaluate_intermediate_nl_responses", schema.Boolean, "`false`", "Whether the answers on the way are looked through as well."),
)

var simulatorType = criterion("user-simulator-criterion", judgeField(),
	field("stop_signal", schema.String, "`"+metric.DefaultStopSignal+"`", "What the simulated user says when it is done."),
)

var customType = loose("custom-metric", "A metric of one's own.",
	needed("code_config", strict("code-config", "Where its code is.", refuses, append(snake(
		with("my_agent.metrics.politeness", needed("name", schema.String, "The Python function, with its module."))),
		field("args", schema.AnyValue, null, "Arguments for it."))...), "Where its code is."),
	field("metric_info", schema.Object, null, "What it measures, for people."),
	field("description", schema.String, "\"\"", "What it measures, for people."),
)
