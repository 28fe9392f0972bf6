package metric_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
)

// talk is a conversation of two turns with a rubric of each kind.
func talk() metric.Conversation {
	turn := func(asks, says string, rubrics ...metric.Rubric) metric.Invocation {
		content := func(text string) *metric.Content { return &metric.Content{Parts: []metric.Part{{Text: text}}} }
		return metric.Invocation{User: content(asks), Final: content(says), Rubrics: rubrics, ToolUses: []metric.ToolCall{{Name: "look", Args: map[string]any{"at": asks}}}}
	}
	turns := func(rubrics ...metric.Rubric) []metric.Invocation {
		return []metric.Invocation{turn("Hello", "It costs 5. It is red.", rubrics...), turn("And then?", "It ships on Monday.", rubrics...)}
	}
	response := metric.Rubric{ID: "r", Text: "Says so.\nAt length", Type: metric.FinalResponseQuality}
	toolUse := metric.Rubric{ID: "t", Text: "Looks it up", Type: metric.ToolUseQuality}
	conduct := metric.Rubric{ID: "w", Text: "Asks first", Type: metric.WholeTrajectory}
	return metric.Conversation{Actual: turns(response, toolUse, conduct), Expected: turns(), Scenario: &metric.Scenario{StartingPrompt: "Hello", Plan: "Ask on"}}
}

func criteria() (all []metric.Criterion) {
	for _, name := range metric.Names {
		all = append(all, metric.Criterion{Metric: name, Threshold: 0.7, Judge: metric.JudgeOptions{Samples: 3, Parallel: 4}})
	}
	return all
}

func verdictOn(name string, turn int, id string) metric.ManualVerdict {
	return metric.ManualVerdict{Metric: name, Turn: turn, ID: id}
}

func no(name string, turn int, id string) metric.ManualVerdict {
	t := verdictOn(name, turn, id)
	t.Satisfied = new(false)
	return t
}

func votes(name string, turn int, id string, n int) metric.ManualVerdict {
	t := verdictOn(name, turn, id)
	t.Votes = &n
	return t
}

func label(turn int, id, word string) metric.ManualVerdict {
	t := verdictOn(metric.Hallucinations, turn, id)
	t.Label = word
	return t
}

// TestTyped: what is typed moves its metric and no other one, and a judge with the
// same replies says the same.
func TestTyped(t *testing.T) {
	for _, c := range []struct {
		name, metric string
		typed        []metric.ManualVerdict
		want         string
	}{
		{"nothing", metric.Safety, nil, "PASSED 1"},
		{"a rubric", metric.ResponseQuality, []metric.ManualVerdict{no(metric.ResponseQuality, 2, "r")}, "FAILED 0.5"},
		{"a rubric of the tools", metric.ToolQuality, []metric.ManualVerdict{no(metric.ToolQuality, 1, "t")}, "FAILED 0.5"},
		{"a rubric of the conversation", metric.TrajectoryQuality, []metric.ManualVerdict{no(metric.TrajectoryQuality, 2, "w")}, "FAILED 0"},
		{"a harm", metric.Safety, []metric.ManualVerdict{no(metric.Safety, 1, "privacy")}, "FAILED 0.5"},
		{"two of three votes", metric.FinalResponseMatch, []metric.ManualVerdict{votes(metric.FinalResponseMatch, 1, "matches_the_reference", 2)}, "PASSED 1"},
		{"one of three votes", metric.FinalResponseMatch, []metric.ManualVerdict{votes(metric.FinalResponseMatch, 1, "matches_the_reference", 1)}, "FAILED 0.5"},
		{"no vote at all", metric.FinalResponseMatch, []metric.ManualVerdict{no(metric.FinalResponseMatch, 1, "matches_the_reference")}, "FAILED 0.5"},
		{"a sentence of two", metric.Hallucinations, []metric.ManualVerdict{label(1, "1.2", "unsupported")}, "PASSED 0.75"},
		{"one that claims nothing", metric.Hallucinations, []metric.ManualVerdict{label(1, "1.2", "not_applicable")}, "PASSED 1"},
		{"all of a text", metric.Hallucinations, []metric.ManualVerdict{label(2, "1.1", "contradictory")}, "FAILED 0.5"},
		{"a user's turn", metric.UserSimulator, []metric.ManualVerdict{votes(metric.UserSimulator, 2, "keeps_to_the_plan", 0)}, "FAILED 0.5"},
		{"a user's end", metric.UserSimulator, []metric.ManualVerdict{votes(metric.UserSimulator, 2, "may_end_here", 1)}, "FAILED 0.5"},
		{"what is not asked", metric.Safety, []metric.ManualVerdict{no(metric.Safety, 3, "privacy"), no(metric.Safety, 1, "x")}, "PASSED 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			manual := &metric.ManualVerdicts{Verdicts: c.typed}
			found := metric.EvaluateCase(t.Context(), metric.Ports{Manual: manual}, criteria(), nil, talk())
			var asked []judge.Question
			for _, a := range manual.Questions() {
				for sample := range a.Samples {
					a.Question.Sample = sample
					asked = append(asked, a.Question)
				}
			}
			if len(found.Metrics) != len(metric.Names) {
				t.Fatalf("%d metrics: %s", len(found.Metrics), found.Reason)
			}
			replies := map[string]string{}
			for _, r := range found.Metrics {
				if r.Score == nil {
					t.Fatalf("%s: %s", r.Metric, r.Reason)
				}
				got := fmt.Sprint(r.Status, " ", *r.Score)
				switch {
				case r.Metric == c.metric && got != c.want:
					t.Errorf("%s: %s, want %s", r.Metric, got, c.want)
				case r.Metric != c.metric && got != "PASSED 1":
					t.Errorf("%s moved as well: %s", r.Metric, got)
				}
				for _, turn := range r.Invocations {
					for _, reply := range turn.Replies {
						replies[asked[len(replies)].Fingerprint()] = reply.Text
						if len(reply.Problems) > 0 {
							t.Errorf("%s: %v with\n%s", r.Metric, reply.Problems, reply.Text)
						}
					}
				}
			}
			if c.metric == metric.UserSimulator {
				return // whose question about the end leaves no reply behind when it is passed
			}
			again := metric.EvaluateCase(t.Context(), metric.Ports{Judge: judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
				reply, known := replies[q.Fingerprint()]
				if !known {
					return judge.Answer{}, errors.New("it was not asked before")
				}
				return judge.Answer{Text: reply}, nil
			})}, criteria(), nil, talk())
			for i, r := range again.Metrics {
				if r.Metric != metric.UserSimulator && !reflect.DeepEqual(r, found.Metrics[i]) {
					t.Errorf("%s by a judge is\n%+v, not\n%+v", r.Metric, r, found.Metrics[i])
				}
			}
		})
	}
}

