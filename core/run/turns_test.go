package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// talkCase is a conversation. Each turn asserts that the answer contains its text; "" asserts
// nothing.
func talkCase(wanted ...string) *rubric.Case {
	c := &rubric.Case{ID: "talk", Input: []rubric.Message{{Role: "system", Content: "S"}}, Conversation: &rubric.Conversation{}}
	for i, text := range wanted {
		g := &rubric.Grader{Name: fmt.Sprintf("turn-%d", i+1), Kind: rubric.Turn, Weight: 1}
		if text != "" {
			g.Members = []*rubric.Grader{containsGrader(text)}
		}
		c.Graders = append(c.Graders, g)
		c.Conversation.Turns = append(c.Conversation.Turns, rubric.TurnInput{Input: []rubric.Message{{Role: "user", Content: fmt.Sprint("U", i+1)}}})
	}
	return c
}

func containsGrader(text string) *rubric.Grader {
	return &rubric.Grader{Name: "has " + text, Kind: rubric.Deterministic, Weight: 1, Assert: &rubric.Assertion{Type: rubric.Contains, Value: text}}
}

// TestConversationTurns runs conversations with a target that answers A1, A2 and so on.
func TestConversationTurns(t *testing.T) {
	half := 0.5
	for _, tt := range []struct {
		name    string
		c       *rubric.Case
		change  func(*rubric.Case)
		profile score.Profile
		want    string // score, verdict and each grader's score
		asked   string // the texts sent in the last turn
	}{
		{"all pass", talkCase("A1", "A2"), nil, "", "1 pass: 1 1", "S U1 A1 U2"},
		{"the mean", talkCase("A1", "no", "A3"), nil, "", "0.667 borderline: 1 0 1", "S U1 A1 U2 A2 U3"},
		{"the lowest", talkCase("A1", "no"), func(c *rubric.Case) { c.Conversation.Aggregation = "min" }, "", "0 fail: 1 0", "S U1 A1 U2"},
		{"the highest", talkCase("no", "A2"), func(c *rubric.Case) { c.Conversation.Aggregation = "max" }, "", "1 pass: 0 1", "S U1 A1 U2"},
		{"a failed gate", talkCase("A1", "no"), func(c *rubric.Case) {
			c.Conversation.Aggregation = "max"
			c.Graders[1].Members[0].Required = true
		}, "", "1 fail: 1 0", "S U1 A1 U2"},
		{"stop", talkCase("no", "A2"), func(c *rubric.Case) { c.Conversation.StopAtFailure = true }, "", "0 fail: 0 0", "S U1"},
		{"a window", talkCase("A1", "A2", "A3"), func(c *rubric.Case) { c.Conversation.Window = 1 }, "", "1 pass: 1 1 1", "S A2 U3"},
		{"the transcript", talkCase("A1"), func(c *rubric.Case) {
			c.Graders = append(c.Graders, &rubric.Grader{Name: "conversation", Kind: rubric.Transcript, Weight: 1, Members: []*rubric.Grader{containsGrader("system: S\n\nuser: U1\n\nassistant: A1")}})
		}, "", "1 pass: 1 1", "S U1"},
		{"a wider window", talkCase("A1", "A2", "A3", "A4"), func(c *rubric.Case) { c.Conversation.Window = 2 }, "", "1 pass: 1 1 1 1", "S A2 U3 A3 U4"},
		{"the highest that is graded", talkCase("no", ""), func(c *rubric.Case) { c.Conversation.Aggregation = "max" }, "", "0 fail: 0 1", "S U1 A1 U2"},
		{"stop before a turn without graders", talkCase("A1", ""), func(c *rubric.Case) {
			c.Conversation.StopAtFailure = true
			c.Graders[0].Members = append(c.Graders[0].Members, containsGrader("no"))
		}, "", "0.25 fail: 0.5 0", "S U1"},
		{"a turn without graders", talkCase("", "no"), nil, "", "0 fail: 1 0", "S U1 A1 U2"},
		{"in the reference", talkCase("", "no"), func(c *rubric.Case) { c.Threshold = &half }, score.AgentVHead, "0.5 pass: 1 0", "S U1 A1 U2"},
		{"a gate in the reference", talkCase("A1", "A2"), func(c *rubric.Case) {
			c.Graders[1].Members = append(c.Graders[1].Members, containsGrader("no"))
			c.Graders[1].Members[1].Required = true
		}, score.AgentVHead, "0.5 fail: 1 0", "S U1 A1 U2"},
		{"nothing graded", talkCase(""), nil, "", "– ungraded: 1", "S U1"},
		{"not supported", talkCase("A1"), func(c *rubric.Case) { c.Conversation.Unsupported = "no mode" }, "", "– ungraded: error: not run: no mode", ""},
		{"a target that fails", talkCase("A1", "", "A3"), func(c *rubric.Case) { c.Conversation.Turns[1].Input[0].Content = "fail" }, "",
			"– ungraded: 1 error: the target gave no answer in `turn-2`: broken", "S U1 A1 fail"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.change != nil {
				tt.change(tt.c)
			}
			asked, n := "", 0
			target := func(_ context.Context, c *rubric.Case) (grade.Submission, error) {
				n++
				q, err := run.TargetQuestion(c)
				if err != nil || c.ID != run.TurnID("talk", n-1) {
					t.Errorf("%s: %v", c.ID, err)
				}
				var texts []string
				for _, m := range q.Messages {
					texts = append(texts, m.Text)
				}
				if asked = strings.Join(texts, " "); strings.HasSuffix(asked, "fail") {
					return grade.Submission{}, errors.New("broken")
				}
				calls := 2
				return grade.Submission{Answer: fmt.Sprint("A", n), Trace: &grade.Trace{LLMCalls: &calls, TokenUsage: &grade.Tokens{Input: 1, Output: 2, Cached: 3}}}, nil
			}
			rec := run.Runner{Target: target, Profile: tt.profile}.RunCase(t.Context(), &rubric.Suite{}, tt.c, func(*run.GraderRecord) {})
			got := fmt.Sprintf("%s %s:", scoreText(rec.Score), rec.Verdict)
			for _, g := range rec.Graders {
				got += fmt.Sprintf(" %s", scoreText(g.Score))
			}
			if rec.Error != "" {
				got += " error: " + rec.Error
			}
			if got != tt.want || asked != tt.asked {
				t.Errorf("got %s, asked %q\nwant %s, asked %q", got, asked, tt.want, tt.asked)
			}
			if n > 0 && rec.Error == "" && *rec.TraceSummary.LLMCalls != 2*n {
				t.Errorf("%d calls of models in %d turns", *rec.TraceSummary.LLMCalls, n)
			}
			if turns := float64(n); n > 0 && rec.Error == "" && *rec.TraceSummary.TokenUsage != (grade.Tokens{Input: turns, Output: 2 * turns, Cached: 3 * turns}) {
				t.Errorf("%+v in %d turns", *rec.TraceSummary.TokenUsage, n)
			}
			again := run.RescoreCase(*rec, tt.c, rec.Profile).Record
			if rec.Error == "" && (scoreText(again.Score) != scoreText(rec.Score) || again.Verdict != rec.Verdict) {
				t.Errorf("scored again it is %s %s", scoreText(again.Score), again.Verdict)
			}
		})
	}
}

