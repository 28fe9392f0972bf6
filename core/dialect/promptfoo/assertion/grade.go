package assertion

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Response is what is known of a target's reply beyond its text, as a case's DialectData.
type Response struct {
	Output       any // the reply, if it is not a text
	LogProbs     []float64
	FinishReason string
	Guardrails   map[string]any
}

// A call is one grading: everything that an assertion may use.
type call struct {
	*Assertion
	ctx      context.Context
	ports    grade.Ports
	evalCase *rubric.Case
	grader   *rubric.Grader
	sub      grade.Submission
	response Response
	output   string         // the reply as a text
	spec     bool           // grade as the author meant
	sample   int            // index among several independent judgements
	outcome  *grade.Outcome // receives questions and replies
}

// result is what promptfoo knows of an assertion.
type result struct {
	pass        bool
	score       float64
	reason      string
	named       map[string]float64 // scores that a script gives by name
	graderError bool               // the judge gave no usable reply
}

// verdict is a result of 1 or 0, with the reason of a failure.
func verdict(pass bool, failure string, args ...any) (result, error) {
	if pass {
		return result{pass: true, score: 1, reason: "it holds"}, nil
	}
	return result{reason: fmt.Sprintf(failure, args...)}, nil
}

// graded is a result with a score, which passes from least on. `not-` inverts both.
func (c *call) graded(value, least float64, what string) (result, error) {
	r := result{pass: value >= least != c.Inverse, score: value}
	if c.Inverse {
		r.score = 1 - value
	}
	r.reason = fmt.Sprintf("%s is %s, the threshold is %s", what, score.FormatNumber(value), score.FormatNumber(least))
	return r, nil
}

// checks are the types that are graded here. A variable would be an initialization cycle.
func checks(name string) func(*call) (result, error) {
	return map[string]func(*call) (result, error){
		"equals": (*call).equals, "starts-with": (*call).startsWith, "regex": (*call).regex,
		"contains": (*call).contains, "icontains": (*call).contains,
		"contains-any": (*call).containsSome, "icontains-any": (*call).containsSome,
		"contains-all": (*call).containsSome, "icontains-all": (*call).containsSome,
		"word-count": (*call).wordCount, "levenshtein": (*call).levenshtein, "is-refusal": (*call).refusal,
		"bleu": (*call).bleu, "gleu": (*call).gleu, "rouge-n": (*call).rouge,
		"is-json": (*call).isJSON, "contains-json": (*call).containsJSON,
		"is-xml": (*call).xml, "contains-xml": (*call).xml, "is-html": (*call).isHTML, "contains-html": (*call).containsHTML,
		"cost": (*call).cost, "latency": (*call).latency, "perplexity": (*call).perplexity, "perplexity-score": (*call).perplexity,
		"finish-reason": (*call).finishReason, "guardrails": (*call).guardrails,
		"is-valid-openai-tools-call": (*call).toolCalls, "is-valid-openai-function-call": (*call).functionCall,
		"is-valid-function-call": (*call).functionCall, "tool-call-f1": (*call).toolCallF1,
		"llm-rubric": (*call).llmRubric, "g-eval": (*call).gEval,
		"factuality": (*call).factuality, "model-graded-factuality": (*call).factuality, "model-graded-closedqa": (*call).closedQA,
		"answer-relevance": (*call).answerRelevance, "context-recall": (*call).contextRecall,
		"context-relevance": (*call).contextRelevance, "context-faithfulness": (*call).contextFaithfulness,
		"similar": (*call).similar, "similar:cosine": (*call).similar, "similar:dot": (*call).similar, "similar:euclidean": (*call).similar,
		"javascript": (*call).script, "python": (*call).script,
	}[name]
}

// elsewhere are the types of promptfoo that nothing here grades, each with what it needs.
var elsewhere = map[string]string{
	"agent-rubric": "an agent as the judge", "classifier": "a classifier", "conversation-relevance": "a whole conversation",
	"contains-sql": "a parser of SQL", "is-sql": "a parser of SQL", "meteor": "a dictionary of synonyms",
	"moderation": "a moderation service", "pi": "a scoring service", "ruby": "Ruby", "search-rubric": "a judge that searches the web",
	"skill-used": "a trace", "webhook": "a web service", "select-best": "the answers of all prompts and providers at once",
	"max-score": "the scores of all prompts and providers at once",
}

