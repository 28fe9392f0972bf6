package metric_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
)

func TestFinalResponse(t *testing.T) {
	const valid, invalid = "```json\n{\"reasoning\": \"as good\", \"is_the_agent_response_valid\": \"valid\"}\n```", `{"is_the_agent_response_valid": "invalid"}`
	for _, c := range []struct {
		name    string
		replies []string
		score   string
	}{
		{"more for it", []string{valid, invalid, valid}, "1"},
		{"as many against", []string{valid, invalid}, "0"},
		{"those who say neither do not count", []string{"?", valid, "?"}, "1"},
	} {
		judge := says(c.replies...)
		criterion := metric.Criterion{Metric: metric.FinalResponseMatch, Threshold: 1, Judge: metric.JudgeOptions{Samples: len(c.replies)}}
		r := metric.Evaluate(t.Context(), metric.Ports{Judge: judge}, criterion, against(turn("another question", "It is 5"), turn("How many?", "5")))
		if show(r.Score) != c.score {
			t.Errorf("%s: %s, want %s", c.name, show(r.Score), c.score)
		}
		if q := judge.asked[0].User; !strings.Contains(q, "How many?") || strings.Contains(q, "another question") || !strings.Contains(q, "It is 5") {
			t.Errorf("%s: asked\n%s", c.name, q)
		}
	}
	ok := says(valid)
	r := metric.Evaluate(t.Context(), metric.Ports{Judge: ok}, metric.Criterion{Metric: metric.FinalResponseMatch}, against(metric.Invocation{}, turn("q", "a")))
	if r.Invocations[0].Rubrics[0].Rationale != "as good" || !strings.Contains(ok.asked[0].User, "(there is none)") {
		t.Errorf("%+v\n%s", r.Invocations[0].Rubrics, ok.asked[0].User)
	}
}

// TestModeration: a service that looks for harm is asked in the judge's place.
func TestModeration(t *testing.T) {
	for _, c := range []struct {
		name  string
		found []metric.RubricScore
		err   error
		score string
	}{
		{"safe", []metric.RubricScore{{ID: "violence", Score: f(1)}, {ID: "fraud", Score: f(1)}}, nil, "1"},
		{"not safe", []metric.RubricScore{{ID: "violence", Score: f(1)}, {ID: "fraud", Score: f(0.2)}}, nil, "0"},
		{"half an answer", []metric.RubricScore{{ID: "violence", Score: f(1)}, {ID: "fraud"}}, nil, "none"},
		{"nothing looked for", nil, nil, "none"},
		{"out of reach", nil, errUnreachable, "none"},
	} {
		looks := func(_ context.Context, text string) ([]metric.RubricScore, error) {
			if text != "a" {
				t.Errorf("asked about %q", text)
			}
			return c.found, c.err
		}
		judge := says("nobody asks")
		r := metric.Evaluate(t.Context(), metric.Ports{Judge: judge, Moderate: looks}, metric.Criterion{Metric: metric.Safety, Threshold: 0.8}, one(turn("q", "a")))
		if show(r.Score) != c.score || len(judge.asked) > 0 || !errors.Is(r.Err, c.err) {
			t.Errorf("%s: %s, %v", c.name, show(r.Score), r.Err)
		}
	}
}

// research is a turn with two answers on the way to the final one.
func research() metric.Invocation {
	i := turn("How deep is it?", "It is 12 m deep.")
	i.Agents = []metric.Agent{{Name: "diver", Instructions: "Measure twice."}}
	i.Events = []metric.Event{
		{Author: "diver", Content: text("I will measure.")},
		{Author: "diver", Content: &metric.Content{Parts: []metric.Part{{Call: &metric.ToolCall{Name: "sound"}}, {Response: &metric.ToolResponse{Name: "sound", Response: map[string]any{"m": 12}}}, {Text: "Measured once."}}}},
	}
	return i
}

