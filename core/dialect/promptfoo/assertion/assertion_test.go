package assertion_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// replies is a judge that gives replies in order, and then the last one again.
type replies []string

func (r *replies) Ask(context.Context, judge.Question) (judge.Answer, error) {
	if len(*r) == 0 {
		return judge.Answer{}, errors.New("nothing is left to say")
	}
	text := (*r)[0]
	if len(*r) > 1 {
		*r = (*r)[1:]
	}
	return judge.Answer{Text: text}, nil
}

func gradeBy(profile score.Profile, fields map[string]any, answer string, says ...string) grade.Outcome {
	said := replies(says)
	ports := grade.Ports{Profile: profile, Judge: &said}
	row := &assertion.Row{Prompt: "When?", Vars: map[string]any{"query": "When?", "context": "At nine."}}
	return grade.Grade(context.Background(), ports, &rubric.Case{}, assertion.Lower(fields, row), grade.Submission{Answer: answer})
}

type fields = map[string]any

// TestMeaning: where promptfoo passes in silence, the rules grade as the author meant, or not at all.
func TestMeaning(t *testing.T) {
	rubricOf := func(more fields) fields {
		f := fields{"type": "llm-rubric", "value": "names a time"}
		for key, value := range more {
			f[key] = value
		}
		return f
	}
	for name, c := range map[string]struct {
		fields    fields
		replies   []string
		promptfoo score.Verdict
		spec      score.Verdict
	}{
		"an empty object":               {rubricOf(nil), []string{"{}"}, score.Pass, score.Ungraded},
		"an empty object, asked again":  {rubricOf(nil), []string{"{}", `{"pass": false, "score": 0}`}, score.Pass, score.Fail},
		"only a score of 0":             {rubricOf(nil), []string{`{"score": 0}`}, score.Pass, score.Ungraded},
		"passed for pass":               {rubricOf(nil), []string{`{"passed": false}`}, score.Pass, score.Ungraded},
		"pass with 0":                   {rubricOf(nil), []string{`{"pass": true, "score": 0}`}, score.Pass, score.Ungraded},
		"8 of 10":                       {rubricOf(fields{"threshold": 0.9}), []string{`{"pass": true, "score": 8}`}, score.Pass, score.Ungraded},
		"the form in prose":             {rubricOf(nil), []string{`As {"pass": true} says: {"pass": false, "score": 0}`}, score.Pass, score.Ungraded},
		"a threshold in words":          {rubricOf(fields{"threshold": "high"}), []string{`{"pass": true, "score": 0.2}`}, score.Pass, score.Ungraded},
		"a score and a threshold":       {rubricOf(fields{"threshold": 0.5}), []string{`{"score": 0.4}`}, score.Fail, score.Fail},
		"a verdict alone":               {rubricOf(nil), []string{`{"pass": true}`}, score.Pass, score.Pass},
		"not, of a fact":                {fields{"type": "not-factuality", "value": "At nine."}, []string{`{"category": "D"}`}, score.Fail, score.Pass},
		"a letter in prose":             {fields{"type": "factuality", "value": "At nine."}, []string{"(A) or (D)"}, score.Pass, score.Ungraded},
		"a word that ends in Y":         {fields{"type": "model-graded-closedqa", "value": "is kind"}, []string{"NOT FRIENDLY"}, score.Pass, score.Ungraded},
		"yes":                           {fields{"type": "model-graded-closedqa", "value": "is kind"}, []string{"Reasons.\nYes."}, score.Fail, score.Pass},
		"a context without a threshold": {fields{"type": "context-recall", "value": "At nine."}, []string{"1. No. [Not Attributed]"}, score.Pass, score.Ungraded},
		"points on several lines":       {fields{"type": "g-eval", "value": "clear"}, []string{"{\n\"steps\": [\"a\"]}", "{\n\"score\": 9, \"reason\": \"r\"}"}, score.Fail, score.Pass},
		"a text that is empty":          {fields{"type": "contains-any", "value": []any{"", "x"}}, nil, score.Pass, score.Ungraded},
		"an empty list":                 {fields{"type": "contains-all", "value": []any{}}, nil, score.Pass, score.Ungraded},
		"a pattern of another language": {fields{"type": "not-regex", "value": "(?i)hello"}, nil, score.Fail, score.Ungraded},
		"a weight of 0":                 {fields{"type": "contains", "value": "ten", "weight": 0.0}, nil, score.Pass, score.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			for profile, want := range map[score.Profile]score.Verdict{score.Promptfoo: c.promptfoo, score.Spec: c.spec} {
				out := gradeBy(profile, c.fields, "The ferry leaves at nine.", c.replies...)
				if out.Result.Verdict != want {
					t.Errorf("%s: %s, not %s: %+v", profile, out.Result.Verdict, want, out.Result)
				}
			}
		})
	}
}