// Unsupported returns why the assertion leaves every answer ungraded, or "".
func (a *Assertion) Unsupported() string {
	switch need, known := elsewhere[a.Type]; {
	case a.Invalid != "":
		return a.Invalid
	case a.Type == "assert-set" && !a.Inverse, checks(a.Type) != nil:
		return ""
	case strings.HasPrefix(a.Type, "trajectory:"), strings.HasPrefix(a.Type, "trace-"):
		return fmt.Sprintf("`%s` needs a trace that is not available here", a.Type)
	case strings.HasPrefix(a.Type, "promptfoo:redteam"):
		return "what promptfoo's red team generates is graded by promptfoo alone"
	case known:
		return fmt.Sprintf("`%s` needs %s, which is not available here", a.Type, need)
	}
	return fmt.Sprintf("`%s` is no assertion of promptfoo", a.Type)
}

// IsGate reports whether a case fails if g fails. Weights of 0 free assertions from that; promptfoo
// forgets sets.
func (a *Assertion) IsGate(profile score.Profile, g *rubric.Grader) bool {
	forgotten := profile == score.Promptfoo && g.Kind == rubric.AssertSet && a.Unweighed && !a.InSet && !a.Row.Thresholds
	return g.Required || forgotten
}

// Grade grades a submission by promptfoo's rules or, under [score.Spec], as the author meant.
func (a *Assertion) Grade(ctx context.Context, ports grade.Ports, c *rubric.Case, g *rubric.Grader, sub grade.Submission) grade.Outcome {
	if g.Kind == rubric.AssertSet {
		return a.gradeSet(ctx, ports, c, g, sub)
	}
	var out grade.Outcome
	k := &call{Assertion: a, ctx: ctx, ports: ports, evalCase: c, grader: g, sub: sub, output: sub.Answer, spec: ports.Profile != score.Promptfoo, outcome: &out}
	k.response, _ = c.DialectData.(Response)
	if k.response.Output != nil {
		k.output = encode(k.response.Output)
	}
	r, err := k.sampled()
	switch {
	case err != nil && out.Err == nil && !errors.As(err, new(refusal)):
		out.Err = err
		fallthrough
	case err != nil:
		out.Result = score.UngradedResult(err.Error())
	case r.graderError && k.spec:
		out.Result = score.UngradedResult(r.reason)
	default:
		out.Result = r.scoreResult(a.Metric)
	}
	if out.Criteria = g.Criteria; len(g.Criteria) == 1 {
		out.Result.Grades = []score.Grade{newGrade(g, out.Result)}
	}
	return out
}

// newGrade returns the grade of a rubric's only criterion.
func newGrade(g *rubric.Grader, r score.Result) score.Grade {
	grade := score.Grade{ID: g.Criteria[0].ID, Weight: 1, Required: g.Required, Ungraded: r.Ungraded}
	if r.Ungraded == "" {
		pass := r.Verdict == score.Pass
		grade.Satisfied, grade.Reasoning = &pass, strings.Join(append(r.Hits, r.Misses...), "; ")
	}
	return grade
}

// sampled grades as often as the run asks for judgements. A judge that the file names has no panel.
func (c *call) sampled() (result, error) {
	times := max(1, c.ports.Samples)
	if c.ports.OwnJudges[c.grader.Judge] != nil {
		times /= max(1, c.ports.PanelSize)
	}
	var samples []result
	for c.sample = range times {
		r, err := c.grade()
		if err != nil || c.Kind() != rubric.LLMJudge || times == 1 {
			return r, err
		}
		samples = append(samples, r)
	}
	return best(samples), nil
}

// grade applies what is the same for all types.
func (c *call) grade() (result, error) {
	if why := c.Unsupported(); why != "" {
		return result{}, refused("%s", why)
	}
	if c.Transform != "" {
		return result{}, refused("its `transform` is code, which is not run here")
	}
	if c.spec {
		if err := c.checkMeaning(); err != nil {
			return result{}, err
		}
	}
	r, err := checks(c.Type)(c)
	if err == nil && ignoresNot[c.Type] && c.Inverse && c.spec && !r.graderError {
		r.pass, r.score = !r.pass, 1-score.Clamp(r.score)
	}
	if c.Unweighed && !c.spec {
		r.pass = true
	}
	return r, err
}

// ignoresNot are the types whose verdict promptfoo does not invert.
var ignoresNot = map[string]bool{
	"factuality": true, "model-graded-factuality": true, "model-graded-closedqa": true, "answer-relevance": true,
	"context-recall": true, "context-relevance": true, "context-faithfulness": true,
	"is-valid-openai-tools-call": true, "is-valid-openai-function-call": true, "is-valid-function-call": true,
}

// neverFails are the types that pass any answer in promptfoo if they have no threshold.
var neverFails = []string{"answer-relevance", "context-recall", "context-relevance", "context-faithfulness", "perplexity", "perplexity-score"}

