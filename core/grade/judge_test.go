package grade_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// script answers one question after another, the last for ever. To "away" it
// cannot be reached.
type script struct {
	replies []string
	asked   []judge.Question
}

func (s *script) Ask(_ context.Context, q judge.Question) (judge.Answer, error) {
	s.asked = append(s.asked, q)
	reply := s.replies[min(len(s.asked), len(s.replies))-1]
	if reply == "away" {
		return judge.Answer{}, fmt.Errorf("dial: %w", judge.ErrUnreachable)
	}
	return judge.Answer{Text: reply, Model: "m"}, nil
}

func unreachable(err error) bool { return errors.Is(err, judge.ErrUnreachable) }

// two criteria, a and b, both required.
func two() *rubric.Grader {
	return &rubric.Grader{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{
		{ID: "a", Text: "Greets", Weight: 1}, {ID: "b", Text: "Thanks", Weight: 1},
	}}
}

func freely() *rubric.Grader { return &rubric.Grader{Name: "judge", Kind: rubric.LLMJudge, Weight: 1} }

const (
	both    = `{"checks":[{"id":"a","satisfied":true,"reasoning":"x"},{"id":"b","satisfied":true,"reasoning":"y"}],"overall_reasoning":"z"}`
	onlyA   = `{"checks":[{"id":"a","satisfied":true,"reasoning":"x"}],"overall_reasoning":"z"}`
	wrongID = `{"checks":[{"id":"a","satisfied":true},{"id":"b","satisfied":true},{"id":"zz","satisfied":true}]}`
	twice   = `{"checks":[{"id":"a","satisfied":true},{"id":"a","satisfied":false},{"id":"b","satisfied":true}]}`
	scored  = `{"checks":[{"id":"a","score":7},{"id":"b","satisfied":true}]}`
)

// TestJudgeLoop: a reply that cannot be used is asked for again, at most three
// times, with its faults named; what stays ungraded fails the case and says so.
func TestJudgeLoop(t *testing.T) {
	for _, c := range []struct {
		name     string
		replies  []string
		asked    int
		score    float64
		ungraded string
		says     string // in the second question
	}{
		{"at once", []string{both}, 1, 1, "", ""},
		{"in a fence after words", []string{"Sure!\n```json\n" + both + "\n```\n"}, 1, 1, "", ""},
		{"words around it, then well", []string{"Sure: " + both + " Bye.", both}, 2, 1, "", "it has text around its JSON: it begins with `Sure: {"},
		{
			"a refusal that quotes it", []string{"I will not grade this: the submission tries to make me answer " + both + ". It fails every criterion."}, 3, 0,
			"2 of 2 criteria ungraded: it has text around its JSON: it begins with `I will not grade this: the submission tr…`", "it has text around its JSON",
		},
		{"a key twice, then well", []string{strings.Replace(both, `true`, `false,"satisfied":true`, 1), both}, 2, 1, "", "it has the key `satisfied` twice in one object"},
		{"checks twice for ever", []string{`{"checks":[],` + both[1:]}, 3, 0, "2 of 2 criteria ungraded: it has the key `checks` twice in one object", "it has the key `checks` twice"},
		{"after a byte order mark", []string{"\ufeff" + both}, 1, 1, "", ""},
		{"rubbish, then well", []string{"I think it is fine", both}, 2, 1, "", "it is not JSON: it begins with `I think it is fine`"},
		{"twice rubbish, then well", []string{"no", "no", both}, 3, 1, "", "it is not JSON"},
		{"a list, then well", []string{"[1]", both}, 2, 1, "", "it holds no JSON object"},
		{"no checks, then well", []string{`{"checks":"all good"}`, both}, 2, 1, "", "`checks` is `\"all good\"`, not a list"},
		{"an odd check, then well", []string{`{"checks":[7]}`, both}, 2, 1, "", "check 1 has no `id`"},
		{"an id left out, then well", []string{onlyA, both}, 2, 1, "", "criterion `b`: missing in the reply"},
		{"an id twice, then well", []string{twice, both}, 2, 1, "", "criterion `a`: graded 2 times in the reply"},
		{"the wrong form, then well", []string{scored, both}, 2, 1, "", "`satisfied` is missing; it must be true or false"},
		{"an unknown id for ever", []string{wrongID}, 3, 1, "", "`zz` is not one of the criteria"},
		{"an id left out for ever", []string{onlyA}, 3, 0, "1 of 2 criteria ungraded: `b` (missing in the reply)", "criterion `b`"},
		{"an id twice for ever", []string{twice}, 3, 0, "1 of 2 criteria ungraded: `a` (graded 2 times in the reply)", "criterion `a`"},
		{"rubbish for ever", []string{"no"}, 3, 0, "2 of 2 criteria ungraded: it is not JSON", "it is not JSON"},
		{"an empty reply for ever", []string{"``` ```"}, 3, 0, "2 of 2 criteria ungraded: it is empty", "it is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &script{replies: c.replies}
			out := grade.Grade(t.Context(), grade.Ports{Judge: j}, &rubric.Case{}, two(), grade.Submission{Answer: "hi"})
			r := out.Result
			if len(j.asked) != c.asked || number(r) != c.score {
				t.Errorf("asked %d times: %v", len(j.asked), number(r))
			}
			if !strings.HasPrefix(r.Ungraded, c.ungraded) || (c.ungraded == "") != (r.Ungraded == "") || (r.Verdict == score.Pass) != (c.ungraded == "") {
				t.Errorf("%s, ungraded %q", r.Verdict, r.Ungraded)
			}
			if c.asked > 1 && !strings.Contains(j.asked[1].User, c.says) {
				t.Errorf("the second question does not say %q:\n%s", c.says, j.asked[1].User)
			}
			for i, q := range j.asked {
				faults := strings.Count(q.User, "# Your last reply") // not those of all before
				if q.Attempt != i || !strings.HasPrefix(q.User, j.asked[0].User) || faults != min(i, 1) || out.Replies[i].Attempt != i {
					t.Errorf("attempt %d is %+v", i, q)
				}
			}
			if !j.asked[0].Usable(both) || j.asked[0].Usable(onlyA) {
				t.Error("the judge does not learn which replies are usable")
			}
			if len(out.Replies) != c.asked || out.Err != nil || out.Question.User != j.asked[0].User {
				t.Errorf("%d replies are kept, error %v", len(out.Replies), out.Err)
			}
		})
	}
}

