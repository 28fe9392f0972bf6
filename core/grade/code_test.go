package grade_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// program is an Exec whose every program ends in this way.
func program(stdout string, code int, err error) grade.Exec {
	return func(context.Context, grade.Command) (grade.Output, error) {
		return grade.Output{Stdout: []byte(stdout), Stderr: []byte(" oh no\n"), Code: code}, err
	}
}

func codeJudge() *rubric.Grader {
	return &rubric.Grader{Name: "code", Kind: rubric.CodeJudge, Weight: 1, Code: &rubric.Code{Argv: []string{"judge", "-v"}}}
}

// TestCodeJudge: by the rules an output that cannot be read has judged nothing;
// to the reference it is a 0 that says nothing.
func TestCodeJudge(t *testing.T) {
	for _, c := range []struct {
		name     string
		exec     grade.Exec
		score    float64
		ungraded string // under the spec
		miss     string // the only miss, to the reference
	}{
		{"well", program(` {"score":0.8,"reasoning":"fine"} `, 0, nil), 0.8, "", ""},
		{"after a byte order mark", program("\ufeff{\"score\":0.5}", 0, nil), 0.5, "", ""},
		{"broken JSON", program(`{"score":1`, 0, nil), 0, "the program printed no usable JSON object: it is not JSON: unexpected end of JSON input", ""},
		{"too much", program(`{"score":7}`, 0, nil), 1, "", ""},
		{"too little", program(`{"score":-1}`, 0, nil), 0, "", ""},
		{"not JSON", program(`fine`, 0, nil), 0, "the program printed no JSON object", ""},
		{"prose around JSON", program("log\n{\"score\":1}", 0, nil), 0, "the program printed no JSON object", ""},
		{"a list", program(`[1]`, 0, nil), 0, "the program printed no JSON object", ""},
		{"null", program(`null`, 0, nil), 0, "the program printed no JSON object", ""},
		{"nothing", program(``, 0, nil), 0, "the program printed no JSON object", ""},
		{"no score", program(`{"verdict":"pass"}`, 0, nil), 0, "the program's `score` is missing; it must be a number", ""},
		{"a score in words", program(`{"score":"0.7"}`, 0, nil), 0, "the program's `score` is `\"0.7\"`, not a number", ""},
		{"a list of scores", program(`{"score":[1]}`, 0, nil), 0, "the program's `score` is a list, not a number", ""},
		{"fails", program(`{"score":1}`, 3, nil), 0, "the program exited with code 3: oh no", "the program exited with code 3: oh no"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, profile := range []score.Profile{score.Spec, score.AgentV} {
				r := grade.Grade(t.Context(), grade.Ports{Exec: c.exec, Profile: profile}, &rubric.Case{}, codeJudge(), grade.Submission{}).Result
				ungraded := c.ungraded
				if profile == score.AgentV {
					ungraded = ""
				}
				miss := c.miss
				if ungraded != "" {
					miss = ""
				}
				if number(r) != c.score || r.Ungraded != ungraded || strings.Join(r.Misses, "\n") != miss {
					t.Errorf("%s: score %v, ungraded %q, misses %q", profile, number(r), r.Ungraded, r.Misses)
				}
				want := score.VerdictOf(c.score)
				if ungraded != "" {
					want = score.Ungraded
				}
				if r.Verdict != want {
					t.Errorf("%s: %s, want %s", profile, r.Verdict, want)
				}
			}
		})
	}
}

// TestProgramThatDoesNotRun: what was not allowed has judged nothing under either
// profile; one that did not end is a fail to the reference.
func TestProgramThatDoesNotRun(t *testing.T) {
	late := errors.New("timed out after 2s")
	for _, c := range []struct {
		name    string
		exec    grade.Exec
		profile score.Profile
		says    string
		counts  bool // as a 0, not as ungraded
	}{
		{"not allowed", nil, score.Spec, "--allow-exec", false},
		{"not allowed, to the reference", nil, score.AgentV, "--allow-exec", false},
		{"too slow", program("", 0, late), score.Spec, "run `judge`: timed out after 2s", false},
		{"too slow, to the reference", program("", 0, late), score.AgentV, "run `judge`: timed out after 2s", true},
	} {
		out := grade.Grade(t.Context(), grade.Ports{Exec: c.exec, Profile: c.profile}, &rubric.Case{}, codeJudge(), grade.Submission{})
		r := out.Result
		if c.counts {
			if r.Ungraded != "" || len(r.Misses) != 1 || !strings.Contains(r.Misses[0], c.says) {
				t.Errorf("%s: %+v", c.name, r)
			}
		} else if !strings.Contains(r.Ungraded, c.says) || out.Err == nil || len(r.Misses) > 0 {
			t.Errorf("%s: %+v, error %v", c.name, r, out.Err)
		}
		if number(r) != 0 || (r.Verdict == score.Fail) != c.counts || r.Verdict == score.Pass {
			t.Errorf("%s: %v %s", c.name, number(r), r.Verdict)
		}
	}
}

