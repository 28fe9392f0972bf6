package assertion

import (
	"fmt"
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
)

// Type is a type of assertion of promptfoo.
type Type struct {
	Name, Doc string
	Group     Group
	Flags     Flag
	threshold float64                     // the default
	check     func(*call) (result, error) // grades an answer; nil if nothing here does
	needs     string                      // what grades it instead
}

// Group is what types have in common that take the same fields.
type Group int

// The groups of types. Those up to Limit score 1 or 0.
const (
	Equality   Group = iota + 1
	Text             // a text in the answer
	Texts            // several texts in the answer
	Format           // JSON, XML, HTML and SQL
	Count            // of words
	Limit            // of what the answer takes
	Overlap          // with a text
	Similar          // in meaning
	Script           // grades as a program
	Judge            // grades as a model
	Context          // of the question, also for a model
	Measure          // of anything else
	Comparison       // with the answers of other prompts and providers
	Set              // of assertions
)

// Flag is what promptfoo does with assertions of a type.
type Flag uint8

// The flags of types.
const (
	ReadsThreshold Flag = 1 << iota
	IgnoresNot          // `not-` does not invert its verdict
	NeverFails          // without a threshold
	HasNoOpposite       // there is no `not-` for it
	KeepsNumber         // that a cell of a table has in parentheses after the type
)

