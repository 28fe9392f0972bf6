package tables

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
)

// entryTable is the table of a version's assertions.
type entryTable struct {
	version   agentv.Version
	common    []*schema.Field // fields of every assertion except `type`
	typeField *schema.Field   // `type`
	anyType   *schema.Type    // any assertion
	listType  *schema.Type    // a list of assertions and plain texts
}

// newEntryTable returns a version's assertion table without types. Types may refer to the table,
// because assertions nest.
func newEntryTable(v agentv.Version, name *schema.Field) *entryTable {
	e := &entryTable{version: v}
	e.typeField = &schema.Field{Key: "type", Required: true, OnInvalid: skipsAssertion, Doc: "The type of grader.", Type: &schema.Type{Kind: schema.Text, RefusedValues: assertion.RefusedTypes(v)}}
	e.common = []*schema.Field{
		name,
		{Key: "weight", Type: schema.NonNegative, Default: "1", OnInvalid: refusesTest, Doc: "Its share of the test's score. With 0 its result is reported and not counted."},
		{Key: "required", Type: schema.Boolean, Default: "`false`", OnInvalid: ignoresValue, Doc: "Whether the test scores 0 unless this assertion passes."},
		{Key: "min_score", Type: schema.PositiveUpTo(1), OnInvalid: ignoresValue, Example: 0.8, Doc: "The lowest passing score, above 0 and up to 1."},
		{Key: "negate", Type: schema.Boolean, Default: "`false`", OnInvalid: ignoresValue, Doc: "Whether to invert the result."},
	}
	e.anyType = &schema.Type{
		Name: "assertion", Doc: "One grader. Its `type` decides which keys it has.", Kind: schema.Map, Tag: "type",
		Fields: []*schema.Field{e.typeField},
		Choices: []*schema.Type{{
			Name: "included-assertions", Doc: "The assertions of another file.", Kind: schema.Map, MarkerKey: "include",
			Fields: []*schema.Field{{
				Key: "include", Type: schema.NonEmptyString, Required: true, Example: "safety",
				Doc: "The name of a template in `.agentv/templates`, or a file's path.",
			}},
		}},
	}
	e.listType = schema.ListOf(schema.UnionOf(schema.NonEmptyString, e.anyType))
	return e
}

// addType adds a type of assertion.
func (e *entryTable) addType(kind, doc string, fields ...*schema.Field) *schema.Type {
	t := &schema.Type{
		Name: "assertion-" + kind, Doc: doc, Kind: schema.Map, TagValues: []string{kind},
		Fields: append(append([]*schema.Field{e.typeField}, e.common...), fields...),
	}
	e.anyType.Choices = append(e.anyType.Choices, t)
	e.typeField.Type.KnownValues = append(e.typeField.Type.KnownValues, schema.Value{Text: kind, Synonyms: agentv.OtherNames(kind, agentv.InType, e.version)})
	return t
}

// addDeterministic adds the text checks and the limits, which all later versions have.
func (e *entryTable) addDeterministic() {
	value := &schema.Field{Key: "value", Type: schema.NonEmptyString, Required: true, OnInvalid: skipsAssertion, Doc: "The text to search for."}
	several := &schema.Field{Key: "value", Type: schema.NonEmptyListOf(schema.String), Required: true, OnInvalid: skipsAssertion, Doc: "The texts to search for."}
	e.addType(rubric.Contains, "The answer contains the text.", value)
	e.addType(rubric.ContainsAny, "The answer contains one of the texts.", several)
	e.addType(rubric.ContainsAll, "The answer contains all of the texts.", several)
	e.addType(rubric.IContains, "The answer contains the text, ignoring case.", value)
	e.addType(rubric.IContainsAny, "The answer contains one of the texts, ignoring case.", several)
	e.addType(rubric.IContainsAll, "The answer contains all of the texts, ignoring case.", several)
	e.addType(rubric.StartsWith, "The answer begins with the text.", value)
	e.addType(rubric.EndsWith, "The answer ends with the text.", value)
	e.addType(rubric.Equals, "The answer equals the text, ignoring space at both ends.", value)
	e.addType(rubric.Regex, "A JavaScript regular expression matches in the answer.", value, &schema.Field{
		Key: "flags", Type: schema.String, Example: "i", Doc: "Its flags in JavaScript.",
	})
	e.addType(rubric.IsJSON, "The answer is JSON.", &schema.Field{
		Key: "value", Type: schema.UnionOf(schema.Object, schema.Boolean, schema.String),
		Doc: "A JSON Schema for the answer. AgentV ignores it.",
	})
	e.addSeedType("latency", "1 if the answer took at most `threshold`, else 0.")
	e.addSeedType("cost", "1 if the answer cost at most `budget`, else 0.")
	e.addSeedType("token-usage", "1 if no limit is exceeded, else 0.")
	e.addSeedType("execution-metrics", "The share of the given limits that are met.")
	e.addSeedType("field-accuracy", "The answer, parsed as JSON, is compared with the reference answer field by field.")
}

// addSeedType adds a type with the settings of Seed's evaluator of that type.
func (e *entryTable) addSeedType(kind, doc string) *schema.Type {
	seedType := agentv.EvaluatorType.VariantByTag(strings.ReplaceAll(kind, "-", "_"))
	t := e.addType(kind, doc)
	t.RequireAny, t.OnMissingAll = seedType.RequireAny, skipsAssertion
	for _, f := range seedType.Fields {
		if agentv.EvaluatorType.Field(f.Key) != nil {
			continue // a key of every evaluator
		}
		copied := *f
		if f.OnInvalid == "skips the evaluator" {
			copied.OnInvalid = skipsAssertion
		}
		t.Fields = append(t.Fields, &copied)
	}
	return t
}

