package grade_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func composite(how rubric.Aggregator, members ...*rubric.Grader) *rubric.Grader {
	return &rubric.Grader{Name: "all", Kind: rubric.Composite, Weight: 1, Combine: &how, Members: members}
}

// quick is missed by [ran], cheap is met.
func quick() *rubric.Grader {
	return &rubric.Grader{Name: "quick", Kind: rubric.Latency, Weight: 1, Limits: &rubric.Limits{DurationMS: at(1)}}
}

func cheap() *rubric.Grader {
	return &rubric.Grader{Name: "cheap", Kind: rubric.Cost, Weight: 1, Limits: &rubric.Limits{CostUSD: at(1)}}
}

func ran() grade.Submission {
	return grade.Submission{Answer: "hi", Trace: &grade.Trace{DurationMS: at(100), CostUSD: at(0)}}
}

func TestComposite(t *testing.T) {
	soSo := `{"score":0.7,"hits":["fair"],"misses":[],"reasoning":"so so"}`
	for _, c := range []struct {
		name     string
		how      rubric.Aggregator
		exec     grade.Exec
		score    float64
		verdict  score.Verdict
		ungraded string
	}{
		{"evenly", rubric.Aggregator{Type: "weighted_average"}, nil, 0.5, score.Fail, ""},
		{"by weight", rubric.Aggregator{Type: "weighted_average", Weights: map[string]float64{"cheap": 3}}, nil, 0.75, score.Borderline, ""},
		{"by no weight", rubric.Aggregator{Type: "weighted_average", Weights: map[string]float64{"cheap": 0, "quick": 0}}, nil, 0, score.Ungraded, "add up to 0"},
		{"by a program", rubric.Aggregator{Type: "code_judge", Path: "combine.py"}, program(`{"score":0.65}`, 0, nil), 0.65, score.Borderline, ""},
		{"by a program's verdict", rubric.Aggregator{Type: "code_judge", Path: "combine.py"}, program(`{"score":0.65,"verdict":"pass"}`, 0, nil), 0.65, score.Pass, ""},
		{"by a program's odd verdict", rubric.Aggregator{Type: "code_judge", Path: "combine.py"}, program(`{"score":0.65,"verdict":"meh"}`, 0, nil), 0.65, score.Borderline, ""},
		{"by a program without a score", rubric.Aggregator{Type: "code_judge", Path: "combine.py"}, program(`{"verdict":"pass"}`, 0, nil), 0, score.Ungraded, "`score` is missing"},
		{"by a program that fails", rubric.Aggregator{Type: "code_judge", Path: "combine.py"}, program(``, 1, nil), 0, score.Ungraded, "the program exited with code 1: oh no"},
		{"by a program that may not run", rubric.Aggregator{Type: "code_judge", Path: "combine.py"}, nil, 0, score.Ungraded, "--allow-exec"},
		{"by a judge", rubric.Aggregator{Type: "llm_judge"}, nil, 0.7, score.Borderline, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ports := grade.Ports{Judge: &script{replies: []string{soSo}}, Exec: c.exec}
			out := grade.Grade(t.Context(), ports, &rubric.Case{}, composite(c.how, quick(), cheap()), ran())
			r := out.Result
			if number(r) != c.score || r.Verdict != c.verdict || (c.ungraded == "") != (r.Ungraded == "") || !strings.Contains(r.Ungraded, c.ungraded) {
				t.Errorf("%v %s, ungraded %q", number(r), r.Verdict, r.Ungraded)
			}
			if len(out.Members) != 2 || out.Members[0].Name != "quick" || out.Combine != c.how.Type {
				t.Errorf("members %+v combined as %s", out.Members, out.Combine)
			}
		})
	}
	r := graded(t, score.Spec, &rubric.Case{}, composite(rubric.Aggregator{Type: "weighted_average"}, quick(), cheap()), ran())
	if len(r.Hits) != 1 || !strings.HasPrefix(r.Hits[0], "[cheap] ") || !strings.HasPrefix(r.Misses[0], "[quick] ") {
		t.Errorf("findings name their member: %q %q", r.Hits, r.Misses)
	}
}

