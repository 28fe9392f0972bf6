package promptfoo

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/schema"
)

// RedteamPrefix begins the types that generated attacks have.
const RedteamPrefix = "promptfoo:redteam:"

// synonyms are names that people write for a type.
var synonyms = map[string][]string{
	"similar": {"similarity", "semantic-similarity", "embedding-similarity"}, "contains-any": {"contains-some", "contains-one"}, "regex": {"ends-with", "matches", "regexp", "match"},
	"llm-rubric": {"rubric", "llm-judge", "llm-grader", "rubrics", "grade"}, "javascript": {"js", "script", "not-empty", "min-length", "max-length", "custom"}, "equals": {"equal", "exact", "exact-match", "is"},
	"is-json": {"json", "valid-json", "json-schema"}, "assert-set": {"assert_set", "set", "composite"}, "word-count": {"length", "words"},
}

// assertionType is the table of an assertion, with a variant for each group of types.
var assertionType = func() *schema.Type {
	t := newType("assertion", "One assertion. After `not-`, most types mean the opposite.", typeField)
	t.Tag = typeField.Key
	for _, k := range assertion.Types {
		group := groups[k.Group]
		if !slices.Contains(t.Choices, group) {
			t.Choices = append(t.Choices, group)
		}
		add := func(name, doc string) {
			group.TagValues = append(group.TagValues, name)
			typeField.Type.Values = append(typeField.Type.Values, schema.Value{Text: name, Doc: strings.TrimSuffix(doc, "."), Synonyms: synonyms[name]})
		}
		add(k.Name, k.Doc)
		if !k.Has(assertion.HasNoOpposite) {
			add("not-"+k.Name, "the opposite of `"+k.Name+"`")
		}
	}
	groups[assertion.Set].Field("assert").Type = schema.ListOf(t)
	return t
}()

// typeField has all types as its values.
var typeField = field("type", &schema.Type{Kind: schema.Text}, errorRow, "The type.").WithExample("contains").AsRequired()

var commonFields = []*schema.Field{
	field("threshold", schema.AnyNumber, dropsIt, "The score, or the limit, from which it passes. Most types that compare texts ignore it.").WithMisnomers("treshold", "min_score", "minScore"),
	field("weight", schema.AnyNumber, refusesFile, "Its share of the score. With 0 it always passes.").WithDefault("`1`"),
	field("metric", schema.String, refusesFile, "The name under which its score is summed up.").AsInformational(),
	field("provider", schema.AnyValue, refusesFile, "The judge, in place of `options.provider`."),
	field("rubricPrompt", schema.UnionOf(schema.String, schema.ListOf(schema.AnyValue), schema.Object), refusesFile, "The judge's prompt.").WithMisnomers("rubric_prompt", "prompt"),
	field("config", schema.Object, refusesFile, "Passed to a program or a type."),
	field("transform", schema.AnyValue, refusesFile, "JavaScript, or a file, that changes the answer first.").AsUnsupported("no transform runs here"),
	field("contextTransform", schema.AnyValue, refusesFile, "JavaScript, or a file, that takes the context from the answer.").AsUnsupported("no transform runs here"),
}

// group returns the table of some types, with their own fields before the common ones.
func group(name, doc string, own ...*schema.Field) *schema.Type {
	t := newType(name, doc, append([]*schema.Field{typeField}, own...)...)
	for _, f := range commonFields {
		if t.Field(f.Key) == nil {
			t.Fields = append(t.Fields, f)
		}
	}
	return t
}

func value(t *schema.Type, doc string) *schema.Field {
	return field("value", t, errorRow, doc).WithMisnomers("expected", "values", "text", "criteria")
}

var textOrNumber = schema.UnionOf(schema.String, schema.AnyNumber)

// groups are the tables of the groups of types.
var groups = map[assertion.Group]*schema.Type{
	assertion.Equality: group("equals-assertion", "The answer equals something.", value(schema.AnyValue, "What the answer equals.").AsRequired()),
	assertion.Text:     group("text-assertion", "The answer contains or begins with a text, or matches a pattern.", value(textOrNumber, "The text or pattern.").WithExample("Bonjour").AsRequired()),
	assertion.Texts:    group("list-assertion", "The answer contains some of several texts.", value(schema.UnionOf(textOrNumber, schema.ListOf(textOrNumber)), "The texts, also separated by commas.").WithExample([]string{"yes", "sure"}).AsRequired()),
	assertion.Format:   group("format-assertion", "The answer is or contains JSON, XML, HTML or SQL.", value(schema.UnionOf(schema.String, schema.Object), "The JSON Schema or the elements that are needed, or the SQL dialect.")),
	assertion.Count:    group("count-assertion", "The answer has a number of words.", value(schema.UnionOf(schema.AnyNumber, schema.String, schema.Object), "The number, or `min` and `max`.").AsRequired()),
	assertion.Overlap:  group("overlap-assertion", "The answer has much in common with a text.", value(schema.UnionOf(textOrNumber, schema.ListOf(textOrNumber)), "The text, or several of which the best counts.").AsRequired()),
	assertion.Similar:  group("similar-assertion", "The answer is similar to a text in meaning.", value(schema.UnionOf(schema.String, schema.ListOf(schema.String)), "The text, or several.").AsRequired()),
	assertion.Limit: group("limit-assertion", "The answer keeps a limit.",
		field("threshold", schema.AnyNumber, errorRow, "The limit.").WithExample(2000).AsRequired(),
		field("value", schema.AnyValue, dropsIt, "Has no effect.")),
	assertion.Script:     group("script-assertion", "A program grades.", value(schema.String, "The source, `file://` and a path, or the address of a service.").WithExample("output.length < 200").AsRequired()),
	assertion.Judge:      group("judge-assertion", "A model grades.", value(schema.UnionOf(schema.String, schema.ListOf(schema.AnyValue), schema.Object), "What to grade by.").WithExample("Is polite")),
	assertion.Context:    group("context-assertion", "A model compares answer, question and context.", value(schema.AnyValue, "What the context must have.")),
	assertion.Measure:    group("measure-assertion", "Something else is measured.", value(schema.AnyValue, "The expected value.")),
	assertion.Comparison: group("comparison-assertion", "The answers of all prompts and providers are compared.", value(schema.AnyValue, "The criterion, or the method.")),
	assertion.Set: group("set-assertion", "Several assertions that count as one.",
		field("assert", schema.AnyValue, "counts 0 for it", "The members. A set within a set is an error.").AsRequired()),
}
