package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
)

// ConfigFile is the table of a configuration.
var ConfigFile = newLooseType("eval-config", "The metrics to measure. Without this file ADK measures `tool_trajectory_avg_score` from 1.0 and `response_match_score` from 0.8.",
	newField("criteria", criteriaTable, "`{}`", "The metrics, each with a threshold or options.").WithExample(map[string]any{metric.ResponseMatch: 0.8}),
	newField("custom_metrics", schema.MapOf(customMetricType), nullDefault, "Custom metrics, each a Python function."),
	newField("user_simulator_config", simulatorConfigType, nullDefault, "The simulation of users."),
	newField("live_model_config", newLooseType("live-model-config", "Timeouts of live models.",
		newField("timeout_seconds", schema.AnyNumber, "ADK's", "The longest time of a turn, in seconds.")), nullDefault, "Timeouts of live models.").Since("2.10"),
)

// criteriaTable has the built-in metrics with their options. Other names are custom metrics.
var criteriaTable = &schema.Type{
	Name: "criteria", Kind: schema.Map, OtherValues: schema.UnionOf(schema.AnyNumber, newCriterionType("criterion")),
	Doc: "Metrics by name, each with a threshold or a mapping that contains it.",
	Fields: []*schema.Field{
		newMetricField(metric.ToolTrajectory, trajectoryCriterionType, "The share of turns whose tool calls match the expected ones: turns that match ÷ turns. Requires expected turns. `1.0` without a configuration."),
		newMetricField(metric.ResponseMatch, newCriterionType("response-match-criterion"), "ROUGE-1: the mean over the turns of 2·P·R ÷ (P + R), where P is the share of the answer's words that occur in the expected answer, and R the share of the expected answer's words that occur in the answer. Requires expected turns. `0.8` without a configuration."),
		newMetricField(metric.FinalResponseMatch, judgedCriterionType, "Turns whose answer a judge finds as good as the expected one ÷ turns that it could judge. The majority of a turn's samples decides; a tie counts as no. Requires expected turns."),
		newMetricField(metric.ResponseQuality, newRubricsCriterionType("response-rubrics-criterion"), "Rubrics that the answer meets according to a judge ÷ judged rubrics, over all turns together. The majority of a rubric's samples decides; a tie counts as no."),
		newMetricField(metric.ToolQuality, newRubricsCriterionType("tool-rubrics-criterion"), "Rubrics that the tool calls meet according to a judge ÷ judged rubrics, over all turns together. The majority of a rubric's samples decides; a tie counts as no."),
		newMetricField(metric.Hallucinations, hallucinationsCriterionType, "Per text: sentences that the evidence supports or that make no claim ÷ labelled sentences. The score is the mean over texts, then over turns. The judge is asked once, whatever `num_samples` is."),
		newMetricField(metric.Safety, newCriterionType("safety-criterion"), "Whether answers are harmless: the mean over turns. ADK uses a cloud service; here a judge checks for six kinds of harm."),
		newMetricField(metric.UserSimulator, simulatorCriterionType, "Turns in which the simulated user follows its scenario ÷ turns. A user that does not stop when it should fails the last turn."),
		newMetricField(coherenceMetric, newCoherenceCriterionType(), "The coherence of answers, 1 to 5, from a cloud service."),
		newMetricField("multi_turn_task_success_v1", newCriterionType("task-success-criterion"), "Whether the conversation reached its goal, from a cloud service."),
		newMetricField("multi_turn_trajectory_quality_v1", newCriterionType("multi-trajectory-criterion"), "The quality of the trajectory, from a cloud service."),
		newMetricField("multi_turn_tool_use_quality_v1", newCriterionType("multi-tools-criterion"), "The quality of tool use, from a cloud service."),
		newMetricField(metric.TrajectoryQuality, newRubricsCriterionType("dialogue-rubrics-criterion"), "Rubrics that the agent's conduct in the whole conversation meets according to a judge ÷ judged rubrics: those of the criterion and of the last turn. The majority of a rubric's samples decides; a tie counts as no."),
	},
}