// TestCompositeProgram gets the members' results, by name and in their order,
// and runs as a shell line.
func TestCompositeProgram(t *testing.T) {
	var got grade.Command
	exec := func(_ context.Context, c grade.Command) (grade.Output, error) {
		got = c
		return grade.Output{Stdout: []byte(`{"score":1}`)}, nil
	}
	how := rubric.Aggregator{Type: "code_judge", Path: "python combine.py", Dir: "graders"}
	grade.Grade(t.Context(), grade.Ports{Exec: exec}, &rubric.Case{}, composite(how, quick(), cheap()), ran())
	if !slices.Equal(got.Argv, []string{"sh", "-lc", "python combine.py"}) || got.Dir != "graders" {
		t.Errorf("run %q in %q", got.Argv, got.Dir)
	}
	var input struct{ Results map[string]score.Result }
	if err := json.Unmarshal(got.Stdin, &input); err != nil || number(input.Results["cheap"]) != 1 || input.Results["quick"].Verdict != score.Fail {
		t.Errorf("told %s, %v", got.Stdin, err)
	}
	exec = func(context.Context, grade.Command) (grade.Output, error) {
		return grade.Output{Stdout: []byte(`{"score":"high","verdict":"pass"}`)}, nil
	}
	if r := grade.Grade(t.Context(), grade.Ports{Exec: exec}, &rubric.Case{}, composite(how, quick()), ran()).Result; r.Verdict != score.Ungraded {
		t.Errorf("a verdict without a score: %+v", r)
	}
	away := composite(rubric.Aggregator{Type: "weighted_average"}, two(), quick())
	if out := grade.Grade(t.Context(), grade.Ports{Judge: &script{replies: []string{"away"}}}, &rubric.Case{}, away, ran()); !unreachable(out.Err) {
		t.Errorf("the error of a member is lost: %v", out.Err)
	}
	if text := string(got.Stdin); strings.Index(text, `"quick"`) > strings.Index(text, `"cheap"`) {
		t.Errorf("the members' order is lost: %s", text)
	}
}

// TestCompositeJudge sees the members' results, in the prompt of the file if it
// has one. What members say is not a template.
func TestCompositeJudge(t *testing.T) {
	says := program(`{"score":1,"hits":["{{ reference_answer }}"]}`, 0, nil)
	for name, c := range map[string]struct {
		prompt string
		wants  []string
	}{
		"its own words": {"", []string{"Several graders", `"code": {`, "{{ reference_answer }}"}},
		"the file's": {
			"Of {{question}}: {{ EVALUATOR_RESULTS_JSON }} {{ nobody }}",
			[]string{"Of Why?: {", `"code": {`, "{{ reference_answer }}", "{{ nobody }}"},
		},
	} {
		j := &script{replies: []string{`{"score":0.9}`}}
		how := rubric.Aggregator{Type: "llm_judge", Prompt: c.prompt}
		out := grade.Grade(t.Context(), grade.Ports{Judge: j, Exec: says},
			&rubric.Case{Question: "Why?", ReferenceAnswer: "SECRET"}, composite(how, codeJudge()), grade.Submission{})
		for _, want := range c.wants {
			if !strings.Contains(j.asked[0].User, want) {
				t.Errorf("%s: the question lacks %q:\n%s", name, want, j.asked[0].User)
			}
		}
		if strings.Contains(j.asked[0].User, "SECRET") || out.Question == nil || len(out.Replies) != 1 {
			t.Errorf("%s: asked\n%s\nreplied %v", name, j.asked[0].User, out.Replies)
		}
		if named := strings.Contains(strings.Join(out.Problems, ""), "nobody"); named != (c.prompt != "") {
			t.Errorf("%s: problems are %q", name, out.Problems)
		}
	}
	for profile, asked := range map[score.Profile]int{score.Spec: 3, score.AgentV: 1} {
		j := &script{replies: []string{"hm"}}
		out := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: profile}, &rubric.Case{},
			composite(rubric.Aggregator{Type: "llm_judge"}, cheap()), ran())
		if len(j.asked) != asked || number(out.Result) != 0 || (out.Result.Ungraded == "") != (profile == score.AgentV) {
			t.Errorf("%s: asked %d times: %+v", profile, len(j.asked), out.Result)
		}
	}
	away := grade.Grade(t.Context(), grade.Ports{Judge: &script{replies: []string{"away"}}}, &rubric.Case{},
		composite(rubric.Aggregator{Type: "llm_judge"}, cheap()), ran())
	if !unreachable(away.Err) || away.Result.Ungraded == "" {
		t.Errorf("a judge that is away: %+v", away)
	}
}