// TestNotGraded: what cannot be graded here says why.
func TestNotGraded(t *testing.T) {
	for typ, why := range map[string]string{
		"webhook": "needs a web service", "similar": "needs embeddings", "not-guardrails": "needs the guardrails of the target", "finish-reason": "needs the reason why the target stopped", "perplexity": "needs the probabilities", "select-best": "needs the answers of all prompts",
		"trajectory:tool-used": "needs a trace", "contians": "is no assertion of promptfoo", "javascript": "--allow-exec", "answer-relevance": "embeddings",
	} {
		for _, profile := range []score.Profile{score.Spec, score.Promptfoo} {
			out := gradeBy(profile, fields{"type": typ, "value": "true", "threshold": 0.5}, "yes", "q")
			if out.Result.Verdict != score.Ungraded || !strings.Contains(out.Result.Ungraded, why) {
				t.Errorf("%s, %s: %+v", typ, profile, out.Result)
			}
		}
	}
	if out := gradeBy(score.Spec, fields{"type": "llm-rubric", "value": "v"}, "a"); out.Result.Verdict != score.Ungraded || out.Err == nil {
		t.Errorf("without a reply: %+v", out)
	}
}

// TestSamples: several judgements vote, and their mean is the score.
func TestSamples(t *testing.T) {
	said := replies{`{"pass": true, "score": 0.9}`, `{"pass": false, "score": 0.2}`, `{"pass": true, "score": 0.7}`}
	ports := grade.Ports{Profile: score.Spec, Judge: &said, Samples: 3}
	g := assertion.Lower(fields{"type": "llm-rubric", "value": "v"}, &assertion.Row{})
	out := grade.Grade(t.Context(), ports, &rubric.Case{}, g, grade.Submission{Answer: "a"})
	if r := out.Result; r.Verdict != score.Pass || score.FormatNumber(*r.Score) != "0.6" || len(out.Replies) != 3 {
		t.Errorf("%+v", out)
	}
}

// TestSets: a set counts as one, and its threshold replaces the verdicts of its members.
func TestSets(t *testing.T) {
	contains := func(text string) any { return fields{"type": "contains", "value": text} }
	for name, c := range map[string]struct {
		fields          fields
		promptfoo, spec score.Verdict
	}{
		"all pass":       {fields{"assert": []any{contains("nine"), contains("ferry")}}, score.Pass, score.Pass},
		"one fails":      {fields{"assert": []any{contains("nine"), contains("ten")}}, score.Fail, score.Fail},
		"half is enough": {fields{"threshold": 0.5, "assert": []any{contains("nine"), contains("ten")}}, score.Pass, score.Pass},
		"it is empty":    {fields{"assert": []any{}}, score.Pass, score.Ungraded},
		"a set in it":    {fields{"assert": []any{fields{"type": "assert-set", "assert": []any{contains("nine")}}}}, score.Ungraded, score.Pass},
	} {
		c.fields["type"] = "assert-set"
		for profile, want := range map[score.Profile]score.Verdict{score.Promptfoo: c.promptfoo, score.Spec: c.spec} {
			if out := gradeBy(profile, c.fields, "The ferry leaves at nine."); out.Result.Verdict != want {
				t.Errorf("%s, %s: %+v", name, profile, out.Result)
			}
		}
	}
}

func TestEvaluate(t *testing.T) {
	names := map[string]float64{"hit": 2, "fact": 1, "__count": 2}
	for expression, want := range map[string]float64{
		"hit / __count": 1, "2 * hit * fact / (hit + fact)": 4.0 / 3, "-hit + 3": 1, "sqrt(hit * 2)": 2, "max(hit, fact) - min(hit, fact)": 1, "2 ^ 3": 8,
		"max(fact, hit, 3)": 3, "round(fact / 3, 2)": 0.33, "round(fact / 3)": 0,
	} {
		if got, err := assertion.Evaluate(expression, names); err != nil || got != want {
			t.Errorf("%s = %v: %v", expression, got, err)
		}
	}
	for _, expression := range []string{"my metric / 2", "a-b", "(", "1 +", "1 2", "f(1)", strings.Repeat("(", 10_000)} {
		if got, err := assertion.Evaluate(expression, names); err == nil {
			t.Errorf("%s = %v", expression, got)
		}
	}
}

