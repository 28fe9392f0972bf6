package assertion

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv/loss"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kinds of losses that only assertion lists have; the others are those of
// packages agentv and bands. What is refused takes its case with it.
const (
	EntryInvalid     = "assertion_entry_invalid_skipped"      // neither text nor mapping
	EmptyText        = "empty_string_criterion_skipped"       // a plain text without any
	TypeUnsupported  = "unsupported_assertion_type"           // refused: a type that is gone, or not there yet; Detail is it
	Deprecated       = "deprecated_field"                     // an older key or type; Detail is it
	ValueMissing     = "assert_value_missing_skipped"         // nothing to look for
	ValueDropped     = "assert_value_item_dropped"            // one of several values that is no text
	RubricNoValue    = "rubric_no_value_skipped"              // a rubric with neither value nor prompt
	RubricFreeForm   = "rubric_value_free_form"               // a list in which no criterion is recognised: no weights, no gates
	RubricField      = "unsupported_rubric_field"             // refused: a key that a rubric no longer has; Detail is it
	CriteriaNotList  = "criteria_not_array_skipped"           // `type: rubrics` without a list of criteria
	OperatorInvalid  = "operator_invalid_ignored"             // a criterion's operator that nobody knows
	MinScoreOutside  = "min_score_out_of_range_0_exclusive_1" // refused: a criterion's minimum not above 0, or above 1
	MinScoreRetired  = "required_min_score_removed"           // refused: a criterion's older minimum
	RequiredRanged   = "required_ignored_with_ranges"         // a criterion with ranges is a gate by its minimum alone
	RequiredNumeric  = "required_numeric_removed"             // refused: a grader's `required` as a number
	ThresholdIgnored = "threshold_invalid_ignored"            // a threshold that is no number from 0 to 1
	ThresholdOutside = "aggregator_threshold_invalid_skipped" // a composite's threshold, the same
	CommandMissing   = "command_missing_skipped"              // a program that is not named
	CommandEmpty     = "command_empty"                        // refused: a program without a name
	CommandNotList   = "command_not_array"                    // refused: neither a line nor a list
	CommandItem      = "command_item_not_string"              // refused: an argument that is no text
	ScriptRetired    = "script_field_removed"                 // refused: `script`, the older `command`
	SetMissing       = "assert_set_missing_list_skipped"      // an assert-set without a list
	SetEmpty         = "assert_set_no_members_skipped"        // an assert-set without a member that counts
	IncludeUnread    = "include_unread"                       // nobody to find templates
	IncludeMissing   = "include_not_found"                    // refused: no such template; Detail is its name
	IncludeInvalid   = "include_invalid"                      // refused: a template without a list
	IncludeCycle     = "include_cycle"                        // refused: a template that includes itself
	IncludeDepth     = "include_too_deep"                     // refused: templates within templates, beyond three
)

// listReader is the state of reading one list.
type listReader struct {
	Reader
	keys            versionKeys
	includedAt      *text.Span     // of the `include` that brought what is read; nil in the file itself
	inheritedConfig map[string]any // the config that a set hands to its members
	losses          []rubric.Loss
	refused         string
}

// spanOf is where a person looks for n: what a template holds stands where it is
// included.
func (r *listReader) spanOf(n *yaml.Node) text.Span {
	if r.includedAt != nil {
		return *r.includedAt
	}
	return loss.SpanOf(n)
}

func (r *listReader) addLoss(kind string, level rubric.Level, n *yaml.Node, detail string) {
	r.losses = append(r.losses, rubric.Loss{Kind: kind, Level: level, Span: r.spanOf(n), Detail: detail})
}

// skipEntry remembers that an entry is left out, and keeps it out.
func (r *listReader) skipEntry(kind string, n *yaml.Node, detail string) (keep bool) {
	r.addLoss(kind, rubric.Warns, n, detail)
	return false
}

// refuseCase remembers what makes the loader give up on the case; of several the
// first is the reason.
func (r *listReader) refuseCase(kind string, n *yaml.Node, detail string) {
	r.addLoss(kind, rubric.Refuses, n, detail)
	if r.refused == "" {
		r.refused = kind
	}
}
