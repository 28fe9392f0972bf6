package promptfoo

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
)

// kind is a type of assertion.
type kind struct {
	name, doc string
	group     *schema.Type
	flags     flag
}

type flag uint8

const (
	readsThreshold flag = 1 << iota
	ignoresNot          // `not-` does not invert its verdict
	neverFails          // without a threshold
	deprecated
)

// kinds are the base types. Each exists with `not-` too, unless it is special.
var kinds = []kind{
	{"equals", "The answer equals the value: a text, or the JSON of a mapping or list.", equalsGroup, 0},
	{"contains", "The answer contains the text.", textGroup, 0},
	{"icontains", "The answer contains the text, ignoring case.", textGroup, 0},
	{"contains-any", "The answer contains one of the texts.", listGroup, 0},
	{"contains-all", "The answer contains all of the texts.", listGroup, 0},
	{"icontains-any", "The answer contains one of the texts, ignoring case.", listGroup, 0},
	{"icontains-all", "The answer contains all of the texts, ignoring case.", listGroup, 0},
	{"starts-with", "The answer begins with the text.", textGroup, 0},
	{"regex", "A JavaScript regular expression matches in the answer. Flags cannot be given.", textGroup, 0},
	{"is-json", "The answer is JSON, and fits the JSON Schema in `value`.", formatGroup, 0},
	{"contains-json", "The answer contains a JSON mapping that fits the JSON Schema in `value`.", formatGroup, 0},
	{"is-xml", "The answer is XML with the elements of `value`.", formatGroup, 0},
	{"contains-xml", "The answer contains XML.", formatGroup, 0},
	{"is-html", "The answer is HTML.", formatGroup, 0},
	{"contains-html", "The answer contains HTML.", formatGroup, 0},
	{"is-sql", "The answer is SQL.", formatGroup, 0},
	{"contains-sql", "The answer contains SQL.", formatGroup, 0},
	{"word-count", "The answer has as many words: a number, or `min` and `max`.", countGroup, 0},
	{"levenshtein", "At most `threshold` edits, 5 by default, turn the answer into the text.", overlapGroup, readsThreshold},
	{"rouge-n", "The F1 of common words is at least `threshold`, 0.75 by default.", overlapGroup, readsThreshold},
	{"bleu", "BLEU is at least `threshold`, 0.5 by default.", overlapGroup, readsThreshold},
	{"gleu", "GLEU is at least `threshold`, 0.5 by default.", overlapGroup, readsThreshold},
	{"meteor", "METEOR is at least `threshold`, 0.5 by default.", overlapGroup, readsThreshold},
	{"similar", "The embedding of the answer is similar to that of the text: at least `threshold`, 0.75 by default.", similarGroup, readsThreshold},
	{"similar:cosine", "Like `similar`.", similarGroup, readsThreshold},
	{"similar:dot", "Like `similar`, with the dot product.", similarGroup, readsThreshold},
	{"similar:euclidean", "Like `similar`, with a distance of at most `threshold`.", similarGroup, readsThreshold},
	{"cost", "The answer cost at most `threshold` US dollars.", limitGroup, readsThreshold},
	{"latency", "The answer took at most `threshold` milliseconds.", limitGroup, readsThreshold},
	{"perplexity", "The perplexity is at most `threshold`.", measureGroup, readsThreshold | neverFails},
	{"perplexity-score", "The normalised perplexity is at least `threshold`.", measureGroup, readsThreshold | neverFails},
	{"javascript", "JavaScript grades: a boolean, a number, or a mapping with `pass` and `score`.", scriptGroup, readsThreshold},
	{"python", "Python grades.", scriptGroup, readsThreshold},
	{"ruby", "Ruby grades.", scriptGroup, readsThreshold},
	{"webhook", "A service grades. It passes unless the reply says otherwise.", scriptGroup, 0},
	{"llm-rubric", "A model grades by the text. Without `threshold` its score is never used, and it passes unless it says otherwise.", judgeGroup, readsThreshold},
	{"agent-rubric", "An agent grades by the text.", judgeGroup, readsThreshold},
	{"search-rubric", "A model that searches the web grades by the text.", judgeGroup, readsThreshold},
	{"g-eval", "A model grades by criteria in steps, 0 to 1, 0.7 by default.", judgeGroup, readsThreshold},
	{"factuality", "A model compares the facts with those of the text.", judgeGroup, ignoresNot},
	{"model-graded-factuality", "The older name of `factuality`.", judgeGroup, ignoresNot | deprecated},
	{"model-graded-closedqa", "A model says whether the answer meets the criterion.", judgeGroup, ignoresNot},
	{"pi", "A scoring service grades.", judgeGroup, readsThreshold | ignoresNot},
	{"answer-relevance", "The answer is about the question.", contextGroup, readsThreshold | ignoresNot | neverFails},
	{"context-recall", "The context has what `value` says.", contextGroup, readsThreshold | ignoresNot | neverFails},
	{"context-relevance", "The context is about the question.", contextGroup, readsThreshold | ignoresNot | neverFails},
	{"context-faithfulness", "The answer says only what the context has.", contextGroup, readsThreshold | ignoresNot | neverFails},
	{"conversation-relevance", "The answers of a conversation are to the point.", contextGroup, readsThreshold},
	{"classifier", "A classifier finds the class `value`.", measureGroup, readsThreshold},
	{"moderation", "A moderation service objects to nothing.", measureGroup, 0},
	{"is-refusal", "The answer refuses.", measureGroup, 0},
	{"guardrails", "The provider's guardrails object to nothing.", measureGroup, 0},
	{"finish-reason", "The model stopped for this reason.", measureGroup, 0},
	{"is-valid-function-call", "The answer is a valid call of one of the provider's functions.", measureGroup, ignoresNot},
	{"is-valid-openai-function-call", "The older name of `is-valid-function-call`.", measureGroup, ignoresNot | deprecated},
	{"is-valid-openai-tools-call", "The answer is valid calls of the provider's tools.", measureGroup, ignoresNot},
	{"tool-call-f1", "The F1 of the names of called tools is at least `threshold`, 1 by default.", measureGroup, readsThreshold},
	{"skill-used", "A skill was used.", measureGroup, 0},
	{"trace-span-count", "The trace has as many spans.", measureGroup, ignoresNot},
	{"trace-span-duration", "The spans of the trace took at most as long.", measureGroup, ignoresNot},
	{"trace-error-spans", "The trace has at most as many errors.", measureGroup, ignoresNot},
	{"trajectory:goal-success", "The steps reached the goal.", measureGroup, readsThreshold},
	{"trajectory:tool-used", "A tool was called.", measureGroup, 0},
	{"trajectory:tool-args-match", "A tool was called with these arguments.", measureGroup, 0},
	{"trajectory:tool-sequence", "Tools were called in this order.", measureGroup, 0},
	{"trajectory:step-count", "There were as many steps.", measureGroup, 0},
}