// TestCompositeGates: by the rules a member's gate, and what of it is ungraded,
// is the composite's, however it is combined.
func TestCompositeGates(t *testing.T) {
	missed := strings.Replace(both, "true", "false", 1)
	high := rubric.Aggregator{Type: "weighted_average", Weights: map[string]float64{"cheap": 99}}
	for name, how := range map[string]rubric.Aggregator{"by weight": high, "by a program": {Type: "code_judge", Path: "x"}} {
		ports := grade.Ports{Judge: &script{replies: []string{missed}}, Exec: program(`{"score":1,"verdict":"pass"}`, 0, nil)}
		out := grade.Grade(t.Context(), ports, &rubric.Case{}, composite(how, two(), cheap()), ran())
		r := out.Result
		if number(r) < 0.9 || r.Verdict != score.Fail || len(r.Gates) != 2 || r.Gates[0].ID != "rubric/a" || r.Gates[0].Met {
			t.Errorf("%s: a member's gate does not hold: %+v", name, r)
		}
		ports.Judge = judge.Func(func(context.Context, judge.Question) (judge.Answer, error) { return judge.Answer{Text: onlyA}, nil })
		r = grade.Grade(t.Context(), ports, &rubric.Case{}, composite(how, two(), cheap()), ran()).Result
		if r.Verdict != score.Ungraded || !strings.Contains(r.Ungraded, "`rubric` is ungraded") {
			t.Errorf("%s: what is ungraded is lost: %+v", name, r)
		}
	}
}

// TestCompositeOfTheReference strips its members of their rubrics.
func TestCompositeOfTheReference(t *testing.T) {
	free := &script{replies: []string{`{"score":1,"hits":[],"misses":[]}`}}
	out := grade.Grade(t.Context(), grade.Ports{Judge: free, Profile: score.AgentV}, &rubric.Case{},
		composite(rubric.Aggregator{Type: "weighted_average"}, two()), grade.Submission{})
	if number(out.Result) != 1 || len(out.Members[0].Criteria) > 0 || len(out.Result.Gates) > 0 {
		t.Errorf("%+v", out)
	}
	zero := grade.Grade(t.Context(), grade.Ports{Exec: program("", 2, nil), Profile: score.AgentV}, &rubric.Case{},
		composite(rubric.Aggregator{Type: "code_judge", Path: "x"}, cheap()), ran())
	if number(zero.Result) != 0 || len(zero.Result.Misses) != 1 {
		t.Errorf("a program that fails: %+v", zero.Result)
	}
}

// TestNegatedMembers: in the reference, a member of a composite or a set is graded as if it were not
// negated. A turn's is.
func TestNegatedMembers(t *testing.T) {
	for _, c := range []struct {
		profile score.Profile
		kind    rubric.Kind
		score   float64
	}{
		{score.Spec, rubric.Composite, 0}, {score.Spec, rubric.AssertSet, 0}, {score.Spec, rubric.Turn, 0},
		{score.AgentVHead, "composite", 1}, {score.AgentVHead, "assert-set", 1}, {score.AgentVHead, rubric.Turn, 0},
	} {
		member := cheap()
		member.Negate = true
		g := &rubric.Grader{Name: "all", Kind: c.kind, Members: []*rubric.Grader{member}}
		if r := graded(t, c.profile, &rubric.Case{}, g, ran()); number(r) != c.score || !member.Negate {
			t.Errorf("%s: a negated member of a %s: %v, want %v", c.profile, c.kind, number(r), c.score)
		}
	}
}

// TestUngradedMembers of a combining program: the reference tells it a score of 0 for them.
func TestUngradedMembers(t *testing.T) {
	unknown := &rubric.Grader{Name: "unknown", Kind: "telepathy", Weight: 1}
	how := rubric.Aggregator{Type: "code_judge", Path: "x"}
	for profile, want := range map[score.Profile]*float64{score.Spec: nil, score.AgentVHead: at(0)} {
		var stdin []byte
		grade.Grade(t.Context(), grade.Ports{Exec: listening(&stdin), Profile: profile}, &rubric.Case{}, composite(how, unknown, cheap()), ran())
		var input struct{ Results map[string]score.Result }
		if err := json.Unmarshal(stdin, &input); err != nil {
			t.Fatal(err)
		}
		if got := input.Results["unknown"].Score; (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s: told %s", profile, stdin)
		}
		if got := input.Results["cheap"].Score; got == nil || *got != 1 {
			t.Errorf("%s: told %s", profile, stdin)
		}
	}
}