// TestRescoreTurns: a turn is scored with the present weights of its graders, as the reference
// scores turns.
func TestRescoreTurns(t *testing.T) {
	for profile, want := range map[score.Profile]string{score.Spec: "0.75", score.AgentVHead: "0.75"} {
		c := talkCase("A1")
		c.Graders[0].Members = append(c.Graders[0].Members, containsGrader("no"))
		target := func(context.Context, *rubric.Case) (grade.Submission, error) {
			return grade.Submission{Answer: "A1"}, nil
		}
		rec := run.Runner{Target: target, Profile: profile}.RunCase(t.Context(), &rubric.Suite{}, c, func(*run.GraderRecord) {})
		c.Graders[0].Members[0].Weight = 3
		if got := scoreText(run.RescoreCase(*rec, c, profile).NewScore); got != want || scoreText(rec.Score) != "0.5" {
			t.Errorf("%s: %s was %s", profile, got, scoreText(rec.Score))
		}
	}
}

// TestRescoreStopped: after a turn that was not asked the other graders stay.
func TestRescoreStopped(t *testing.T) {
	c := talkCase("no", "A2")
	c.Conversation.StopAtFailure = true
	c.Graders = append(c.Graders, &rubric.Grader{Name: "conversation", Kind: rubric.Transcript, Weight: 1, Members: []*rubric.Grader{containsGrader("U1")}})
	target := func(context.Context, *rubric.Case) (grade.Submission, error) {
		return grade.Submission{Answer: "A1"}, nil
	}
	rec := run.Runner{Target: target}.RunCase(t.Context(), &rubric.Suite{}, c, func(*run.GraderRecord) {})
	if again := run.RescoreCase(*rec, c, "").Record; len(again.Graders) != 3 || again.Graders[2].Name != "conversation" {
		t.Errorf("%+v", again.Graders)
	}
}

