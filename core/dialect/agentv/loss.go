package agentv

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv/loss"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kinds of losses, besides those of package bands. Those with a level other than
// silent carry the category that the conformance cases give them.
const (
	EndlessAliases    = "aliases_endless"                        // aliases without an end, or as good as
	RootNotMap        = "root_not_object"                        // the file is no mapping
	CasesNotList      = "evalcases_not_array"                    // there is no list of cases
	CaseNotMap        = "case_not_object_skipped"                // a case that is no mapping
	CaseIncomplete    = "case_incomplete_skipped"                // id, expected outcome or input missing; Detail names them
	CaseBroken        = "case_error_skipped"                     // something in the case is refused; Detail is its kind
	FallbackUnknown   = "evaluator_unknown_default"              // `evaluator` names no kind; llm_judge is used
	MessageInvalid    = "message_invalid_dropped"                // a message without a known role or content
	RubricsNotList    = "rubrics_not_array_ignored"              // `rubrics` is no list
	ItemNotObject     = "rubric_item_not_object_skipped"         // neither text nor mapping; among an evaluator's rubrics, not a mapping
	ItemNoOutcome     = "rubric_missing_outcome_skipped"         // no text and no score ranges
	WeightDefaulted   = "rubric_weight_defaulted"                // a weight that is no number counts 1
	RequiredDefaulted = "rubric_required_defaulted"              // a `required` that is no boolean is ignored
	MinScoreIgnored   = "rubric_min_score_ignored"               // a minimum that is no number
	MinScoreInvalid   = "required_min_score_invalid"             // an evaluator's minimum that is not a whole number 0–10
	EvaluatorsNotList = "evaluators_not_array_ignored"           // `evaluators` is no list
	EvaluatorInvalid  = "evaluator_invalid_name_or_type_skipped" // no name, or a type that nobody knows
	RubricsMissing    = "rubrics_missing_skipped"                // `type: rubric` without criteria
	ScriptMissing     = "script_missing_skipped"                 // a code judge without a script
	ScriptItem        = "script_item_not_string"                 // a script's argument that is no text
	ThresholdInvalid  = "threshold_invalid_skipped"              // latency
	BudgetInvalid     = "budget_invalid_skipped"                 // cost
	LimitMissing      = "no_limit_skipped"                       // token_usage, execution_metrics
	AggregatorMissing = "aggregator_missing_skipped"             // composite
	AggregatorType    = "aggregator_type_invalid_skipped"        // composite
	AggregatorPath    = "aggregator_path_missing_skipped"        // composite
	MembersMissing    = "composite_evaluators_missing_skipped"   // composite
	NoMembers         = "composite_no_members_skipped"           // composite
	ModeInvalid       = "mode_invalid_skipped"                   // tool_trajectory
	MinimumsMissing   = "minimums_missing_skipped"               // tool_trajectory, any_order
	ExpectedMissing   = "expected_missing_skipped"               // tool_trajectory, all modes but any_order
	StepDropped       = "expected_item_invalid_dropped"          // tool_trajectory
	MinimumDropped    = "minimum_invalid_dropped"                // tool_trajectory
	FieldsMissing     = "fields_missing_skipped"                 // field_accuracy
	FieldInvalid      = "field_invalid_skipped"                  // field_accuracy: no path
	MatchInvalid      = "match_type_invalid_skipped"             // field_accuracy
	WeightNegative    = "weight_negative"                        // an evaluator's weight below 0
	WeightNotNumber   = "weight_not_number"                      // an evaluator's weight that is no number
	WeightNotFinite   = "weight_not_finite"                      // an evaluator's weight that is infinite
	PromptIgnored     = "prompt_ignored_with_rubrics"            // a prompt beside rubrics
	MemberStripped    = "member_settings_ignored"                // a composite's member loses its rubric and its prompt
	LineBroken        = "jsonl_syntax"                           // a line that is not JSON
)

// loader gathers what a lowering loses.
type loader struct {
	losses []rubric.Loss
	stable bool // the settings are those of release 4
}

// addLoss remembers a loss; the pointer is good until the next.
func (l *loader) addLoss(kind string, level rubric.Level, n *yaml.Node, detail string) *rubric.Loss {
	l.losses = append(l.losses, loss.New(kind, level, n, detail))
	return &l.losses[len(l.losses)-1]
}