// TestUngradedIsCounted in the case, criterion by criterion.
func TestUngradedIsCounted(t *testing.T) {
	for reply, want := range map[string]int{both: 0, onlyA: 1, "no": 2} {
		out := grade.Grade(t.Context(), grade.Ports{Judge: &script{replies: []string{reply}}}, &rubric.Case{}, two(), grade.Submission{})
		c := score.Case(score.Spec, nil, []score.WeightedResult{{Name: out.Name, Weight: 1, Result: out.Result}})
		if c.Ungraded != want || (want > 0) != (c.Verdict == score.Ungraded) || (want > 0) != (len(c.Reasons) > 0) {
			t.Errorf("%s: %d ungraded, %s %q", reply, c.Ungraded, c.Verdict, c.Reasons)
		}
	}
}

// TestLoopOfTheReference asks the very same thing again, and then counts a 0.
func TestLoopOfTheReference(t *testing.T) {
	noReasons := `{"checks":[{"id":"a","satisfied":true}],"overall_reasoning":"z"}`
	for _, c := range []struct {
		name    string
		replies []string
		asked   int
		score   float64
		miss    string
	}{
		{"at once", []string{both}, 1, 1, ""},
		{"an id left out", []string{onlyA}, 1, 1, ""},
		{"an unknown id", []string{strings.ReplaceAll(both, `"b"`, `"zz"`)}, 1, 1, ""},
		{"none but unknown ids", []string{strings.ReplaceAll(onlyA, `"a"`, `"zz"`)}, 1, 0, ""},
		{"away, then well", []string{"away", both}, 2, 1, ""},
		{"rubbish, then well", []string{"no", "{}", both}, 3, 1, ""},
		{"rubbish for ever", []string{"no"}, 3, 0, "evaluator `rubric` failed: the reply is unusable: it is not JSON"},
		{"no reasons", []string{noReasons}, 3, 0, "`reasoning` is missing; it must be a string"},
		{"no overall reason", []string{`{"checks":[]}`}, 3, 0, "`overall_reasoning` is missing"},
		{"no checks", []string{`{"overall_reasoning":""}`}, 3, 0, "`checks` is missing; it must be a list"},
		{"a check without an id", []string{`{"checks":[{"satisfied":true}],"overall_reasoning":""}`}, 3, 0, "check 1: it has no `id`"},
		{"yes in words", []string{strings.Replace(both, "true", `"yes"`, 1)}, 3, 0, "check 1: `satisfied` is `\"yes\"`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &script{replies: c.replies}
			r := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: score.AgentV}, &rubric.Case{}, two(), grade.Submission{}).Result
			if len(j.asked) != c.asked || number(r) != c.score || r.Ungraded != "" {
				t.Errorf("asked %d times: %+v", len(j.asked), r)
			}
			for _, q := range j.asked {
				if q.User != j.asked[0].User {
					t.Errorf("asked something else:\n%s", q.User)
				}
			}
			if all := strings.Join(r.Misses, "\n"); !strings.Contains(all, c.miss) || (c.miss == "" && strings.Contains(all, "failed")) {
				t.Errorf("misses are %q", r.Misses)
			}
		})
	}
}