func TestProviderName(t *testing.T) {
	for id, want := range map[string]string{
		"echo": "echo:", "openai:gpt-4.1-mini": "openai:gpt-4.1-mini", "openai:chat:gpt-4.1": "openai:gpt-4.1", "openai:responses:gpt-5": "openai-responses:gpt-5",
		"anthropic:messages:claude-sonnet-4-5": "anthropic:claude-sonnet-4-5", "google:gemini-2.5-pro": "gemini:gemini-2.5-pro",
		"azure:chat:mine": "azure:mine", "ollama:chat:llama3:8b": "ollama:llama3:8b", "exec: ./ask.sh": "cli:./ask.sh {PROMPT}", "python:x.py": "python:x.py",
	} {
		if got := assertion.ProviderName(id); got != want {
			t.Errorf("%s is %s", id, got)
		}
	}
}

// TestContractions: ROUGE divides the contractions of the Penn Treebank, and no other words that look like them.
func TestContractions(t *testing.T) {
	for answer, want := range map[string]string{
		"cannot": "can not", "gimme": "gim me", "wanna": "wan na", "gotta": "got ta", "d'ye": "d 'ye", "more'n": "more 'n", "'tis": "'t is", "it's": "it 's",
	} {
		for _, reference := range []string{want, answer} {
			if r := gradeBy(score.Promptfoo, fields{"type": "rouge-n", "value": reference, "threshold": 1.0}, answer).Result; r.Score == nil || *r.Score != 1 {
				t.Errorf("%s by %s: %+v", answer, reference, r)
			}
		}
	}
	for _, word := range []string{"dna", "dme", "gotme"} {
		parts := word[:len(word)-2] + " " + word[len(word)-2:]
		if r := gradeBy(score.Promptfoo, fields{"type": "rouge-n", "value": parts}, word).Result; r.Score == nil || *r.Score != 0 {
			t.Errorf("%s is divided: %+v", word, r)
		}
	}
}

// refusal is a judge whose replies are refused, and cost something.
type refusal struct{}

func (refusal) Ask(context.Context, judge.Question) (judge.Answer, error) {
	return judge.Answer{Model: "m", Usage: judge.Usage{Input: 100, Output: 20}}, errors.New("the model refused")
}

// TestRefusedReply: what a judge was paid for is in the record, although it gave no answer.
func TestRefusedReply(t *testing.T) {
	g := assertion.Lower(fields{"type": "llm-rubric", "value": "names a time"}, &assertion.Row{})
	out := grade.Grade(t.Context(), grade.Ports{Profile: score.Spec, Judge: refusal{}}, &rubric.Case{}, g, grade.Submission{Answer: "at nine"})
	if len(out.Replies) != 1 || out.Replies[0].Usage.Input != 100 || len(out.Replies[0].Problems) != 1 {
		t.Errorf("%+v", out.Replies)
	}
}

// TestDerive: a metric that only mathjs can compute is not said to be 0, nor one that needs it.
func TestDerive(t *testing.T) {
	sums := map[string]float64{"hit": 2}
	assertion.Derive(sums, 1, []rubric.DerivedMetric{{Name: "none", Formula: "miss"}, {Name: "mean", Formula: "mean(hit, 1)"}, {Name: "half", Formula: "mean / 2"}, {Name: "if", Formula: "hit > 0 ? 1 : 0"}, {Name: "twice", Formula: "hit * 2"}})
	if want := map[string]float64{"hit": 2, "none": 0, "twice": 4}; !maps.Equal(sums, want) {
		t.Error(sums)
	}
}

// TestLacksEnvironment: an assertion with a variable of the environment that the file does not set has no verdict.
func TestLacksEnvironment(t *testing.T) {
	out := gradeBy(score.Promptfoo, fields{"type": "not-contains", "value": "{{ env.CITY }}"}, "Oslo")
	if want := "`env.CITY` is not in the file's `env`, and no other environment is read here"; out.Result.Ungraded != want {
		t.Error(out.Result.Ungraded)
	}
}