// TestFilesOfTheTarget: the files of a case are not added to those that a target names.
func TestFilesOfTheTarget(t *testing.T) {
	for _, sub := range []grade.Submission{{}, {GuidelineFiles: []string{"own.md"}}, {InputFiles: []string{"own.txt"}}} {
		var stdin string
		r := run.Runner{
			Target: func(context.Context, *rubric.Case) (grade.Submission, error) { return sub, nil },
			Exec: func(_ context.Context, c grade.Command) (grade.Output, error) {
				stdin = string(c.Stdin)
				return grade.Output{Stdout: []byte(`{"score":1}`)}, nil
			},
		}
		s := &rubric.Suite{Cases: []*rubric.Case{{ID: "a", Files: []string{"case.txt"}, Graders: []*rubric.Grader{{Name: "g", Kind: rubric.CodeJudge, Weight: 1, Code: &rubric.Code{Argv: []string{"x"}}}}}}}
		one(t, r, s)
		if none := sub.GuidelineFiles == nil && sub.InputFiles == nil; strings.Contains(stdin, "case.txt") != none {
			t.Errorf("%+v: %s", sub, stdin)
		}
	}
}

// TestRescoreNothing: a case that was not finished, or was measured, keeps its graders.
func TestRescoreNothing(t *testing.T) {
	c := suite(1).Cases[0]
	for name, rec := range map[string]run.Record{
		"an error": {Error: "stopped", Profile: score.Spec}, "metrics": {Graders: []run.GraderRecord{{Metric: &metric.Result{}}}},
	} {
		if got := run.RescoreCase(rec, c, ""); got.CaseChanged || len(got.Stale) > 0 || len(got.Record.Graders) != len(rec.Graders) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := run.RescoreCase(run.Record{Verdict: score.Pass, Score: new(1.0)}, nil, ""); got.CaseChanged || got.NewVerdict != score.Pass {
		t.Errorf("without a case: %+v", got)
	}
}

// TestSamplesOfSeats: each judge of a panel is asked for every sample.
func TestSamplesOfSeats(t *testing.T) {
	for samples, want := range map[int]int{0: 3, 1: 3, 2: 6} {
		asked := 0
		r := run.Runner{Target: run.MockTarget("A"), Samples: samples, Seats: 3, Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			asked++
			return judge.Answer{Text: `{"score":1}`}, nil
		})}
		s := &rubric.Suite{Cases: []*rubric.Case{{ID: "a", Graders: []*rubric.Grader{{Name: "g", Kind: rubric.LLMJudge, Weight: 1}}}}}
		rec := one(t, r, s)
		if asked != want || rec.Samples != map[int]int{2: 2}[samples] {
			t.Errorf("%d samples: asked %d times, recorded %d", samples, asked, rec.Samples)
		}
	}
}

// TestTurnRecords: claims are named by step and place, with the evidence that the judge quoted.
func TestTurnRecords(t *testing.T) {
	quote, blank := "so", ""
	steps := []metric.Step{
		{Claims: []metric.Claim{{Sentence: "A", Label: "supported", Rationale: "r", Supporting: &quote, Contradicting: &blank}, {Sentence: "B", Label: "contradictory", Supporting: &blank, Contradicting: &quote}}},
		{Claims: []metric.Claim{{Sentence: "C", Label: "?"}}},
	}
	g := run.TurnRecords(metric.Result{Invocations: []metric.InvocationResult{{Steps: steps}}})[0]
	got := g.Name
	for i, grade := range g.Grades {
		got += fmt.Sprintf(" | %s %s %s %s", grade.ID, g.Criteria[i].Text, grade.Reasoning, grade.Ungraded)
	}
	if want := `turn 1 | 1.1 A supported: r; supported by "so"  | 1.2 B contradictory: ; contradicted by "so"  | 2.1 C ?:  the judge answered neither yes nor no`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTurnID(t *testing.T) {
	if got := run.TurnID("talk", 0); got != "talk/turn-1" {
		t.Error(got)
	}
}

func scoreText(f *float64) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%.3g", *f)
}