func TestHallucinationSteps(t *testing.T) {
	good, bad := claim("s", "supported", "e", "null"), claim("s", " Disputed ", "null", "NULL")
	sentence := "<sentence>s</sentence>"
	judge := says(sentence, good, "!", strings.Repeat(sentence, 3), good+bad)
	c := metric.Criterion{Metric: metric.Hallucinations, Threshold: 0.75, EachIntermediate: true}
	r := metric.Evaluate(t.Context(), metric.Ports{Judge: judge}, c, one(research()))
	if show(r.Score) != "0.75" || r.Status != metric.Passed {
		t.Errorf("%s %s", show(r.Score), r.Status)
	}
	steps := r.Invocations[0].Steps
	if len(steps) != 3 || steps[1].Score != nil || !strings.Contains(steps[1].Reason, "503") || steps[2].Claims[1].Contradicting != nil || !errors.Is(r.Err, errUnreachable) {
		t.Errorf("%+v, %v", steps, r.Err)
	}
	if want := "in text 3 the judge left sentences without a label: 1; the score leaves them out"; len(r.Invocations[0].Problems) != 1 || r.Invocations[0].Problems[0] != want {
		t.Errorf("%q", r.Invocations[0].Problems)
	}
	c.EachIntermediate = false
	r = metric.Evaluate(t.Context(), metric.Ports{Judge: says(sentence+sentence, good)}, c, one(research()))
	if r.Status != metric.Passed || fmt.Sprint(r.Err) != "turn 1: in text 1 the judge left sentences without a label: 1" {
		t.Errorf("%s, %v", r.Status, r.Err)
	}
	evidence := judge.asked[1].User
	if strings.Contains(evidence, "tool_outputs") || !strings.Contains(evidence, "Measure twice.") || !strings.Contains(evidence, "How deep is it?") {
		t.Errorf("the first text has as evidence\n%s", evidence)
	}
	if evidence = judge.asked[4].User; !strings.Contains(evidence, "\"m\": 12") || !strings.Contains(evidence, "Measured once.") || strings.Contains(evidence, "12 m deep") {
		t.Errorf("the answer has as evidence\n%s", evidence)
	}
}

var errUnreachable = judge.ErrUnreachable

// TestListedCallsAreEvidence: what an author wrote down as lists is evidence.
func TestListedCallsAreEvidence(t *testing.T) {
	i := turn("How deep?", "12 m")
	i.ToolUses = []metric.ToolCall{{Name: "sound"}}
	i.ToolResponses = []metric.ToolResponse{{Name: "sound", Response: map[string]any{"m": 12}}}
	if e := i.Evidence(0); !strings.Contains(e, "tool_calls:\n") || !strings.Contains(e, "\"m\": 12") || !strings.Contains(e, "Agent has no tools.") {
		t.Error(e)
	}
}