// Types are the types. Each exists with `not-` too, unless it has no opposite.
var Types = []Type{
	{"equals", "The answer equals the value: a text, or the JSON of a mapping or list.", Equality, 0, 0, (*call).equals, ""},
	{"contains", "The answer contains the text.", Text, 0, 0, (*call).contains, ""},
	{"icontains", "The answer contains the text, ignoring case.", Text, 0, 0, (*call).contains, ""},
	{"contains-any", "The answer contains one of the texts.", Texts, 0, 0, (*call).containsSome, ""},
	{"contains-all", "The answer contains all of the texts.", Texts, 0, 0, (*call).containsSome, ""},
	{"icontains-any", "The answer contains one of the texts, ignoring case.", Texts, 0, 0, (*call).containsSome, ""},
	{"icontains-all", "The answer contains all of the texts, ignoring case.", Texts, 0, 0, (*call).containsSome, ""},
	{"starts-with", "The answer begins with the text.", Text, KeepsNumber, 0, oneText((*call).startsWith), ""},
	{"regex", "A JavaScript regular expression matches in the answer. Flags cannot be given.", Text, 0, 0, oneText((*call).regex), ""},
	{"is-json", "The answer is JSON, and fits the JSON Schema in `value`.", Format, 0, 0, (*call).json, ""},
	{"contains-json", "The answer contains a JSON mapping that fits the JSON Schema in `value`.", Format, 0, 0, (*call).json, ""},
	{"is-xml", "The answer is XML with the elements of `value`.", Format, 0, 0, (*call).xml, ""},
	{"contains-xml", "The answer contains XML.", Format, 0, 0, (*call).xml, ""},
	{"is-html", "The answer is HTML.", Format, 0, 0, (*call).isHTML, ""},
	{"contains-html", "The answer contains HTML.", Format, 0, 0, (*call).containsHTML, ""},
	{"is-sql", "The answer is SQL.", Format, 0, 0, nil, "a parser of SQL"},
	{"contains-sql", "The answer contains SQL.", Format, 0, 0, nil, "a parser of SQL"},
	{"word-count", "The answer has as many words: a number, or `min` and `max`.", Count, 0, 0, (*call).wordCount, ""},
	{"levenshtein", "At most `threshold` edits, 5 by default, turn the answer into the text.", Overlap, ReadsThreshold | KeepsNumber, 5, oneText((*call).levenshtein), ""},
	{"rouge-n", "The F1 of common words is at least `threshold`, 0.75 by default.", Overlap, ReadsThreshold | KeepsNumber, 0.75, oneText((*call).rouge), ""},
	{"bleu", "BLEU is at least `threshold`, 0.5 by default.", Overlap, ReadsThreshold, 0.5, someTexts((*call).bleu), ""},
	{"gleu", "GLEU is at least `threshold`, 0.5 by default.", Overlap, ReadsThreshold, 0.5, someTexts((*call).gleu), ""},
	{"meteor", "METEOR is at least `threshold`, 0.5 by default.", Overlap, ReadsThreshold, 0, nil, "a dictionary of synonyms"},
	{"similar", "The embedding of the answer is similar to that of the text: at least `threshold`, 0.75 by default.", Similar, ReadsThreshold | KeepsNumber, 0.75, nil, "embeddings"},
	{"similar:cosine", "Like `similar`.", Similar, ReadsThreshold, 0.75, nil, "embeddings"},
	{"similar:dot", "Like `similar`, with the dot product.", Similar, ReadsThreshold, 0.75, nil, "embeddings"},
	{"similar:euclidean", "Like `similar`, with a distance of at most `threshold`.", Similar, ReadsThreshold, 0.75, nil, "embeddings"},
	{"cost", "The answer cost at most `threshold` US dollars.", Limit, ReadsThreshold | KeepsNumber, 0, (*call).withinLimit, ""},
	{"latency", "The answer took at most `threshold` milliseconds.", Limit, ReadsThreshold | KeepsNumber, 0, (*call).withinLimit, ""},
	{"perplexity", "The perplexity is at most `threshold`.", Measure, ReadsThreshold | NeverFails | KeepsNumber, 0, nil, "the probabilities of the target's words"},
	{"perplexity-score", "The normalised perplexity is at least `threshold`.", Measure, ReadsThreshold | NeverFails | KeepsNumber, 0, nil, "the probabilities of the target's words"},
	{"javascript", "JavaScript grades: a boolean, a number, or a mapping with `pass` and `score`.", Script, ReadsThreshold, 0, oneText((*call).script), ""},
	{"python", "Python grades.", Script, ReadsThreshold, 0, oneText((*call).script), ""},
	{"ruby", "Ruby grades.", Script, ReadsThreshold, 0, nil, "Ruby"},
	{"webhook", "A service grades. It passes unless the reply says otherwise.", Script, 0, 0, nil, "a web service"},
	{"llm-rubric", "A model grades by the text. Without `threshold` its score is never used, and it passes unless it says otherwise.", Judge, ReadsThreshold, math.NaN(), (*call).llmRubric, ""},
	{"agent-rubric", "An agent grades by the text.", Judge, ReadsThreshold, 0, nil, "an agent as the judge"},
	{"search-rubric", "A model that searches the web grades by the text.", Judge, ReadsThreshold, 0, nil, "a judge that searches the web"},
	{"g-eval", "A model grades by criteria in steps, 0 to 1, 0.7 by default.", Judge, ReadsThreshold, 0.7, someTexts((*call).gEval), ""},
	{"factuality", "A model compares the facts with those of the text.", Judge, IgnoresNot, 0, oneText((*call).factuality), ""},
	{"model-graded-factuality", "The older name of `factuality`.", Judge, IgnoresNot, 0, oneText((*call).factuality), ""},
	{"model-graded-closedqa", "A model says whether the answer meets the criterion.", Judge, IgnoresNot, 0, oneText((*call).closedQA), ""},
	{"pi", "A scoring service grades.", Judge, ReadsThreshold | IgnoresNot, 0, nil, "a scoring service"},
	{"answer-relevance", "The answer is about the question.", Context, ReadsThreshold | IgnoresNot | NeverFails | KeepsNumber, 0, nil, "a model for embeddings"},
	{"context-recall", "The context has what `value` says.", Context, ReadsThreshold | IgnoresNot | NeverFails | KeepsNumber, 0, inContext((*call).contextRecall), ""},
	{"context-relevance", "The context is about the question.", Context, ReadsThreshold | IgnoresNot | NeverFails | KeepsNumber, 0, inContext((*call).contextRelevance), ""},
	{"context-faithfulness", "The answer says only what the context has.", Context, ReadsThreshold | IgnoresNot | NeverFails | KeepsNumber, 0, inContext((*call).contextFaithfulness), ""},
	{"conversation-relevance", "The answers of a conversation are to the point.", Context, ReadsThreshold | KeepsNumber, 0, nil, "a whole conversation"},
	{"classifier", "A classifier finds the class `value`.", Measure, ReadsThreshold | KeepsNumber, 0, nil, "a classifier"},
	{"moderation", "A moderation service objects to nothing.", Measure, 0, 0, nil, "a moderation service"},
	{"is-refusal", "The answer refuses.", Measure, 0, 0, (*call).refusal, ""},
	{"guardrails", "The provider's guardrails object to nothing.", Measure, 0, 0, nil, "the guardrails of the target"},
	{"finish-reason", "The model stopped for this reason.", Measure, 0, 0, nil, "the reason why the target stopped"},
	{"is-valid-function-call", "The answer is a valid call of one of the provider's functions.", Measure, IgnoresNot, 0, valid((*call).functionCallFault), ""},
	{"is-valid-openai-function-call", "The older name of `is-valid-function-call`.", Measure, IgnoresNot, 0, valid((*call).functionCallFault), ""},
	{"is-valid-openai-tools-call", "The answer is valid calls of the provider's tools.", Measure, IgnoresNot, 0, valid((*call).toolCallsFault), ""},
	{"tool-call-f1", "The F1 of the names of called tools is at least `threshold`, 1 by default.", Measure, ReadsThreshold, 1, (*call).toolCallF1, ""},
	{"skill-used", "A skill was used.", Measure, 0, 0, nil, "a trace"},
	{"trace-span-count", "The trace has as many spans.", Measure, IgnoresNot, 0, nil, "a trace"},
	{"trace-span-duration", "The spans of the trace took at most as long.", Measure, IgnoresNot, 0, nil, "a trace"},
	{"trace-error-spans", "The trace has at most as many errors.", Measure, IgnoresNot, 0, nil, "a trace"},
	{"trajectory:goal-success", "The steps reached the goal.", Measure, ReadsThreshold, 0, nil, "a trace"},
	{"trajectory:tool-used", "A tool was called.", Measure, 0, 0, nil, "a trace"},
	{"trajectory:tool-args-match", "A tool was called with these arguments.", Measure, 0, 0, nil, "a trace"},
	{"trajectory:tool-sequence", "Tools were called in this order.", Measure, 0, 0, nil, "a trace"},
	{"trajectory:step-count", "There were as many steps.", Measure, 0, 0, nil, "a trace"},
	{"select-best", "A model selects the best answer of all prompts and providers.", Comparison, HasNoOpposite, 0, nil, "the answers of all prompts and providers at once"},
	{"max-score", "The answer with the highest score of all prompts and providers passes.", Comparison, HasNoOpposite, 0, nil, "the scores of all prompts and providers at once"},
	{"assert-set", "Several assertions that count as one. With a `threshold`, their mean must reach it; without one, each must pass.", Set, ReadsThreshold | HasNoOpposite, 0, nil, ""},
}