// specials are types that have no opposite.
var specials = []kind{
	{"select-best", "A model selects the best answer of all prompts and providers.", comparisonGroup, 0},
	{"max-score", "The answer with the highest score of all prompts and providers passes.", comparisonGroup, 0},
	{"assert-set", "Several assertions that count as one. With a `threshold`, their mean must reach it; without one, each must pass.", setGroup, readsThreshold},
}

// kindsByName are the types by name, also after `not-`.
var kindsByName = func() map[string]kind {
	all := map[string]kind{}
	for _, k := range slices.Concat(kinds, specials) {
		all[k.name] = k
	}
	for _, k := range kinds {
		all["not-"+k.name] = k
	}
	return all
}()

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
	t := &schema.Type{
		Name: "assertion", Doc: "One assertion. After `not-`, most types mean the opposite.", Kind: schema.Map, Tag: "type", OnUnknownKey: dropsIt,
	}
	tag := &schema.Field{Key: "type", Required: true, OnInvalid: errorRow, Example: "contains", Type: &schema.Type{Kind: schema.Text}, Doc: "The type."}
	for _, k := range slices.Concat(kinds, specials) {
		if !slices.Contains(t.Choices, k.group) {
			t.Choices = append(t.Choices, k.group)
			k.group.Fields = slices.Insert(k.group.Fields, 0, tag)
			for _, f := range commonFields {
				if k.group.Field(f.Key) == nil {
					k.group.Fields = append(k.group.Fields, f)
				}
			}
			k.group.OnUnknownKey = dropsIt
		}
		add := func(name, doc string) {
			k.group.TagValues = append(k.group.TagValues, name)
			tag.Type.Values = append(tag.Type.Values, schema.Value{Text: name, Doc: strings.TrimSuffix(doc, "."), Synonyms: synonyms[name]})
		}
		add(k.name, k.doc)
		if slices.ContainsFunc(kinds, func(base kind) bool { return base.name == k.name }) {
			add("not-"+k.name, "the opposite of `"+k.name+"`")
		}
	}
	t.Fields = []*schema.Field{tag}
	setGroup.Field("assert").Type = schema.ListOf(t)
	return t
}()