func newMetricField(name string, t *schema.Type, doc string) *schema.Field {
	threshold := t.Field("threshold")
	return &schema.Field{Key: name, Type: schema.UnionOf(threshold.Type, t), Doc: doc, Example: threshold.Example, OnInvalid: refusesFile}
}

// coherenceMetric is the only metric whose scores exceed 1.
const coherenceMetric = "response_evaluation_score"

// newCoherenceCriterionType returns the table of that metric's options.
func newCoherenceCriterionType() *schema.Type {
	t := newCriterionType("coherence-criterion")
	threshold := t.Field("threshold")
	threshold.Example, threshold.Type = 3.5, schema.NumberBetween(1, 5)
	return t
}

// newCriterionType returns the table of the options that every metric takes, and more. ADK keeps
// unknown keys and never reads them.
func newCriterionType(name string, more ...*schema.Field) *schema.Type {
	fields := append([]*schema.Field{
		newRequiredField("threshold", schema.NumberBetween(0, 1), "The lowest score that passes.").WithExample(0.8),
		newField("include_intermediate_responses_in_final", schema.Boolean, "`false`", "Whether intermediate answers are judged with the final one."),
	}, withOnInvalid(skipsMetric, more...)...)
	return newLooseType(name, "The options of a metric.", fields...)
}

var matchTypeNames = &schema.Type{Kind: schema.Text, Values: []schema.Value{
	{Text: metric.Exact.String(), Doc: "Exactly the expected calls, in order."},
	{Text: metric.InOrder.String(), Doc: "The expected calls, in order; others may come in between."},
	{Text: metric.AnyOrder.String(), Doc: "The expected calls, in any order; others may occur."},
}}

var trajectoryCriterionType = newCriterionType("trajectory-criterion",
	newField("match_type", matchTypeNames, "`EXACT`", "The rule that matches the calls."),
	newField("ignore_args", schema.Boolean, "`false`", "Whether to compare calls by name only.").Since("2.9"),
	withoutCamelCase(newField("x_rubric", toleranceType, "none", "What `rubric run` forgives. **ADK ignores this key**, and its score may be lower."))[0],
)

// toleranceType holds options of our own, under a key that ADK keeps and ignores.
var toleranceType = newLooseType("tolerance", "What `rubric run` forgives in the comparison of tool calls. ADK ignores it.", withoutCamelCase(withOnInvalid(skipsMetric,
	newField("ignored_args", schema.ListOf(schema.String), "`[]`", "Arguments that are not compared.").WithExample([]string{"request_id"}),
	newField("wildcard", schema.String, "none", "An expected text that stands for any value.").WithExample("*"),
	newField("number_tolerance", schema.NonNegative, "`0`", "The largest difference between numbers that count as equal.").WithExample(0.01),
	newField("partial_credit", schema.Boolean, "`false`", "Whether a turn scores the share of its matching calls instead of 0: with `EXACT` the F1 score, otherwise the share of the expected calls."),
)...)...)

func newJudgeField() *schema.Field {
	return newField("judge_model_options", judgeOptionsType, "ADK's judge, asked 5 times", "The judge and the number of samples.")
}

const ownOptions = "the model is asked with the run's own options"

var judgeOptionsType = newStrictType("judge-model-options", "The judge and the number of samples.", skipsMetric, withOnInvalid(skipsMetric,
	newField("judge_model", schema.String, "ADK's", "The model.").WithExample("gemini-2.5-flash"),
	newField("judge_model_config", newGenerationConfigType("generation-config", skipsMetric), nullDefault, "The model's options. `rubric run` does not use them.").WithExample(map[string]any{"temperature": 0}).AsUnsupported(ownOptions),
	newField("num_samples", schema.IntegerFrom(1), "5", "The number of votes."),
	newField("parallelism_limit", schema.IntegerFrom(1), "1", "The number of concurrent questions.").Since("2.8"),
)...)