// judgeFields returns a judge's keys other than its criteria.
func judgeFields(prompt *schema.Type) []*schema.Field {
	return []*schema.Field{
		{
			Key: "prompt", Type: prompt, Example: "file://prompts/judge.md",
			Doc: "The judge's own prompt: the text, `file://` and the path of a file, or a program that writes it. `{{ input }}`, " +
				"`{{ output }}`, `{{ expected_output }}`, `{{ criteria }}` and `{{ rubrics }}` are replaced. Criteria take precedence.",
		},
		{Key: "model", Type: schema.String, Doc: "The model that grades."},
		{Key: "provider", Type: anyValue, Doc: "The provider of the model that grades."},
		{Key: "target", Type: schema.String, Doc: "The target or judge that grades, in place of the run's judge."},
		{Key: "temperature", Type: schema.NonNegative, Doc: "The sampling temperature."},
		{Key: "max_steps", Aliases: []string{"maxSteps"}, Type: schema.IntegerFrom(1), Doc: "The maximum steps of a grading agent."},
		{Key: "preprocessors", Unsupported: notConverted, Type: anyValue, Doc: "Conversions of files before the judge sees them."},
		{Key: "config", Type: schema.Object, Doc: "Passed to the prompt's program."},
		agentv.SamplesField,
	}
}

const programDoc = "A program grades. It receives the test and the answer as JSON. It prints a score, or succeeds or fails. " +
	"It receives all keys not listed here as `config`."

// programFields returns the keys of a grading program.
func programFields() []*schema.Field {
	return []*schema.Field{
		{Key: "command", Type: agentv.ScriptType, Example: []string{"python", "judge.py"}, OnInvalid: skipsAssertion, Doc: "The program: its arguments, or a line for the shell."},
		{Key: "cwd", Type: schema.NonEmptyString, Default: "the eval file's folder", Doc: "The working folder."},
		{Key: "target", Type: schema.UnionOf(schema.Boolean, agentv.ProxyType), Doc: "Lets the program call the judge's model through a local proxy."},
		{Key: "preprocessors", Unsupported: notConverted, Type: anyValue, Doc: "Conversions of files before the program receives them."},
		{Key: "config", Type: schema.Object, Doc: "Passed to the program."},
	}
}

// asOutcome returns a copy of the field for the text of a criterion or range, with the key
// `outcome`. Criteria still accept the older key without a warning.
func asOutcome(f *schema.Field, aliases ...string) *schema.Field {
	copied := *f
	copied.Key, copied.Aliases = "outcome", aliases
	return &copied
}

// rangesField is the field for score ranges. Incomplete ranges refuse the test.
var rangesField = func() *schema.Field {
	old := agentv.CriterionType.Field("score_ranges")
	copied := *old
	entry := *agentv.RangeType
	entry.Fields = []*schema.Field{asRequired(entry.Field("score_range"), refusesTest), asOutcome(asRequired(entry.Field("expected_outcome"), refusesTest))}
	copied.Type = schema.UnionOf(schema.NonEmptyListOf(&entry), agentv.ScoreMapType)
	copied.AddedIn, copied.OnInvalid = "", refusesTest
	return &copied
}()

var minimumField = &schema.Field{
	Key: "min_score", Type: schema.PositiveUpTo(1), OnInvalid: refusesTest, Example: 0.7,
	Doc: "The lowest score, above 0 and up to 1, that avoids the verdict fail. Applies only to a criterion with `score_ranges`.",
}

// newCriterionType returns the table of a criterion in a later version. onInvalid is the effect of a
// criterion without a text.
func newCriterionType(onInvalid string, more ...*schema.Field) *schema.Type {
	old := agentv.CriterionType
	text := asOutcome(old.Field("expected_outcome"), "criteria")
	text.OnInvalid = onInvalid
	t := &schema.Type{
		Name: old.Name, Doc: old.Doc, Kind: schema.Map,
		Fields: append([]*schema.Field{
			old.Field("id"), text,
			{
				Key: "operator", Default: "`" + rubric.Correctness + "`", OnInvalid: ignoresValue, Doc: "The rule for satisfaction.",
				Type: schema.EnumOf(
					schema.Value{Text: rubric.Correctness, Doc: "the answer states it"},
					schema.Value{Text: rubric.Contradiction, Doc: "the answer does not contradict it"},
				),
			},
			old.Field("weight"),
		}, more...),
		RequireAny: []string{"outcome", "criteria", "score_ranges"}, OnMissingAll: onInvalid,
	}
	t.Fields = append(t.Fields, minimumField, rangesField)
	return t
}

// v4GateField decides whether a criterion of V4 is a gate.
var v4GateField = agentv.CriterionType.Field("required")

// headGateField decides whether a criterion of Head is a gate. For one with ranges only the
// minimum does.
var headGateField = &schema.Field{
	Key: "required", Type: schema.Boolean, Default: "`true`", OnInvalid: "uses the default",
	Doc: "Whether the verdict is fail if it is not satisfied, whatever the score. Ignored with `score_ranges`: there `min_score` is the gate.",
}

// olderMinimumField is the minimum in older files that V4 still reads.
var olderMinimumField = func() *schema.Field {
	copied := *agentv.CriterionType.Field("required_min_score")
	copied.DeprecatedNames, copied.AddedIn, copied.OnInvalid = []string{copied.Key}, "", refusesTest
	copied.Doc = "The lowest score, 0 to 10, that avoids the verdict fail. `min_score`, 0 to 1, has replaced it."
	return &copied
}()