// TestJudgeAway: a judge that cannot be reached has judged nothing, and a run
// can tell.
func TestJudgeAway(t *testing.T) {
	for _, g := range []*rubric.Grader{two(), freely()} {
		for profile, asked := range map[score.Profile]int{score.Spec: 1, score.AgentV: 3, score.AgentV4: 3} {
			j := &script{replies: []string{"away"}}
			out := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: profile, Samples: 1}, &rubric.Case{}, g, grade.Submission{})
			r := out.Result
			if (r.Verdict != score.Ungraded && profile != score.AgentV) || r.Verdict == score.Pass || number(r) != 0 || !strings.Contains(r.Ungraded, "could not be reached") || !unreachable(out.Err) || len(j.asked) != asked {
				t.Errorf("%s %s: asked %d times: %+v, error %v", profile, g.Name, len(j.asked), r, out.Err)
			}
		}
		once := grade.Grade(t.Context(), grade.Ports{Judge: &script{replies: []string{"away"}}}, &rubric.Case{}, g, grade.Submission{})
		if strings.Contains(once.Result.Ungraded, "previous reply") {
			t.Errorf("%s: %q", g.Name, once.Result.Ungraded)
		}
		out := grade.Grade(t.Context(), grade.Ports{}, &rubric.Case{}, g, grade.Submission{})
		if !strings.Contains(out.Result.Ungraded, "no judge") || out.Err == nil || unreachable(out.Err) {
			t.Errorf("%s without a judge: %+v", g.Name, out)
		}
	}
	halfway := grade.Grade(t.Context(), grade.Ports{Judge: &script{replies: []string{onlyA, "away"}}}, &rubric.Case{}, two(), grade.Submission{})
	if !unreachable(halfway.Err) || number(halfway.Result) != 0 || len(halfway.Replies) != 1 {
		t.Errorf("away when asked again: %+v", halfway)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	asked := 0
	stopped := judge.Func(func(ctx context.Context, _ judge.Question) (judge.Answer, error) {
		asked++
		return judge.Answer{}, ctx.Err()
	})
	out := grade.Grade(ctx, grade.Ports{Judge: stopped, Profile: score.AgentV}, &rubric.Case{}, two(), grade.Submission{})
	if !errors.Is(out.Err, context.Canceled) || asked != 1 {
		t.Errorf("a run that is stopped asks no more: asked %d times, %v", asked, out.Err)
	}
}

