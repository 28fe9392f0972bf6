package agentv

import (
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kinds of losses besides those of package bands. Levels other than silent are the categories
// of the conformance cases.
const (
	EndlessAliases    = "aliases_endless"                        // aliases that expand without end, or nearly so
	RootNotMap        = "root_not_object"                        // the file is not a mapping
	CasesNotList      = "evalcases_not_array"                    // the list of cases is missing
	CaseNotMap        = "case_not_object_skipped"                // a case is not a mapping
	CaseIncomplete    = "case_incomplete_skipped"                // id, expected outcome or input is missing; Detail names the keys
	CaseBroken        = "case_error_skipped"                     // a part of the case is refused; Detail is its kind
	FallbackUnknown   = "evaluator_unknown_default"              // `evaluator` names no kind; llm_judge is used
	MessageInvalid    = "message_invalid_dropped"                // a message without a known role or content
	RubricsNotList    = "rubrics_not_array_ignored"              // `rubrics` is not a list
	ItemNotObject     = "rubric_item_not_object_skipped"         // neither string nor mapping; in an evaluator's rubrics, not a mapping
	ItemNoOutcome     = "rubric_missing_outcome_skipped"         // neither text nor score ranges
	WeightDefaulted   = "rubric_weight_defaulted"                // a weight that is not a number counts as 1
	RequiredDefaulted = "rubric_required_defaulted"              // a `required` that is not a boolean is ignored
	MinScoreIgnored   = "rubric_min_score_ignored"               // a minimum that is not a number
	MinScoreInvalid   = "required_min_score_invalid"             // an evaluator's minimum that is not a whole number from 0 to 10
	EvaluatorsNotList = "evaluators_not_array_ignored"           // `evaluators` is not a list
	EvaluatorInvalid  = "evaluator_invalid_name_or_type_skipped" // no name, or an unknown type
	RubricsMissing    = "rubrics_missing_skipped"                // `type: rubric` without criteria
	ScriptMissing     = "script_missing_skipped"                 // a code judge without a script
	ScriptItem        = "script_item_not_string"                 // an argument of a script that is not a string
	ScriptEmpty       = "script_empty"                           // refused: a script without a command
	TargetInvalid     = "target_config_invalid_ignored"          // a code judge's `target` that is neither a mapping nor true
	ThresholdInvalid  = "threshold_invalid_skipped"              // latency
	BudgetInvalid     = "budget_invalid_skipped"                 // cost
	LimitMissing      = "no_limit_skipped"                       // token_usage, execution_metrics
	LimitInvalid      = "limit_invalid_skipped"                  // execution_metrics with a limit that is no number from 0 on
	AggregatorMissing = "aggregator_missing_skipped"             // composite
	AggregatorType    = "aggregator_type_invalid_skipped"        // composite
	AggregatorPath    = "aggregator_path_missing_skipped"        // composite
	MembersMissing    = "composite_evaluators_missing_skipped"   // composite
	NoMembers         = "composite_no_members_skipped"           // composite
	ModeInvalid       = "mode_invalid_skipped"                   // tool_trajectory
	MinimumsMissing   = "minimums_missing_skipped"               // tool_trajectory, any_order
	ExpectedMissing   = "expected_missing_skipped"               // tool_trajectory, all modes but any_order
	StepDropped       = "expected_item_invalid_dropped"          // tool_trajectory
	DurationUnread    = "max_duration_ms_unread"                 // tool_trajectory: the seed's loader does not read time limits
	MinimumDropped    = "minimum_invalid_dropped"                // tool_trajectory
	FieldsMissing     = "fields_missing_skipped"                 // field_accuracy
	FieldInvalid      = "field_invalid_skipped"                  // field_accuracy: no path
	MatchInvalid      = "match_type_invalid_skipped"             // field_accuracy
	WeightNegative    = "weight_negative"                        // an evaluator's weight below 0
	WeightNotNumber   = "weight_not_number"                      // an evaluator's weight that is not a number
	WeightNotFinite   = "weight_not_finite"                      // an evaluator's weight that is infinite
	PromptIgnored     = "prompt_ignored_with_rubrics"            // a prompt next to rubrics
	MemberStripped    = "member_settings_ignored"                // a composite's member loses its rubric and its prompt
	LineBroken        = "jsonl_syntax"                           // a line that is not JSON
)

// NewLoss returns a loss at n.
func NewLoss(kind string, level rubric.Level, n *yaml.Node, detail string) rubric.Loss {
	return rubric.Loss{Kind: kind, Level: level, Span: SpanOf(n), Detail: detail}
}

// ReadLines returns the values of a JSONL file, and a loss for each line that is not JSON.
func ReadLines(tree *yaml.Tree) (values []*yaml.Node, lost []rubric.Loss) {
	for _, p := range tree.Problems {
		if p.Kind == yaml.SyntaxProblem {
			lost = append(lost, rubric.Loss{Kind: LineBroken, Level: rubric.Refuses, Span: p.Span, Fatal: true})
		}
	}
	for _, doc := range tree.Docs {
		if !doc.Root.IsNull() {
			values = append(values, doc.Root)
		}
	}
	return values, lost
}

// SpanOf returns the span of n, or of its key if the value is absent.
func SpanOf(n *yaml.Node) text.Span {
	if n.Span.Empty() && n.Key != nil {
		return n.Key.Key.Span
	}
	return n.Span
}
