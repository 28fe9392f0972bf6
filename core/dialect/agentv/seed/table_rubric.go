package seed

import (
	"strconv"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
)

// rubricItemType is one criterion of a case's own rubric: a string or a mapping.
var rubricItemType = schema.UnionOf(schema.NonEmptyString, CriterionType)

// CriterionType is the table of a criterion.
var CriterionType = &schema.Type{
	Name: "criterion",
	Doc: "One thing to judge. Without `score_ranges` it is satisfied or not; with `score_ranges` it is graded 0 to 10. " +
		"A plain text is a required criterion of weight 1.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "id", Informational: true, Type: schema.NonEmptyString, Default: "`rubric-N`, N its place in the list", Example: "refund-window", Doc: "A short name, unique in the rubric. Judges refer to it in their replies."},
		{
			Key: "expected_outcome", Aliases: []string{"description"}, Type: schema.NonEmptyString, OnInvalid: "drops the criterion",
			Example: "States that the refund window is 30 days",
			Doc:     "The statement that must be true of the answer. Optional if `score_ranges` say it all.",
		},
		{Key: "weight", Type: schema.NonNegative, Default: "1", Example: 2, Doc: "Its share of the rubric's score."},
		{
			Key: "required", Type: schema.Boolean, Default: "`true`, with `score_ranges` not set", OnInvalid: "uses the default",
			Doc: "Whether the verdict is fail if it is not satisfied, whatever the score. With `score_ranges`, `true` requires 10 of 10 " +
				"unless `required_min_score` is lower.",
		},
		{
			Key: "required_min_score", Type: schema.IntegerBetween(rubric.LowestScore, rubric.HighestScore), AddedIn: "2026-01-21", Example: 7,
			Doc: "The lowest score, 0 to 10, that avoids the verdict fail. Applies only to a criterion with `score_ranges`.",
		},
		{
			Key: "score_ranges", AddedIn: "2026-01-21, as a mapping 2026-02-01", OnInvalid: "grades the criterion as a checklist item",
			Type:    schema.UnionOf(schema.NonEmptyListOf(RangeType), ScoreMapType),
			Example: map[string]any{"0": "Wrong", "5": "Right, with gaps", "10": "Right and complete"},
			Doc: "The meaning of the scores. A mapping gives each range by its lowest score; a list gives both ends. " +
				"The ranges must cover 0 to 10 without overlap.",
		},
	},
	RequireAny:   []string{"expected_outcome", "description", "score_ranges"},
	OnMissingAll: "drops the criterion",
}

// RangeType is the table of one entry in a list of score ranges.
var RangeType = &schema.Type{
	Name: "score-range", Doc: "The meaning of the scores in a range, both ends included.", Kind: schema.Map,
	Fields: []*schema.Field{
		{
			Key: "score_range", Required: true, Example: []int{0, 4}, OnInvalid: "takes the range as 0 to 10",
			Type: &schema.Type{Kind: schema.List, Items: schema.IntegerBetween(rubric.LowestScore, rubric.HighestScore), MinLength: 2, MaxLength: 2},
			Doc:  "The lowest and the highest score of the range.",
		},
		{Key: "expected_outcome", Aliases: []string{"description"}, Type: schema.NonEmptyString, Required: true, OnInvalid: "drops the range", Doc: "A description of an answer with such a score."},
	},
}

// ScoreMapType is the table of score ranges by their lowest score.
var ScoreMapType = &schema.Type{
	Name: "score-map", Doc: "Ranges by their lowest score: each runs up to the next, the last to 10.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "0", Type: schema.NonEmptyString, Required: true, OnInvalid: "refuses the file", Doc: "The meaning of the lowest scores."},
	},
	OtherValues: schema.NonEmptyString,
	OtherNames:  scoreMapKeys(),
}

func scoreMapKeys() (names []string) {
	for n := rubric.LowestScore + 1; n <= rubric.HighestScore; n++ {
		names = append(names, strconv.Itoa(n))
	}
	return names
}