var commonFields = []*schema.Field{
	withMisnomers(field("threshold", schema.AnyNumber, dropsIt, "The score, or the limit, from which it passes. Most types that compare texts ignore it."), "treshold", "min_score", "minScore"),
	withDefault("`1`", field("weight", schema.AnyNumber, refusesFile, "Its share of the score. With 0 it always passes.")),
	informational(field("metric", schema.String, refusesFile, "The name under which its score is summed up."))[0],
	field("provider", schema.AnyValue, refusesFile, "The judge, in place of `options.provider`."),
	withMisnomers(field("rubricPrompt", schema.UnionOf(schema.String, schema.ListOf(schema.AnyValue), schema.Object), refusesFile, "The judge's prompt."), "rubric_prompt", "prompt"),
	field("config", schema.Object, refusesFile, "Passed to a program or a type."),
	unsupported("no transform runs here", field("transform", schema.AnyValue, refusesFile, "JavaScript, or a file, that changes the answer first.")),
	unsupported("no transform runs here", field("contextTransform", schema.AnyValue, refusesFile, "JavaScript, or a file, that takes the context from the answer.")),
}

func group(name, doc string, value *schema.Field) *schema.Type {
	t := &schema.Type{Name: name, Doc: doc, Kind: schema.Map}
	if value != nil {
		t.Fields = []*schema.Field{withMisnomers(value, "expected", "values", "text", "criteria")}
	}
	return t
}

func value(t *schema.Type, doc string) *schema.Field {
	return field("value", t, errorRow, doc)
}

var (
	textOrNumber = schema.UnionOf(schema.String, schema.AnyNumber)
	equalsGroup  = group("equals-assertion", "The answer equals something.", required(value(schema.AnyValue, "What the answer equals.")))
	textGroup    = group("text-assertion", "The answer contains or begins with a text, or matches a pattern.", required(withExample("Bonjour", value(textOrNumber, "The text or pattern."))))
	listGroup    = group("list-assertion", "The answer contains some of several texts.", required(withExample([]string{"yes", "sure"}, value(schema.UnionOf(textOrNumber, schema.ListOf(textOrNumber)), "The texts, also separated by commas."))))
	formatGroup  = group("format-assertion", "The answer is or contains JSON, XML, HTML or SQL.", value(schema.UnionOf(schema.String, schema.Object), "The JSON Schema or the elements that are needed, or the SQL dialect."))
	countGroup   = group("count-assertion", "The answer has a number of words.", required(value(schema.UnionOf(schema.AnyNumber, schema.String, schema.Object), "The number, or `min` and `max`.")))
	overlapGroup = group("overlap-assertion", "The answer has much in common with a text.", required(value(schema.UnionOf(textOrNumber, schema.ListOf(textOrNumber)), "The text, or several of which the best counts.")))
	similarGroup = group("similar-assertion", "The answer is similar to a text in meaning.", required(value(schema.UnionOf(schema.String, schema.ListOf(schema.String)), "The text, or several.")))
	limitGroup   = &schema.Type{Name: "limit-assertion", Doc: "The answer keeps a limit.", Kind: schema.Map, Fields: []*schema.Field{
		required(withExample(2000, field("threshold", schema.AnyNumber, errorRow, "The limit."))),
		field("value", schema.AnyValue, dropsIt, "Has no effect."),
	}}
	scriptGroup     = group("script-assertion", "A program grades.", required(withExample("output.length < 200", value(schema.String, "The source, `file://` and a path, or the address of a service."))))
	judgeGroup      = group("judge-assertion", "A model grades.", withExample("Is polite", value(schema.UnionOf(schema.String, schema.ListOf(schema.AnyValue), schema.Object), "What to grade by.")))
	contextGroup    = group("context-assertion", "A model compares answer, question and context.", value(schema.AnyValue, "What the context must have."))
	measureGroup    = group("measure-assertion", "Something else is measured.", value(schema.AnyValue, "The expected value."))
	comparisonGroup = group("comparison-assertion", "The answers of all prompts and providers are compared.", value(schema.AnyValue, "The criterion, or the method."))
	setGroup        = &schema.Type{Name: "set-assertion", Doc: "Several assertions that count as one.", Kind: schema.Map, Fields: []*schema.Field{
		required(field("assert", schema.AnyValue, "counts 0 for it", "The members. A set within a set is an error.")),
	}}
)

// NeverFails reports whether a type passes with every score without a threshold.
func NeverFails(name string) bool { return kindsByName[name].flags&neverFails != 0 }

// IgnoresNot reports whether `not-` before a type has no effect.
func IgnoresNot(name string) bool { return kindsByName[name].flags&ignoresNot != 0 }

// IgnoresThreshold reports whether a known type does not read its threshold.
func IgnoresThreshold(name string) bool {
	k, known := kindsByName[name]
	return known && k.flags&readsThreshold == 0
}

// AsksJudge reports whether a type asks a model.
func AsksJudge(name string) bool {
	group := kindsByName[name].group
	return group == judgeGroup || group == contextGroup || name == "select-best"
}
