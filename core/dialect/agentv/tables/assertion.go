package tables

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
)

// entryTable is what a version's assertions are made of.
type entryTable struct {
	version   agentv.Version
	common    []*schema.Field // of every assertion, `type` aside
	typeField *schema.Field   // `type`
	anyType   *schema.Type    // any assertion
	listType  *schema.Type    // a list of them and of plain texts
}

// newEntryTable starts a version's assertions: all of them may include each other.
func newEntryTable(v agentv.Version, name *schema.Field) *entryTable {
	e := &entryTable{version: v}
	e.typeField = &schema.Field{Key: "type", Required: true, OnInvalid: lostEntry, Doc: "The way of grading.", Type: &schema.Type{Kind: schema.Text, RefusedValues: assertion.RefusedTypes(v)}}
	e.common = []*schema.Field{
		name,
		{Key: "weight", Type: schema.NonNegative, Default: "1", OnInvalid: lostTest, Doc: "Its share in the test's score; with 0 its findings are reported and not counted."},
		{Key: "required", Type: schema.Boolean, Default: "`false`", OnInvalid: lostValue, Doc: "Whether the test scores 0 unless this one passes."},
		{Key: "min_score", Type: schema.PositiveUpTo(1), OnInvalid: lostValue, Example: 0.8, Doc: "The score from which it passes, above 0 and up to 1."},
		{Key: "negate", Type: schema.Boolean, Default: "`false`", OnInvalid: lostValue, Doc: "Whether it passes when it otherwise would not."},
	}
	e.anyType = &schema.Type{
		Name: "assertion", Doc: "One way of grading; its `type` decides which keys it takes.", Kind: schema.Map, Tag: "type",
		Fields: []*schema.Field{e.typeField},
		Choices: []*schema.Type{{
			Name: "included-assertions", Doc: "The assertions of another file.", Kind: schema.Map, MarkerKey: "include",
			Fields: []*schema.Field{{
				Key: "include", Type: schema.NonEmptyString, Required: true, Example: "safety",
				Doc: "A template of `.agentv/templates` by its name, or a file by its path.",
			}},
		}},
	}
	e.listType = schema.ListOf(schema.UnionOf(schema.NonEmptyString, e.anyType))
	return e
}

// addType adds a type of assertions.
func (e *entryTable) addType(kind, doc string, fields ...*schema.Field) *schema.Type {
	t := &schema.Type{
		Name: "assertion-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind},
		Fields: append(append([]*schema.Field{e.typeField}, e.common...), fields...),
	}
	e.anyType.Choices = append(e.anyType.Choices, t)
	e.typeField.Type.KnownValues = append(e.typeField.Type.KnownValues, schema.Value{Text: kind, Synonyms: agentv.OtherNames(kind, agentv.InType, e.version)})
	return t
}

// addDeterministic adds the looks at an answer's text, and the limits, which all
// newer versions have.
func (e *entryTable) addDeterministic() {
	value := &schema.Field{Key: "value", Type: schema.NonEmptyString, Required: true, OnInvalid: lostEntry, Doc: "What is looked for."}
	several := &schema.Field{Key: "value", Type: schema.NonEmptyListOf(schema.String), Required: true, OnInvalid: lostEntry, Doc: "What is looked for."}
	e.addType(rubric.Contains, "The answer has the text in it.", value)
	e.addType(rubric.ContainsAny, "The answer has one of the texts in it.", several)
	e.addType(rubric.ContainsAll, "The answer has all of the texts in it.", several)
	e.addType(rubric.IContains, "The answer has the text in it, in any letter case.", value)
	e.addType(rubric.IContainsAny, "The answer has one of the texts in it, in any letter case.", several)
	e.addType(rubric.IContainsAll, "The answer has all of the texts in it, in any letter case.", several)
	e.addType(rubric.StartsWith, "The answer begins with the text.", value)
	e.addType(rubric.EndsWith, "The answer ends with the text.", value)
	e.addType(rubric.Equals, "The answer is the text, spaces at both ends aside.", value)
	e.addType(rubric.Regex, "A regular expression of JavaScript matches within the answer.", value, &schema.Field{
		Key: "flags", Type: schema.String, Example: "i", Doc: "Its flags, as JavaScript has them.",
	})
	e.addType(rubric.IsJSON, "The answer is JSON.", &schema.Field{
		Key: "value", Type: schema.UnionOf(schema.Object, schema.Boolean, schema.String),
		Doc: "A JSON Schema that it has to be valid for. AgentV does not look at it.",
	})
	e.addSeedType("latency", "1 if the answer took at most `threshold`, else 0.")
	e.addSeedType("cost", "1 if the answer cost at most `budget`, else 0.")
	e.addSeedType("token-usage", "1 if no limit is passed, else 0.")
	e.addSeedType("execution-metrics", "The share of the limits given that are kept.")
	e.addSeedType("field-accuracy", "The answer, read as JSON, is compared with the reference answer field by field.")
}

// addSeedType adds a type whose settings are those that it had as an evaluator, in the
// oldest version.
func (e *entryTable) addSeedType(kind, doc string) *schema.Type {
	was := agentv.EvaluatorType.VariantByTag(withUnderscores(kind))
	t := e.addType(kind, doc)
	t.RequireAny, t.OnMissingAll = was.RequireAny, lostEntry
	for _, f := range was.Fields {
		if agentv.EvaluatorType.Field(f.Key) != nil {
			continue // of every evaluator
		}
		copied := *f
		if f.OnInvalid == "skips the evaluator" {
			copied.OnInvalid = lostEntry
		}
		t.Fields = append(t.Fields, &copied)
	}
	return t
}
