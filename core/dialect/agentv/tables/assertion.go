package tables

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
)

// entries is what a version's assertions are made of.
type entries struct {
	version agentv.Version
	common  []*schema.Field // of every assertion, `type` aside
	tag     *schema.Field   // `type`
	any     *schema.Type    // any assertion
	list    *schema.Type    // a list of them and of plain texts
}

// newEntries starts a version's assertions: all of them may include each other.
func newEntries(v agentv.Version, name *schema.Field) *entries {
	e := &entries{version: v}
	e.tag = &schema.Field{Key: "type", Required: true, OnInvalid: skipsEntry, Doc: "The way of grading.", Type: &schema.Type{Kind: schema.Text, RefusedValues: assertion.Refused(v)}}
	e.common = []*schema.Field{
		name,
		{Key: "weight", Type: schema.NonNegative, Default: "1", OnInvalid: refusesTest, Doc: "Its share in the test's score; with 0 its findings are reported and not counted."},
		{Key: "required", Type: schema.Boolean, Default: "`false`", OnInvalid: ignoresIt, Doc: "Whether the test scores 0 unless this one passes."},
		{Key: "min_score", Type: schema.PositiveUpTo(1), OnInvalid: ignoresIt, Example: 0.8, Doc: "The score from which it passes, above 0 and up to 1."},
		{Key: "negate", Type: schema.Boolean, Default: "`false`", OnInvalid: ignoresIt, Doc: "Whether it passes when it otherwise would not."},
	}
	e.any = &schema.Type{
		Name: "assertion", Doc: "One way of grading; its `type` decides which keys it takes.", Kind: schema.Map, Tag: "type",
		Fields: []*schema.Field{e.tag},
		Choices: []*schema.Type{{
			Name: "included-assertions", Doc: "The assertions of another file.", Kind: schema.Map, MarkerKey: "include",
			Fields: []*schema.Field{{
				Key: "include", Type: schema.NonEmptyString, Required: true, Example: "safety",
				Doc: "A template of `.agentv/templates` by its name, or a file by its path.",
			}},
		}},
	}
	e.list = schema.ListOf(schema.UnionOf(schema.NonEmptyString, e.any))
	return e
}

// add adds a type of assertions.
func (e *entries) add(kind, doc string, fields ...*schema.Field) *schema.Type {
	t := &schema.Type{
		Name: "assertion-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind},
		Fields: append(append([]*schema.Field{e.tag}, e.common...), fields...),
	}
	e.any.Choices = append(e.any.Choices, t)
	e.tag.Type.KnownValues = append(e.tag.Type.KnownValues, schema.Value{Text: kind, Synonyms: agentv.Others(kind, agentv.InType, e.version)})
	return t
}

// deterministic adds the looks at an answer's text, and the limits, which all
// newer versions have.
func (e *entries) deterministic() {
	value := &schema.Field{Key: "value", Type: schema.NonEmptyString, Required: true, OnInvalid: skipsEntry, Doc: "What is looked for."}
	several := &schema.Field{Key: "value", Type: schema.NonEmptyListOf(schema.String), Required: true, OnInvalid: skipsEntry, Doc: "What is looked for."}
	e.add(rubric.Contains, "The answer has the text in it.", value)
	e.add(rubric.ContainsAny, "The answer has one of the texts in it.", several)
	e.add(rubric.ContainsAll, "The answer has all of the texts in it.", several)
	e.add(rubric.IContains, "The answer has the text in it, in any letter case.", value)
	e.add(rubric.IContainsAny, "The answer has one of the texts in it, in any letter case.", several)
	e.add(rubric.IContainsAll, "The answer has all of the texts in it, in any letter case.", several)
	e.add(rubric.StartsWith, "The answer begins with the text.", value)
	e.add(rubric.EndsWith, "The answer ends with the text.", value)
	e.add(rubric.Equals, "The answer is the text, spaces at both ends aside.", value)
	e.add(rubric.Regex, "A regular expression of JavaScript matches within the answer.", value, &schema.Field{
		Key: "flags", Type: schema.String, Example: "i", Doc: "Its flags, as JavaScript has them.",
	})
	e.add(rubric.IsJSON, "The answer is JSON.", &schema.Field{
		Key: "value", Type: schema.UnionOf(schema.Object, schema.Boolean, schema.String),
		Doc: "A JSON Schema that it has to be valid for. AgentV does not look at it.",
	})
	e.old("latency", "1 if the answer took at most `threshold`, else 0.")
	e.old("cost", "1 if the answer cost at most `budget`, else 0.")
	e.old("token-usage", "1 if no limit is passed, else 0.")
	e.old("execution-metrics", "The share of the limits given that are kept.")
	e.old("field-accuracy", "The answer, read as JSON, is compared with the reference answer field by field.")
}

// old adds a type whose settings are those that it had as an evaluator, in the
// oldest version.
func (e *entries) old(kind, doc string) *schema.Type {
	was := agentv.EvaluatorType.VariantByTag(underscored(kind))
	t := e.add(kind, doc)
	t.RequireAny, t.OnMissingAll = was.RequireAny, skipsEntry
	for _, f := range was.Fields {
		if agentv.EvaluatorType.Field(f.Key) != nil {
			continue // of every evaluator
		}
		copied := *f
		if f.OnInvalid == "skips the evaluator" {
			copied.OnInvalid = skipsEntry
		}
		t.Fields = append(t.Fields, &copied)
	}
	return t
}
