package tables

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
)

// asOutcome is the text of a criterion or a range. The older name of a
// criterion's still is read, and nothing is said of it.
func asOutcome(f *schema.Field, aliases ...string) *schema.Field {
	copied := *f
	copied.Key, copied.Aliases = "outcome", aliases
	return &copied
}

// rangesField are what scores mean. A list or a mapping that is not whole is
// refused with its test.
var rangesField = func() *schema.Field {
	old := agentv.CriterionType.Field("score_ranges")
	copied := *old
	entry := *agentv.RangeType
	entry.Fields = []*schema.Field{asRequired(entry.Field("score_range"), lostTest), asOutcome(asRequired(entry.Field("expected_outcome"), lostTest))}
	copied.Type = schema.UnionOf(schema.NonEmptyListOf(&entry), agentv.ScoreMapType)
	copied.AddedIn, copied.OnInvalid = "", lostTest
	return &copied
}()

var minimumField = &schema.Field{
	Key: "min_score", Type: schema.PositiveUpTo(1), OnInvalid: lostTest, Example: 0.7,
	Doc: "The lowest score, above 0 and up to 1, with which the verdict is not fail. Only a criterion with `score_ranges` is measured against it.",
}

// newCriterionType is a criterion of a newer version. Lost is what becomes of one
// without a text.
func newCriterionType(lost string, more ...*schema.Field) *schema.Type {
	old := agentv.CriterionType
	text := asOutcome(old.Field("expected_outcome"), "criteria")
	text.OnInvalid = lost
	t := &schema.Type{
		Name: old.Name, Doc: old.Doc, Kind: schema.Map,
		Fields: append([]*schema.Field{
			old.Field("id"), text,
			{
				Key: "operator", Default: "`" + rubric.Correctness + "`", OnInvalid: lostValue, Doc: "When it is satisfied.",
				Type: schema.EnumOf(
					schema.Value{Text: rubric.Correctness, Doc: "the answer says so"},
					schema.Value{Text: rubric.Contradiction, Doc: "the answer does not say otherwise"},
				),
			},
			old.Field("weight"),
		}, more...),
		RequireAny: []string{"outcome", "criteria", "score_ranges"}, OnMissingAll: lost,
	}
	t.Fields = append(t.Fields, minimumField, rangesField)
	return t
}

// stableGateField is whether a criterion of Stable is a gate.
var stableGateField = agentv.CriterionType.Field("required")

// headGateField is whether a criterion of Head is a gate: one with ranges is by its
// minimum alone.
var headGateField = &schema.Field{
	Key: "required", Type: schema.Boolean, Default: "`true`", OnInvalid: "uses the default",
	Doc: "Whether the verdict is fail without it, whatever the score. With `score_ranges` it is not read: `min_score` is the gate.",
}

// olderMinimumField is the minimum by which Stable still reads older files.
var olderMinimumField = func() *schema.Field {
	copied := *agentv.CriterionType.Field("required_min_score")
	copied.DeprecatedNames, copied.AddedIn, copied.OnInvalid = []string{copied.Key}, "", lostTest
	copied.Doc = "The lowest score, 0 to 10, with which the verdict is not fail. `min_score`, 0 to 1, has taken its place."
	return &copied
}()