// checkMeaning refuses, under the rules, what promptfoo passes or fails in silence.
func (c *call) checkMeaning() error {
	if c.Threshold == nil && slices.Contains(neverFails, c.Type) {
		return refused("it has no `threshold`, so every answer would pass")
	}
	_, err := c.threshold(0)
	return err
}

// threshold returns the assertion's threshold, or else the type's default. promptfoo compares texts
// as JavaScript does.
func (c *call) threshold(fallback float64) (float64, error) {
	switch t := c.Threshold.(type) {
	case nil:
		return fallback, nil
	case float64:
		return t, nil
	case string:
		if n, err := strconv.ParseFloat(strings.TrimSpace(t), 64); err == nil {
			return n, nil
		}
	}
	if c.spec {
		return 0, refused("its `threshold` is not a number")
	}
	return math.NaN(), nil
}

func (a *Assertion) gradeSet(ctx context.Context, ports grade.Ports, c *rubric.Case, g *rubric.Grader, sub grade.Submission) grade.Outcome {
	set := *g
	set.Members = nil
	for _, m := range g.Members {
		if own, ok := m.DialectData.(*Assertion); ok && ports.Profile == score.Promptfoo && (strings.HasPrefix(own.Type, "select-") || own.Type == "max-score") {
			continue // promptfoo never compares these
		}
		set.Members = append(set.Members, m)
	}
	switch {
	case a.Invalid != "":
		return grade.Outcome{Result: score.UngradedResult(a.Invalid)}
	case a.InSet && ports.Profile == score.Promptfoo:
		return grade.Outcome{Result: score.UngradedResult("promptfoo knows no set in a set")}
	case len(set.Members) == 0 && ports.Profile != score.Promptfoo:
		return grade.Outcome{Result: score.UngradedResult("it has no assertions")}
	case a.Threshold != nil && g.Threshold == nil && ports.Profile != score.Promptfoo:
		return grade.Outcome{Result: score.UngradedResult("its `threshold` is not a number")}
	}
	out, parts := grade.GradeMembers(ctx, ports, c, &set, sub)
	if ports.Profile == score.Promptfoo {
		out.Result = combine(g.Threshold, parts)
	} else {
		out.Result = score.CombineSet(ports.Profile, g.Threshold, parts)
	}
	named := map[string]Named{}
	for i, m := range out.Members {
		addNamed(named, m.Result, set.Members[i].Weight)
	}
	scores, weights := map[string]float64{}, map[string]float64{}
	for name, n := range named {
		scores[name], weights[name] = n.Value(), n.Weight
	}
	out.Result.Details = details(a.Metric, scores, weights)
	return out
}

// combine combines the members of a set like the assertions of a test. The reason of the last member that
// fails is that of the set.
func combine(threshold *float64, parts []score.WeightedResult) score.Result {
	mean, failure := score.PlainMean(parts), ""
	r := result{pass: true, score: mean}
	for _, p := range parts {
		switch {
		case p.Result.Ungraded != "":
			return score.UngradedResult("`" + p.Name + "` is ungraded: " + p.Result.Ungraded)
		case p.Result.Verdict == score.Fail:
			failure = cmp.Or(p.Result.Reasoning, strings.Join(p.Result.Misses, "; "))
		}
	}
	switch {
	case threshold != nil && !(mean >= *threshold):
		r.pass, r.reason = false, fmt.Sprintf("the mean is %s, at least %s is required", score.FormatNumber(mean), score.FormatNumber(*threshold))
	case threshold == nil && failure != "":
		r.pass, r.reason = false, failure
	}
	return r.scoreResult("")
}

// A refusal is an error that is no failure of a judge or program.
type refusal struct{ error }

func refused(format string, args ...any) error { return refusal{fmt.Errorf(format, args...)} }

// scoreResult returns the result for the domain.
func (r result) scoreResult(metric string) score.Result {
	value := r.score
	if math.IsNaN(value) || math.IsInf(value, 0) {
		value = 0
	}
	out := score.Result{Score: &value, Verdict: score.Fail, Gates: []score.Gate{}, Hits: []string{}, Misses: []string{}}
	if r.pass {
		out.Verdict, out.Hits = score.Pass, []string{r.reason}
	} else if r.reason != "" {
		out.Misses = []string{r.reason}
	}
	out.Details = details(metric, r.named, nil)
	return out
}

// encode returns a text, or any other value as JSON on one line.
func encode(value any) string {
	if text, isText := value.(string); isText {
		return text
	}
	return nunjucks.JSON(value, "")
}