// TestCodeJudgeRepeatsAKey: by the rules an object with a key twice judges
// nothing; to the reference the last one counts.
func TestCodeJudgeRepeatsAKey(t *testing.T) {
	for profile, want := range map[score.Profile]struct {
		score    float64
		ungraded string
	}{
		score.Spec:   {ungraded: "the program printed no usable JSON object: it has the key `score` twice in one object"},
		score.AgentV: {score: 1},
	} {
		ports := grade.Ports{Exec: program(`{"score":0,"score":1}`, 0, nil), Profile: profile}
		r := grade.Grade(t.Context(), ports, &rubric.Case{}, codeJudge(), grade.Submission{}).Result
		if number(r) != want.score || r.Ungraded != want.ungraded {
			t.Errorf("%s: score %v, ungraded %q", profile, number(r), r.Ungraded)
		}
	}
}

func TestCodeJudgeFindings(t *testing.T) {
	exec := program(`{"score":1,"hits":["a",1,null," ","b"],"misses":"c","reasoning":7,"details":{"k":[1]}}`, 0, nil)
	r := grade.Grade(t.Context(), grade.Ports{Exec: exec}, &rubric.Case{}, codeJudge(), grade.Submission{}).Result
	if !slices.Equal(r.Hits, []string{"a", "b"}) || len(r.Misses) != 0 || r.Reasoning != "" {
		t.Errorf("what is no line is left out: %q %q %q", r.Hits, r.Misses, r.Reasoning)
	}
	if d, ok := r.Details.(map[string]any); !ok || len(d) != 1 {
		t.Errorf("details are %v", r.Details)
	}
	full := func(context.Context, grade.Command) (grade.Output, error) {
		return grade.Output{Stderr: []byte(strings.Repeat("é", 2000)), Code: 1}, nil
	}
	r = grade.Grade(t.Context(), grade.Ports{Exec: full}, &rubric.Case{}, codeJudge(), grade.Submission{}).Result
	if !strings.HasSuffix(r.Ungraded, ": "+strings.Repeat("é", 2000)) {
		t.Errorf("of 2,000 characters of standard error is shown %q", r.Ungraded)
	}
	long := func(context.Context, grade.Command) (grade.Output, error) {
		return grade.Output{Stderr: []byte(strings.Repeat("é", 3000) + "the end"), Code: 1}, nil
	}
	r = grade.Grade(t.Context(), grade.Ports{Exec: long}, &rubric.Case{}, codeJudge(), grade.Submission{}).Result
	if shown := []rune(r.Ungraded); len(shown) > 2100 || !strings.HasSuffix(r.Ungraded, "ééthe end") || !strings.Contains(r.Ungraded, ": …é") {
		t.Errorf("%d characters of a long standard error are shown", len(shown))
	}
}

// TestCodeJudgeInput: the program gets all there is, in the order agreed on, and
// what is absent is null.
func TestCodeJudgeInput(t *testing.T) {
	var got grade.Command
	exec := func(_ context.Context, c grade.Command) (grade.Output, error) {
		got = c
		return grade.Output{Stdout: []byte(`{"score":1}`)}, nil
	}
	calls := 5
	g := &rubric.Grader{Kind: rubric.CodeJudge, Code: &rubric.Code{
		Argv: []string{"a", "b c"}, Dir: "d", Config: map[string]any{"k": 1.0}, MaxCalls: &calls,
	}}
	c := &rubric.Case{Question: "Q", ExpectedOutcome: "O", ReferenceAnswer: "R", Input: []rubric.Message{{Role: "user", Content: "Q"}}}
	sub := grade.Submission{Answer: "<A>", GuidelineFiles: []string{"g.md"}, Trace: &grade.Trace{CostUSD: at(0.5)}}
	grade.Grade(t.Context(), grade.Ports{Exec: exec}, c, g, sub)
	var input map[string]any
	if err := json.Unmarshal(got.Stdin, &input); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{"question": "Q", "expected_outcome": "O", "reference_answer": "R", "candidate_answer": "<A>"} {
		if input[key] != want {
			t.Errorf("%s is %v, want %v", key, input[key], want)
		}
	}
	if !slices.Equal(got.Argv, g.Code.Argv) || got.Dir != "d" {
		t.Errorf("run %+v", got)
	}
	if input["config"].(map[string]any)["k"] != 1.0 || input["trace_summary"].(map[string]any)["cost_usd"] != 0.5 || len(input["input_messages"].([]any)) != 1 {
		t.Errorf("told %s", got.Stdin)
	}
	g.Code.Config = map[string]any{}
	grade.Grade(t.Context(), grade.Ports{Exec: exec}, c, g, sub)
	if !strings.Contains(string(got.Stdin), `"config": null`) {
		t.Errorf("of no settings it is told %s", got.Stdin)
	}
	endless := codeJudge()
	endless.Code.Config = map[string]any{"k": math.Inf(1)}
	if r := grade.Grade(t.Context(), grade.Ports{Exec: exec}, &rubric.Case{}, endless, grade.Submission{}).Result; !strings.Contains(r.Ungraded, "cannot be encoded as JSON") {
		t.Errorf("a number that JSON has not: %+v", r)
	}
	grade.Grade(t.Context(), grade.Ports{Exec: exec}, &rubric.Case{}, codeJudge(), grade.Submission{})
	want := `{"question":"","expected_outcome":"","expected_messages":[],"reference_answer":null,"candidate_answer":"",` +
		`"output_messages":null,"guideline_files":[],"input_files":[],"input_messages":[],"trace_summary":null,"config":null}`
	if compact := strings.Join(strings.Fields(string(got.Stdin)), ""); compact != want {
		t.Errorf("of nothing is told\n%s, want\n%s", compact, want)
	}
}