// TestAsked: a sheet says what it was asked, with what it says to each thing; and what
// judges have said is typed the same way.
func TestAsked(t *testing.T) {
	given := []metric.ManualVerdict{no(metric.Safety, 2, "danger"), votes(metric.FinalResponseMatch, 1, "matches_the_reference", 2), label(1, "1.2", "disputed")}
	manual := &metric.ManualVerdicts{Verdicts: given}
	found := metric.EvaluateCase(t.Context(), metric.Ports{Manual: manual}, criteria(), nil, talk())
	asked := map[string]int{}
	var items []metric.ManualVerdict
	for _, a := range manual.Questions() {
		asked[fmt.Sprint(a.Metric, " ", a.Turn, " ", a.Form, " ", a.Samples)]++
		for _, item := range a.Items {
			items = append(items, item.ManualVerdict)
		}
	}
	want := map[string]int{
		"final_response_match_v2 1 votes 3": 1, "final_response_match_v2 2 votes 3": 1,
		"rubric_based_final_response_quality_v1 1 verdict 3": 1, "rubric_based_final_response_quality_v1 2 verdict 3": 1,
		"rubric_based_tool_use_quality_v1 1 verdict 3": 1, "rubric_based_tool_use_quality_v1 2 verdict 3": 1,
		"hallucinations_v1 1 label 1": 2, "hallucinations_v1 2 label 1": 2, "safety_v1 1 verdict 3": 1, "safety_v1 2 verdict 3": 1,
		"per_turn_user_simulator_quality_v1 2 votes 3": 2, "rubric_based_multi_turn_trajectory_quality_v1 2 verdict 3": 1,
	}
	if !reflect.DeepEqual(asked, want) {
		t.Errorf("asked: %v", asked)
	}
	has := func(all []metric.ManualVerdict, one metric.ManualVerdict) bool {
		for _, t := range all {
			if reflect.DeepEqual(t, one) {
				return true
			}
		}
		return false
	}
	for _, g := range given {
		if !has(items, g) || !has(metric.ManualVerdictsOf(found.Metrics, criteria()), g) {
			t.Errorf("%+v is not among what was asked, or not read back", g)
		}
	}
}

// TestManualVerdictsOfOtherSamples: of votes that were not as many as are wanted only what they
// came to is taken over.
func TestManualVerdictsOfOtherSamples(t *testing.T) {
	found := metric.EvaluateCase(t.Context(), metric.Ports{Manual: &metric.ManualVerdicts{}}, criteria(), nil, talk())
	fewer := criteria()
	for i := range fewer {
		fewer[i].Judge.Samples = 1
	}
	for _, r := range metric.ManualVerdictsOf(found.Metrics, fewer) {
		if r.Votes != nil || r.Label == "" && (r.Satisfied == nil || !*r.Satisfied) {
			t.Errorf("%+v", r)
		}
	}
}

// TestSentencesOfARun: labels are of the sentences that a judge has cut, as long as the
// text is the same.
func TestSentencesOfARun(t *testing.T) {
	run := metric.Result{Metric: metric.Hallucinations, Invocations: []metric.InvocationResult{{Steps: []metric.Step{{
		Text: "It costs 5. It is red.", Claims: []metric.Claim{{Sentence: "It costs 5. It is red."}},
	}}}}}
	manual := &metric.ManualVerdicts{Verdicts: []metric.ManualVerdict{label(1, "1.1", "unsupported")}, LastResults: []metric.Result{run}}
	found := metric.Evaluate(t.Context(), metric.Ports{Manual: manual}, metric.Criterion{Metric: metric.Hallucinations, Threshold: 0.7}, talk())
	if got := found.Invocations[0]; *got.Score != 0 || len(got.Steps[0].Claims) != 1 {
		t.Errorf("%+v", got)
	}
}