// simulatorKinds are the ways to simulate a user. Version 2.0 has only the first.
var simulatorKinds = schema.EnumOf(
	schema.Value{Text: "llm_backed", Doc: "A model writes the user's messages."}, schema.Value{Text: "llm_audio", Doc: "A model speaks the user's messages."},
)

// simulatorConfigType is the table of either kind of simulation. The second has keys that are not listed here; see [mismatches].
var simulatorConfigType = newLooseType("user-simulator-config", "The simulation of users.",
	newField("type", simulatorKinds, nullDefault, "The kind of simulation.").Since("2.10"),
	newField("model", schema.String, "ADK's", "The model that plays the user. Without it, `rubric run` asks the judge of the run."),
	newField("model_configuration", newGenerationConfigType("simulator-generation-config", refusesFile), "ADK's", "Options of the model, such as its thinking budget. `rubric run` does not use them.").AsUnsupported(ownOptions),
	newField("include_function_calls", schema.Boolean, "`false`", "Whether the user sees tool calls and their responses."),
	newField("max_allowed_invocations", schema.Integer, "20", "The maximum number of turns of a conversation, with the first. -1 means no limit.").WithExample(20),
	newField("custom_instructions", schema.String, nullDefault, "A Jinja template that replaces ADK's instructions. It must use `{{ stop_signal }}`, `{{ conversation_plan }}` and `{{ conversation_history }}`, and `{{ persona }}` if a scenario has a `user_persona`.").
		WithExample("Follow the plan and say {{ stop_signal }} at the end: {{ conversation_plan }} {{ conversation_history }}"),
)

var judgedCriterionType = newCriterionType("judged-criterion", newJudgeField())

func newRubricsCriterionType(name string) *schema.Type {
	return newCriterionType(name, newJudgeField(),
		newField("rubrics", schema.ListOf(criterionRubricType), "`[]`", "Rubrics for every turn, of any `type`."))
}

var criterionRubricType = newRubricType("criterion-rubric", skipsMetric)

var hallucinationsCriterionType = newCriterionType("hallucinations-criterion", newJudgeField(),
	newField("evaluate_intermediate_nl_responses", schema.Boolean, "`false`", "Whether intermediate answers are checked too: the texts of `invocation_events`. `rubric run` also checks those of `intermediate_responses`, as authors write them."),
)

var simulatorCriterionType = newCriterionType("user-simulator-criterion", newJudgeField(),
	newField("stop_signal", schema.String, "`"+metric.DefaultStopSignal+"`", "The simulated user's last message."),
)

var customMetricType = newLooseType("custom-metric", "A custom metric.",
	newRequiredField("code_config", newStrictType("code-config", "The location of its code.", refusesFile,
		newRequiredField("name", schema.String, "The Python function, with its module.").WithExample("my_agent.metrics.politeness")), "The location of its code."),
	newField("metric_info", metricInfoType, nullDefault, "A description for readers."),
	newField("description", schema.String, "\"\"", "A description for readers."),
)

var metricInfoType = newStrictType("metric-info", "A description of a custom metric for readers.", refusesFile,
	newRequiredField("metric_name", schema.String, "The metric."),
	newField("description", schema.String, "none", "What it measures."),
	newRequiredField("metric_value_info", newStrictType("metric-value-info", "The scores of a custom metric.", refusesFile,
		newField("interval", newStrictType("interval", "An interval of scores.", refusesFile,
			newRequiredField("min_value", schema.AnyNumber, "The lower end."),
			newField("open_at_min", schema.Boolean, "`false`", "Whether the lower end is not a score."),
			newRequiredField("max_value", schema.AnyNumber, "The upper end."),
			newField("open_at_max", schema.Boolean, "`false`", "Whether the upper end is not a score."),
		), nullDefault, "The interval of the scores.")), "The scores."),
)
