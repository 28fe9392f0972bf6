package v4

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/assertion"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
)

// EntryTable is the table of a version's assertions.
type EntryTable struct {
	version   agentv.Version
	common    []*schema.Field // fields of every assertion except `type`
	typeField *schema.Field   // `type`
	AnyType   *schema.Type    // any assertion
	ListType  *schema.Type    // a list of assertions and plain texts
}

// NewEntryTable returns a version's assertion table without types. Types may refer to the table,
// because assertions nest.
func NewEntryTable(v agentv.Version, name *schema.Field) *EntryTable {
	e := &EntryTable{version: v}
	e.typeField = &schema.Field{Key: "type", Required: true, OnInvalid: SkipsAssertion, Doc: "The type of grader.", Type: &schema.Type{Kind: schema.Text, RefusedValues: assertion.RefusedTypes(v)}}
	e.common = []*schema.Field{
		name,
		{Key: "weight", Type: schema.NonNegative, Default: "1", OnInvalid: RefusesTest, Doc: "Its share of the test's score. With 0 its result is reported and not counted."},
		{Key: "required", Type: schema.Boolean, Default: "`false`", OnInvalid: IgnoresValue, Doc: "Whether the test scores 0 unless this assertion passes."},
		{Key: "min_score", Type: schema.PositiveUpTo(1), OnInvalid: IgnoresValue, Example: 0.8, Doc: "The lowest passing score, above 0 and up to 1."},
		{Key: "negate", Type: schema.Boolean, Default: "`false`", OnInvalid: IgnoresValue, Doc: "Whether to invert the result."},
	}
	e.AnyType = &schema.Type{
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
	e.ListType = schema.ListOf(schema.UnionOf(schema.NonEmptyString, e.AnyType))
	return e
}

// AddType adds a type of assertion.
func (e *EntryTable) AddType(kind, doc string, fields ...*schema.Field) *schema.Type {
	t := &schema.Type{
		Name: "assertion-" + kind, Doc: doc, Kind: schema.Map,
		Fields: append(append([]*schema.Field{e.typeField}, e.common...), fields...),
	}
	e.AnyType.Choices = append(e.AnyType.Choices, t)
	e.NameType(t, kind)
	return t
}

// NameType gives a type of assertion a name. A type may have several.
func (e *EntryTable) NameType(t *schema.Type, name string) {
	t.TagValues = append(t.TagValues, name)
	e.typeField.Type.KnownValues = append(e.typeField.Type.KnownValues, schema.Value{Text: name, Synonyms: agentv.OtherNames(name, agentv.InType, e.version)})
}

// AddDeterministic adds the text checks and the limits, which all later versions have.
func (e *EntryTable) AddDeterministic() {
	value := &schema.Field{Key: "value", Type: schema.NonEmptyString, Required: true, OnInvalid: SkipsAssertion, Doc: "The text to search for."}
	several := &schema.Field{Key: "value", Type: schema.NonEmptyListOf(schema.String), Required: true, OnInvalid: SkipsAssertion, Doc: "The texts to search for."}
	e.AddType(rubric.Contains, "The answer contains the text.", value)
	e.AddType(rubric.ContainsAny, "The answer contains one of the texts.", several)
	e.AddType(rubric.ContainsAll, "The answer contains all of the texts.", several)
	e.AddType(rubric.IContains, "The answer contains the text, ignoring case.", value)
	e.AddType(rubric.IContainsAny, "The answer contains one of the texts, ignoring case.", several)
	e.AddType(rubric.IContainsAll, "The answer contains all of the texts, ignoring case.", several)
	e.AddType(rubric.StartsWith, "The answer begins with the text.", value)
	e.AddType(rubric.EndsWith, "The answer ends with the text.", value)
	e.AddType(rubric.Equals, "The answer equals the text, ignoring space at both ends.", value)
	e.AddType(rubric.Regex, "A JavaScript regular expression matches in the answer.", value, &schema.Field{
		Key: "flags", Type: schema.String, Example: "i", Doc: "Its flags in JavaScript.",
	})
	e.AddType(rubric.IsJSON, "The answer is JSON.", &schema.Field{
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
func (e *EntryTable) addSeedType(kind, doc string) *schema.Type {
	seedType := seed.EvaluatorType.VariantByTag(strings.ReplaceAll(kind, "-", "_"))
	t := e.AddType(kind, doc)
	t.RequireAny, t.OnMissingAll = seedType.RequireAny, SkipsAssertion
	for _, f := range seedType.Fields {
		if seed.EvaluatorType.Field(f.Key) != nil {
			continue // a key of every evaluator
		}
		t.Fields = append(t.Fields, f.With(func(f *schema.Field) {
			if f.OnInvalid == "skips the evaluator" {
				f.OnInvalid = SkipsAssertion
			}
		}))
	}
	return t
}

// JudgeFields returns a judge's keys other than its criteria.
func JudgeFields(prompt *schema.Type) []*schema.Field {
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
		{Key: "config", Type: schema.Object, Doc: "Passed to the prompt's program."},
		seed.SamplesField,
	}
}

const ProgramDoc = "A program grades. It receives the test and the answer as JSON. It prints a score, or succeeds or fails. " +
	"It receives all keys not listed here as `config`."

// ProgramFields returns the keys of a grading program.
func ProgramFields() []*schema.Field {
	return []*schema.Field{
		{Key: "command", Type: seed.ScriptType, Example: []string{"python", "judge.py"}, OnInvalid: SkipsAssertion, Doc: "The program: its arguments, or a line for the shell."},
		{Key: "cwd", Type: schema.NonEmptyString, Default: "the eval file's folder", Doc: "The working folder."},
		{Key: "target", Type: schema.UnionOf(schema.Boolean, seed.ProxyType), Doc: "Lets the program call the judge's model through a local proxy."},
		newPreprocessorsField(SkipsTest).With(func(f *schema.Field) {
			f.Informational, f.Doc = true, "No effect on a program, which gets the paths of files."
		}),
		{Key: "config", Type: schema.Object, Doc: "Passed to the program."},
	}
}

// asOutcome returns a copy of the field for the text of a criterion or range, with the key
// `outcome`. Criteria still accept the older key without a warning.
func asOutcome(f *schema.Field, aliases ...string) *schema.Field {
	return f.With(func(f *schema.Field) { f.Key, f.Aliases = "outcome", aliases })
}

// RangesField is the field for score ranges. Incomplete ranges refuse the test.
var RangesField = seed.CriterionType.Field("score_ranges").With(func(f *schema.Field) {
	entry := *seed.RangeType
	entry.Fields = []*schema.Field{AsRequired(entry.Field("score_range"), RefusesTest), asOutcome(AsRequired(entry.Field("expected_outcome"), RefusesTest))}
	f.Type, f.AddedIn, f.OnInvalid = schema.UnionOf(schema.NonEmptyListOf(&entry), seed.ScoreMapType), "", RefusesTest
})

var minimumField = &schema.Field{
	Key: "min_score", Type: schema.PositiveUpTo(1), OnInvalid: RefusesTest, Example: 0.7,
	Doc: "The lowest score, above 0 and up to 1, that avoids the verdict fail. Applies only to a criterion with `score_ranges`.",
}

// NewCriterionType returns the table of a criterion in a later version. onInvalid is the effect of a
// criterion without a text.
func NewCriterionType(onInvalid string, more ...*schema.Field) *schema.Type {
	old := seed.CriterionType
	text := asOutcome(old.Field("expected_outcome"), "criteria")
	text.OnInvalid = onInvalid
	t := &schema.Type{
		Name: old.Name, Doc: old.Doc, Kind: schema.Map,
		Fields: append([]*schema.Field{
			old.Field("id"), text,
			{
				Key: "operator", Default: "`" + rubric.Correctness + "`", OnInvalid: IgnoresValue, Doc: "The rule for satisfaction.",
				Type: schema.EnumOf(
					schema.Value{Text: rubric.Correctness, Doc: "the answer states it"},
					schema.Value{Text: rubric.Contradiction, Doc: "the answer does not contradict it"},
				),
			},
			old.Field("weight"),
		}, more...),
		RequireAny: []string{"outcome", "criteria", "score_ranges"}, OnMissingAll: onInvalid,
	}
	t.Fields = append(t.Fields, minimumField, RangesField)
	return t
}

// gateField decides whether a criterion of V4 is a gate.
var gateField = seed.CriterionType.Field("required")

// olderMinimumField is the minimum in older files that V4 still reads.
var olderMinimumField = seed.CriterionType.Field("required_min_score").With(func(f *schema.Field) {
	f.DeprecatedNames, f.AddedIn, f.OnInvalid = []string{f.Key}, "", RefusesTest
	f.Doc = "The lowest score, 0 to 10, that avoids the verdict fail. `min_score`, 0 to 1, has replaced it."
})