var (
	unknown = &Type{}
	redteam = &Type{Name: "promptfoo:redteam"} // and what follows it
)

// TypeOf returns the type with a name, which may begin with `not-`. An unknown type has no name.
func TypeOf(name string) *Type {
	base, inverse := strings.CutPrefix(name, "not-")
	if strings.HasPrefix(base, redteam.Name) {
		return redteam
	}
	for i := range Types {
		if t := &Types[i]; t.Name == base && !(inverse && t.Has(HasNoOpposite)) {
			return t
		}
	}
	return unknown
}

// Has reports whether the type has a flag.
func (t Type) Has(f Flag) bool { return t.Flags&f != 0 }

// Kind returns the kind that says what the type needs: a judge, a program or neither.
func (t Type) Kind() rubric.Kind {
	kinds := map[Group]rubric.Kind{Judge: rubric.LLMJudge, Context: rubric.LLMJudge, Script: rubric.External}
	switch kind := kinds[t.Group]; {
	case t.Group == Set:
		return rubric.AssertSet
	case t.check != nil && kind != "":
		return kind
	}
	return rubric.Deterministic
}

// IsYesNo implements [grade.Dialect].
func (a *Assertion) IsYesNo() bool {
	group := a.typ.Group
	return group >= Equality && group <= Limit || group == Measure && !a.typ.Has(ReadsThreshold)
}

// Unsupported returns why the assertion leaves every answer ungraded, or "".
func (a *Assertion) Unsupported() string {
	switch {
	case a.Invalid != "":
		return a.Invalid
	case a.typ == redteam:
		return "what promptfoo's red team generates is graded by promptfoo alone"
	case a.typ.Name == "":
		return fmt.Sprintf("`%s` is no assertion of promptfoo", a.Type)
	case a.typ.check == nil && a.typ.Group != Set:
		return fmt.Sprintf("`%s` needs %s, which is not available here", a.Type, a.typ.needs)
	}
	return ""
}
