package assertion

import (
	"cmp"

	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kinds of losses that only assertion lists have. Packages agentv and bands define the others.
// A refused entry refuses its case.
const (
	EntryInvalid     = "assertion_entry_invalid_skipped"      // neither string nor mapping
	EmptyText        = "empty_string_criterion_skipped"       // an empty plain text
	TypeUnsupported  = "unsupported_assertion_type"           // refused: a removed or future type, named by Detail
	Deprecated       = "deprecated_field"                     // an older key or type, named by Detail
	ValueMissing     = "assert_value_missing_skipped"         // no value to check for
	ValueDropped     = "assert_value_item_dropped"            // one of several values that is not a string
	RubricNoValue    = "rubric_no_value_skipped"              // a rubric with neither value nor prompt
	RubricFreeForm   = "rubric_value_free_form"               // a list without recognisable criteria: no weights, no gates
	RubricField      = "unsupported_rubric_field"             // refused: a removed key of a rubric or a program, named by Detail
	CriteriaNotList  = "criteria_not_array_skipped"           // `type: rubrics` without a list of criteria
	OperatorInvalid  = "operator_invalid_ignored"             // an unknown operator of a criterion
	MinScoreOutside  = "min_score_out_of_range_0_exclusive_1" // refused: a criterion's minimum not above 0, or above 1
	MinScoreRetired  = "required_min_score_removed"           // refused: a criterion's older minimum
	RequiredRanged   = "required_ignored_with_ranges"         // a criterion with ranges is a gate only by its minimum
	RequiredNumeric  = "required_numeric_removed"             // refused: a grader's `required` as a number
	ThresholdIgnored = "threshold_invalid_ignored"            // a threshold that is not a number from 0 to 1
	ThresholdOutside = "aggregator_threshold_invalid_skipped" // the same for a composite's threshold
	CommandMissing   = "command_missing_skipped"              // a program without a command
	CommandEmpty     = "command_empty"                        // refused: an empty command
	CommandNotList   = "command_not_array"                    // refused: neither a string nor a list
	Preprocessors    = "preprocessors_invalid"                // refused: no list of types with their commands
	CommandItem      = "command_item_not_string"              // refused: an argument that is not a string
	ScriptRetired    = "script_field_removed"                 // refused: `script`, the older name of `command`
	NegateUnread     = "member_negate_unread"                 // `negate` of a member of a composite or a set
	NegateTwice      = "skill_negated_twice"                  // `negate` of a check of skills, which Head inverts twice
	PromptAlone      = "rubric_prompt_file_without_value"     // Head skips a rubric that has only a prompt file or program
	AgentUnasked     = "agent_rubric_asked_plainly"           // a rubric that Head gives to an agent with tools
	FieldsUnread     = "field_accuracy_without_data"          // Head reads no expected output, so that the score is 0
	SetMissing       = "assert_set_missing_list_skipped"      // an assert-set without a list
	SetEmpty         = "assert_set_no_members_skipped"        // an assert-set without valid members
	IncludeOtherKeys = "include_with_other_keys_skipped"      // `include` with other keys, which makes it no include
	IncludeUnread    = "include_unread"                       // templates cannot be read here
	IncludeMissing   = "include_not_found"                    // refused: template not found; Detail is its name
	IncludeInvalid   = "include_invalid"                      // refused: a template without a list
	IncludeCycle     = "include_cycle"                        // refused: a template that includes itself
	IncludeDepth     = "include_too_deep"                     // refused: templates nested more than three deep
)

// listReader reads one list.
type listReader struct {
	Reader
	seed.Loader     // At is the span of the `include` that is being expanded; nil in the file itself
	keys            versionKeys
	inheritedConfig map[string]any // the config that a set passes to its members
	inSet           bool           // the entry is a member of a set or a composite
	refused         string
}

// refuseCase records a loss for which the loader rejects the case. The first one is the reason.
func (r *listReader) refuseCase(kind string, n *yaml.Node, detail string) {
	r.AddLoss(kind, rubric.Refuses, n, detail)
	r.refused = cmp.Or(r.refused, kind)
}