func TestClaims(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		want        string // sentences and labels
	}{
		{"nothing", "", ""},
		{"two", claim("a", "supported", "e", "null") + "\n" + claim("b", "disputed", "e", "c"), "a=supported b=disputed"},
		{"prose around", "Here you are.\n\n" + claim("a", "supported", "e", "null") + "\nDone.", "a=supported"},
		{"keys in capitals", strings.ToUpper(claim("a", "supported", "e", "null")), "A=SUPPORTED"},
		{"a field that is missing comes from the next", "sentence: a\nlabel: supported\nrationale: r\nsupporting_excerpt: e\n" + claim("b", "disputed", "e", "c"), "a=supported"},
		{"the last field is missing", "sentence: a\nlabel: supported\nrationale: r\nsupporting_excerpt: e\n", ""},
		{"a bullet", strings.ReplaceAll(claim("a", "supported", "e", "null"), "label", "* label"), ""},
	} {
		var got []string
		for _, claim := range metric.ParseClaims(c.reply) {
			got = append(got, claim.Sentence+"="+claim.Label)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

func TestSafety(t *testing.T) {
	checks := func(verdicts ...string) string {
		var all []string
		for i, id := range []string{"hate", "harassment", "danger", "inappropriate", "privacy", "illegal"} {
			if i < len(verdicts) {
				all = append(all, `{"id": "`+id+`", "satisfied": `+verdicts[i]+`, "reasoning": "because of `+id+`"}`)
			}
		}
		return `{"checks": [` + strings.Join(all, ", ") + `], "overall_reasoning": ""}`
	}
	yes := "true"
	for _, c := range []struct {
		name, reply, score, reason string
	}{
		{"safe", checks(yes, yes, yes, yes, yes, yes), "1", ""},
		{"one thing is enough", checks(yes, yes, yes, yes, "false", yes), "0", "it is not safe by `privacy`"},
		{"what was not judged is not safe", checks(yes, yes, yes, yes, yes), "none", "the judge gave no verdict on `illegal`"},
		{"but enough to know", checks("false", yes, yes, yes, yes), "0", "it is not safe by `hate`"},
		{"not a word", "no", "none", "the judge gave no verdict on `hate`, `harassment`, `danger`, `inappropriate`, `privacy`, `illegal`"},
	} {
		r := metric.Evaluate(t.Context(), metric.Ports{Judge: says(c.reply)}, metric.Criterion{Metric: metric.Safety, Threshold: 0.8}, one(turn("q", "My PIN is 1234")))
		i := r.Invocations[0]
		if show(r.Score) != c.score || i.Reason != c.reason {
			t.Errorf("%s: %s, %s", c.name, show(r.Score), i.Reason)
		}
		if c.score != "none" && (len(r.Rubrics) != 6 || i.Rubrics[4].Rationale != "because of privacy") {
			t.Errorf("%s: %+v", c.name, i.Rubrics)
		}
	}
	r := metric.Evaluate(t.Context(), metric.Ports{Judge: says("!")}, metric.Criterion{Metric: metric.Safety}, one(turn("q", "a")))
	if r.Status != metric.NotEvaluated || !errors.Is(r.Err, errUnreachable) {
		t.Errorf("%s: %v", r.Status, r.Err)
	}
}

func TestUserSimulator(t *testing.T) {
	asked := says(`{"is_valid": true}`)
	scenario := &metric.Scenario{StartingPrompt: "Hello", Plan: "Fly to Rome.", Persona: metric.FindPersona("EXPERT")}
	metric.Evaluate(t.Context(), metric.Ports{Judge: asked}, metric.Criterion{Metric: metric.UserSimulator, Judge: metric.JudgeOptions{Samples: 1}},
		metric.Conversation{Actual: []metric.Invocation{turn("Hello", "Hi")}, Scenario: scenario})
	if len(asked.asked) != 1 || !strings.Contains(asked.asked[0].User, "## Professional tone") || !strings.Contains(asked.asked[0].User, "  * The message has slang") {
		t.Errorf("the judge of the simulation is asked %+v", asked.asked)
	}
	const yes, no = `{"is_valid": True}`, `{"is_valid": false, "reasoning": "too early"}`
	three := []metric.Invocation{turn("Book a flight ", "Where to?"), turn("To Rome", "Done"), turn("Thanks", "Bye")}
	for _, c := range []struct {
		name, start string
		replies     []string // on turns 2 and 3, and on the end
		score       string
	}{
		{"all is well", "Book a flight", []string{yes, yes, yes}, "1"},
		{"another beginning", "Book a train", []string{yes, yes, yes}, "0.666667"},
		{"a turn off the plan", "Book a flight", []string{no, yes, yes}, "0.666667"},
		{"ended too early", "Book a flight", []string{yes, yes, no}, "0.666667"},
		{"a turn that nobody could judge counts as failed", "Book a flight", []string{"?", yes, yes}, "0.666667"},
	} {
		judge := says(c.replies...)
		conversation := metric.Conversation{Actual: three, Scenario: &metric.Scenario{StartingPrompt: c.start, Plan: "Fly to Rome."}}
		criterion := metric.Criterion{Metric: metric.UserSimulator, Threshold: 1, Judge: metric.JudgeOptions{Samples: 1}}
		r := metric.Evaluate(t.Context(), metric.Ports{Judge: judge}, criterion, conversation)
		if show(r.Score) != c.score {
			t.Errorf("%s: %s, want %s (%+v)", c.name, show(r.Score), c.score, r.Invocations)
		}
		if end := judge.asked[2].User; !strings.Contains(end, "agent: Bye") || !strings.Contains(end, "</finished>") || strings.Contains(judge.asked[0].User, "Done") {
			t.Errorf("%s: asked\n%s", c.name, end)
		}
	}
}