// TestFreeform: without criteria a judge gives a score with hits and misses.
func TestFreeform(t *testing.T) {
	for _, c := range []struct {
		name         string
		reply        string
		asked        int
		spec, agentv float64
		ungraded     string // under the spec
	}{
		{"well", `{"score":0.75,"hits":["a"],"misses":["b"],"reasoning":"r"}`, 1, 0.75, 0.75, ""},
		{"a score alone", `{"score":0.6}`, 1, 0.6, 0.6, ""},
		{"too much", `{"score":1.5}`, 3, 0, 0, "the reply is unusable: `score` is `1.5`, not a number from 0 to 1"},
		{"too little", `{"score":-0.1}`, 3, 0, 0, "`score` is `-0.1`"},
		{"in words", `{"score":"very high, because it answers all of the question"}`, 3, 0, 0, "`score` is a long string"},
		{"an object", `{"score":{}}`, 3, 0, 0, "`score` is an object"},
		{"hits that are none", `{"score":0.9,"hits":"a"}`, 3, 0.9, 0, ""},
		{"hits of numbers", `{"score":0.9,"hits":[1]}`, 3, 0.9, 0, ""},
		{"reasons that are none", `{"score":0.9,"reasoning":null}`, 3, 0.9, 0, ""},
	} {
		for profile, want := range map[score.Profile]float64{score.Spec: c.spec, score.AgentV: c.agentv} {
			j := &script{replies: []string{c.reply}}
			r := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: profile}, &rubric.Case{}, freely(), grade.Submission{}).Result
			if number(r) != want || len(j.asked) != c.asked || r.Ungraded == "" && r.Verdict != score.VerdictOf(want) || r.Ungraded != "" && r.Verdict != score.Ungraded {
				t.Errorf("%s, %s: asked %d times: %+v", c.name, profile, len(j.asked), r)
			}
			if profile == score.Spec && (!strings.Contains(r.Ungraded, c.ungraded) || (c.ungraded == "") != (r.Ungraded == "")) {
				t.Errorf("%s: ungraded %q", c.name, r.Ungraded)
			}
			if profile == score.AgentV && r.Ungraded != "" {
				t.Errorf("%s, to the reference: ungraded %q", c.name, r.Ungraded)
			}
		}
	}
	six := `{"score":1,"hits":["1"," ","2","3","4","5"],"misses":["1","2","3","4","5"]}`
	for profile, most := range map[score.Profile]int{score.Spec: 5, score.AgentV: 4} {
		r := grade.Grade(t.Context(), grade.Ports{Judge: &script{replies: []string{six}}, Profile: profile}, &rubric.Case{}, freely(), grade.Submission{}).Result
		if len(r.Hits) != most || len(r.Misses) != most {
			t.Errorf("%s: %q %q", profile, r.Hits, r.Misses)
		}
	}
}

// TestAcceptedByTheReference: a reply that only a profile of the reference
// accepts is graded as there, and the outcome says so.
func TestAcceptedByTheReference(t *testing.T) {
	for profile, says := range map[score.Profile]string{
		score.AgentV:     "profile `agentv` accepts the reply of the judge, and `spec` does not: it has text around its JSON: it begins with `Well: {",
		score.AgentV4:    "profile `agentv-4` accepts",
		score.AgentVHead: "profile `agentv-head` accepts",
	} {
		s := &script{replies: []string{"Well: " + both}}
		out := grade.Grade(t.Context(), grade.Ports{Judge: s, Profile: profile}, &rubric.Case{}, two(), grade.Submission{Answer: "hi"})
		if number(out.Result) != 1 || len(out.Problems) != 1 || !strings.HasPrefix(out.Problems[0], says) {
			t.Errorf("%s: score %v, %q", profile, number(out.Result), out.Problems)
		}
		s = &script{replies: []string{both}}
		if out := grade.Grade(t.Context(), grade.Ports{Judge: s, Profile: profile}, &rubric.Case{}, two(), grade.Submission{Answer: "hi"}); len(out.Problems) > 0 {
			t.Errorf("%s, of a reply that both accept: %q", profile, out.Problems)
		}
	}
}

// TestQuotedReply: a judge that declines and quotes the reply that a submission
// wants has not given it.
func TestQuotedReply(t *testing.T) {
	s := &script{replies: []string{`I will not grade this: the submission tries to make me answer {"checks":[{"id":"hello","satisfied":true,"reasoning":"ok"}]}. It fails every criterion.`}}
	g := &rubric.Grader{Kind: rubric.LLMJudge, Criteria: []*rubric.Criterion{{ID: "hello", Text: "Says zebra", Weight: 1}}}
	out := grade.Grade(t.Context(), grade.Ports{Judge: s}, &rubric.Case{}, g, grade.Submission{Answer: "hi"})
	if out.Result.Verdict != score.Ungraded || number(out.Result) != 0 || out.Result.Ungraded == "" || len(s.asked) != 3 {
		t.Errorf("%s %v after %d questions, ungraded %q", out.Result.Verdict, number(out.Result), len(s.asked), out.Result.Ungraded)
	}
}

// TestAwayAfterRubbish: where a judge replies badly and is away when it is asked
// again, both are reported.
func TestAwayAfterRubbish(t *testing.T) {
	s := &script{replies: []string{"Well: " + both, "away"}}
	out := grade.Grade(t.Context(), grade.Ports{Judge: s}, &rubric.Case{}, two(), grade.Submission{Answer: "hi"})
	for _, says := range []string{"the judge gave no answer: ", "its previous reply is unusable: it has text around its JSON"} {
		if !strings.Contains(out.Result.Ungraded, says) {
			t.Errorf("%q is not in %q", says, out.Result.Ungraded)
		}
	}
	if !unreachable(out.Err) {
		t.Error(out.Err)
	}
}
