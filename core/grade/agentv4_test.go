package grade_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var later = []score.Profile{score.AgentV4, score.AgentVHead}

// rates is a criterion with bands.
func rates() *rubric.Grader {
	return &rubric.Grader{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{
		{ID: "a", Text: "Greets", Weight: 1, Bands: []rubric.Band{{Lo: 0, Hi: 10, Text: "any"}}},
	}}
}

// TestRepliesOfLaterVersions: what release 4 makes of a reply, and what the
// newest version does. A score below 0 stands for a reply that is of no use.
func TestRepliesOfLaterVersions(t *testing.T) {
	const useless = -1.0
	for _, c := range []struct {
		name  string
		g     *rubric.Grader
		reply string
		four  float64
		head  float64
		pass  bool // at the newest version
		hits  []string
	}{
		{"checks", two(), both, 1, 1, true, []string{"[a] Greets: x", "[b] Thanks: y"}},
		{"one left out", two(), onlyA, 1, 1, true, []string{"[a] Greets: x"}},
		{"no overall reasoning", two(), `{"checks":[{"id":"a","satisfied":true,"reasoning":"x"},{"id":"b","satisfied":false}]}`, useless, 0.5, false, []string{"[a] Greets: x"}},
		{"its own score", two(), `{"pass":true,"score":0.3,"reason":"meh"}`, useless, 0.3, true, []string{"the judge's own verdict: meh"}},
		{"its own fail", two(), `{"pass":false,"score":0.9}`, useless, 0.9, false, nil},
		{"a reason alone", freely(), `{"reason":" fine "}`, useless, 1, true, []string{"the judge's own verdict: fine"}},
		{"words", freely(), `{"pass":"YES","score":" 0.7 "}`, useless, 0.7, true, []string{"the judge's own verdict"}},
		{"a number is no verdict", freely(), `{"pass":1}`, useless, 0, false, nil},
		{"a truth value is a score", freely(), `{"reason":"x","score":true}`, useless, 1, true, []string{"the judge's own verdict: x"}},
		{"an odd score", freely(), `{"pass":true,"score":"high"}`, useless, 1, true, []string{"the judge's own verdict"}},
		{"checks of many forms", freely(), `{"checks":[{"text":"t","pass":"y"},{"id":"i","score":0.9},{"satisfied":"no","evidence":"e"},{"id":"j"}]}`,
			useless, (1 + 0.9) / 4, false, []string{"t", "[i]"}},
		{"checks at the bar", freely(), `{"checks":[{"text":"t","score":0.8},{"text":"u","score":0.7}]}`, useless, 0.75, false, []string{"t"}},
		{"a check by its id", two(), `{"pass":true,"checks":[{"id":"b","pass":true},{"id":"c","pass":true},{"pass":true,"text":"t"}]}`, useless, 1, true, []string{"[b] Thanks", "[c]", "t"}},
		{"a score of 0", freely(), `{"score":0}`, 0, 0, false, nil},
		{"checks that are none", freely(), `{"checks":[3]}`, useless, useless, false, nil},
		{"checks that are no list", freely(), `{"checks":3}`, useless, useless, false, nil},
		{"a check of no known type", freely(), `{"checks":[{"pass":null}]}`, useless, useless, false, nil},
		{"a verdict of no known type", freely(), `{"pass":{}}`, useless, useless, false, nil},
		{"a reason that is no text", freely(), `{"reason":3}`, useless, useless, false, nil},
		{"findings", freely(), `{"score":0.9,"assertions":[{"text":"t","passed":true,"evidence":"e"},{"text":"u","passed":"true"},{"text":"v","passed":maybe}]}`,
			0.9, 0.9, true, []string{"t: e", "u"}},
		{"hits", freely(), `{"score":0.9,"hits":["h"],"misses":[],"reasoning":"r"}`, 0.9, 0.9, true, []string{"h"}},
		{"below the bar", freely(), `{"score":0.79}`, 0.79, 0.79, false, nil},
		{"a score off the scale", freely(), `{"score":2}`, useless, useless, false, nil},
		{"findings that are none", freely(), `{"score":1,"assertions":[{"text":"t"}]}`, useless, useless, false, nil},
		{"findings that are no list", freely(), `{"score":1,"assertions":"t"}`, useless, useless, false, nil},
		{"prose", freely(), `fine`, useless, useless, false, nil},
		{"bands", rates(), `{"checks":[{"id":"a","score":8}]}`, 0.8, 0.8, true, []string{"[a] Greets - Score: 8/10 (any)"}},
		{"bands take no verdict", rates(), `{"pass":true,"score":1}`, useless, useless, false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, profile := range later {
				want := []float64{c.four, c.head}[i]
				j := &script{replies: []string{c.reply}}
				r := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: profile}, &rubric.Case{}, c.g, grade.Submission{}).Result
				if want == useless {
					if r.Ungraded == "" || number(r) != 0 || len(j.asked) != 4 || !slices.Equal(r.Misses, []string{r.Ungraded}) {
						t.Errorf("%s: %v %q after %d questions", profile, number(r), r.Ungraded, len(j.asked))
					}
					continue
				}
				if number(r) != want || r.Ungraded != "" || len(j.asked) != 1 || !slices.Equal(r.Hits, append([]string{}, c.hits...)) {
					t.Errorf("%s: %v %q %q", profile, number(r), r.Ungraded, r.Hits)
				}
				if profile == score.AgentVHead && (r.Verdict == score.Pass) != c.pass {
					t.Errorf("%s: %s", profile, r.Verdict)
				}
			}
		})
	}
}

// TestWorthOfAReply, without asking anyone.
func TestWorthOfAReply(t *testing.T) {
	for _, c := range []struct {
		profile score.Profile
		g       *rubric.Grader
		reply   string
		score   float64
		verdict score.Verdict
		open    bool
	}{
		{score.Spec, two(), both, 1, score.Pass, false},
		{score.Spec, freely(), `{"score":0.7}`, 0.7, score.Borderline, false},
		{score.Spec, freely(), `{}`, 0, score.Ungraded, true},
		{score.AgentV, two(), onlyA, 1, score.Pass, false},
		{score.AgentV4, freely(), `{"score":0.7}`, 0.7, score.Fail, false},
		{score.AgentV4, two(), `{"checks":[]}`, 0, score.Ungraded, true},
		{score.AgentVHead, two(), `{"pass":true,"score":0.7}`, 0.7, score.Pass, false},
		{score.AgentVHead, two(), `{"pass":false,"score":0.9}`, 0.9, score.Fail, false},
	} {
		r := grade.DecodeReply(c.profile, c.g.Criteria, c.reply).Result(c.profile, c.g.Criteria)
		if number(r) != c.score || r.Verdict != c.verdict || (r.Ungraded != "") != c.open {
			t.Errorf("%s: %s is worth %v %s %q", c.profile, c.reply, number(r), r.Verdict, r.Ungraded)
		}
	}
}

// TestLoopOfLaterVersions: three times the same, then once to put the last reply
// into form.
func TestLoopOfLaterVersions(t *testing.T) {
	for _, profile := range later {
		j := &script{replies: []string{"away", "no", "no", `{"score":1}`}}
		out := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: profile}, &rubric.Case{}, freely(), grade.Submission{})
		if number(out.Result) != 1 || len(j.asked) != 4 || len(out.Replies) != 3 || out.Err != nil {
			t.Errorf("%s: %+v after %d", profile, out.Result, len(j.asked))
		}
		if j.asked[1].User != j.asked[2].User || !strings.Contains(j.asked[3].User, "~~~\nno\n~~~") || j.asked[3].Attempt != 3 {
			t.Errorf("%s: %q", profile, j.asked[3].User)
		}
		gone := &script{replies: []string{"away"}}
		out = grade.Grade(t.Context(), grade.Ports{Judge: gone, Profile: profile}, &rubric.Case{}, two(), grade.Submission{})
		if out.Result.Ungraded == "" || len(gone.asked) != 3 || !unreachable(out.Err) {
			t.Errorf("%s: %+v after %d", profile, out.Result, len(gone.asked))
		}
		away := &script{replies: []string{"no", "no", "no", "away"}}
		out = grade.Grade(t.Context(), grade.Ports{Judge: away, Profile: profile}, &rubric.Case{}, two(), grade.Submission{})
		if out.Result.Ungraded == "" || len(away.asked) != 4 || len(out.Replies) != 3 {
			t.Errorf("%s: %+v after %d", profile, out.Result, len(away.asked))
		}
	}
}

func TestSamplesOfLaterVersions(t *testing.T) {
	j := &script{replies: []string{`{"pass":true,"score":0.2}`, both, `{"pass":true,"score":0.6}`}}
	g := two()
	g.MinScore = at(0.3)
	r := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: score.AgentVHead, Samples: 3}, &rubric.Case{}, g, grade.Submission{}).Result
	if number(r) != 0.2 || r.Verdict != score.Fail {
		t.Errorf("the lower of two scores of its own, below the minimum: %+v", r)
	}
	g.MinScore = at(0.2)
	j = &script{replies: []string{"no", "no", "no", "no", `{"pass":true,"score":0.2}`, `{"pass":true,"score":0.6}`}}
	r = grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: score.AgentVHead, Samples: 3}, &rubric.Case{}, g, grade.Submission{}).Result
	if number(r) != 0.2 || r.Verdict != score.Pass || r.Ungraded != "" {
		t.Errorf("just the minimum, after a sample that is of no use: %+v", r)
	}
	j = &script{replies: []string{onlyA, both, both}}
	r = grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: score.AgentV4, Samples: 3}, &rubric.Case{}, two(), grade.Submission{}).Result
	if number(r) != 1 || r.Verdict != score.Pass || len(r.Grades) != 2 {
		t.Errorf("%+v", r)
	}
}

// TestMembersKeepTheirCriteria, which the oldest version took away.
func TestMembersKeepTheirCriteria(t *testing.T) {
	g := composite(rubric.Aggregator{Type: "weighted_average"}, two())
	for _, profile := range later {
		j := &script{replies: []string{onlyA}}
		if r := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: profile}, &rubric.Case{}, g, grade.Submission{}).Result; number(r) != 1 || len(j.asked) != 1 {
			t.Errorf("%s: %+v", profile, r)
		}
		g := composite(rubric.Aggregator{Type: "llm_judge"}, assertion(rubric.Contains, "x", ""))
		j = &script{replies: []string{"no"}}
		if r := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: profile}, &rubric.Case{}, g, grade.Submission{}).Result; number(r) != 0 || r.Ungraded != "" || len(j.asked) != 1 {
			t.Errorf("%s: an aggregator is asked once and then fails: %+v", profile, r)
		}
	}
}

// TestCombiningProgram: its findings are a script's, its verdict is its own.
func TestCombiningProgram(t *testing.T) {
	g := composite(rubric.Aggregator{Type: "code_judge", Path: "x"}, assertion(rubric.Contains, "a", ""))
	g.Assert = &rubric.Assertion{Type: "composite"}
	for _, c := range []struct {
		stdout  string
		score   float64
		verdict score.Verdict
		misses  []string
	}{
		{`{"score":0.9,"verdict":"fail","assertions":[{"text":"t","passed":false,"evidence":"e"}]}`, 0.9, score.Fail, []string{"t: e"}},
		{`{"score":0.1,"verdict":"pass"}`, 0.1, score.Pass, []string{}},
		{`{"score":0.7,"verdict":"borderline"}`, 0.7, score.Fail, []string{}},
		{`no`, 0, score.Fail, []string{}},
	} {
		for _, profile := range later {
			ports := grade.Ports{Exec: answering(grade.Output{Stdout: []byte(c.stdout)}), Profile: profile}
			r := grade.Grade(t.Context(), ports, &rubric.Case{}, g, grade.Submission{Answer: "a"}).Result
			if r.Ungraded != "" || number(r) != c.score || r.Verdict != c.verdict || !slices.Equal(r.Misses, c.misses) {
				t.Errorf("%s: %s came to %+v", profile, c.stdout, r)
			}
		}
	}
}

func TestAssertionsOwnWords(t *testing.T) {
	c := &rubric.Case{Question: "Q", ExpectedOutcome: "be kind", ReferenceAnswer: "R"}
	for _, tt := range []struct {
		name  string
		c     rubric.Case
		value any
		want  string
	}{
		{"a text", *c, "be brief", "be kind\n\nbe brief"},
		{"the same", *c, " be kind ", "be kind"},
		{"alone", rubric.Case{}, "be brief", "be brief"},
		{"none", *c, nil, "be kind"},
		{"an object", rubric.Case{}, map[string]any{"goal": "x"}, "{\n  \"goal\": \"x\"\n}"},
	} {
		g := freely()
		g.Assert = &rubric.Assertion{Type: "llm-rubric", Value: tt.value}
		if q := grade.Question(score.Spec, &tt.c, g, grade.Submission{}); q.Brief.Expected != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, q.Brief.Expected, tt.want)
		}
	}
	g := freely()
	g.Assert = &rubric.Assertion{Type: "llm-rubric", Value: "be brief"}
	g.Prompt = &rubric.Prompt{Text: "{{input}}|{{output}}|{{expected_output}}|{{criteria}}|{{rubric}}|{{tool_calls}}|{{question}}"}
	q := grade.Question(score.Spec, c, g, grade.Submission{Answer: "A"})
	if want := "Q|A|R|be kind|be kind\n\nbe brief|[]|Q"; q.User != want {
		t.Errorf("%q, want %q", q.User, want)
	}
}

// scriptGrader is a code grader by the rules of release 4.
func scriptGrader() *rubric.Grader {
	g := codeJudge()
	g.Assert = &rubric.Assertion{Type: "script"}
	return g
}

// TestScripts: the text a script prints is its finding and its exit code the
// verdict, unless it prints an object that says more, in the form of its version.
func TestScripts(t *testing.T) {
	quiet := func(stdout string, code int) grade.Output { return grade.Output{Stdout: []byte(stdout), Code: code} }
	const bom, none = "\ufeff", "the program printed neither `pass` nor `score` nor `checks`"
	for _, c := range []struct {
		name              string
		out               grade.Output
		spec, four, head  float64       // scores
		verdict           score.Verdict // under head
		specLine, newLine string        // the first finding, of the spec the reason for no grade; under head
	}{
		{"exit 0", quiet("", 0), 1, 1, 1, score.Pass, "", "the program exited with code 0"},
		{"exit 1", quiet("", 1), 0, 0, 0, score.Fail, "", "the program exited with code 1"},
		{"words", quiet(" all is well \n", 0), 1, 1, 1, score.Pass, "", "all is well"},
		{"words and exit 2", quiet("not well", 2), 0, 0, 0, score.Fail, "", "not well"},
		{"words in brackets", quiet("[info] well", 0), 1, 1, 1, score.Pass, "", "[info] well"},
		{"a number is words", quiet("0.4", 0), 1, 1, 1, score.Pass, "", "0.4"},
		{"an object and exit 2", quiet(`{"score":1}`, 2), 0, 0, 0, score.Fail, "the program exited with code 2", "the program exited with code 2"},
		{"complaints", grade.Output{Stderr: []byte("oh\n"), Code: 1}, 0, 0, 0, score.Fail, "the program exited with code 1: oh", "the program exited with code 1: oh"},
		{"ended by a signal", quiet("half of it", -1), 0, 0, 0, score.Fail, "the program exited with code -1", "half of it"},
		{"words and not run by a shell", quiet("half", 126), 0, 0, 0, score.Fail, "the program exited with code 126", "half"},
		{"words and the last code of its own", quiet("half", 125), 0, 0, 0, score.Fail, "", "half"},
		{"not found by a shell", quiet("", 127), 0, 0, 0, score.Fail, "the program exited with code 127", "the program exited with code 127"},
		{"after a byte order mark", quiet(bom+`{"score": 0}`, 0), 0, 0, 0, score.Fail, "", ""},
		{"after spaces of JavaScript", quiet("\u00a0\u2028"+bom+` {"score": 0}`, 0), 0, 0, 0, score.Fail, "", ""},
		{"broken JSON", quiet(`{"score": 0`, 0), 0, 1, 1, score.Pass, "the program printed no usable JSON object: it is not JSON: unexpected end of JSON input", `{"score": 0`},
		{"broken JSON and exit 1", quiet(`{"score": 1`, 1), 0, 0, 0, score.Fail, "the program exited with code 1", "the program exited with code 1"},
		{"an infinite score", quiet(`{"score": 1e999}`, 0), 0, 0, 0, score.Fail, "the program printed no usable JSON object: it is not JSON: ", "the program printed no usable JSON object: it is not JSON: "},
		{"a key twice", quiet(`{"score":0,"score":1}`, 0), 0, 1, 1, score.Pass, "the program printed no usable JSON object: it has the key `score` twice", ""},
		{"UTF-16", quiet("\xff\xfe{\x00}\x00", 0), 0, 1, 1, score.Pass, "what the program printed is not UTF-8", "\xff\xfe{\x00}\x00"},
		{"checks with scores", quiet(`{"pass":false,"score":0.4,"checks":[{"text":"A","pass":true,"score":1,"reason":""}]}`, 0), 0.4, 0.4, 0.4, score.Fail, "", "A"},
		{"checks", quiet(`{"checks":[{"text":"a","pass":true,"reason":"r"},{"text":"b","pass":false,"reason":"r"}]}`, 0), 0.5, 0, 0.5, score.Fail, "", "a: r"},
		{"a check without a reason", quiet(`{"pass":false,"checks":[{"text":"a","pass":true}]}`, 0), 1, 0, 0, score.Fail, "", ""},
		{"checks that are none", quiet(`{"checks":[{"text":"a","pass":true,"reason":"r"},{"text":"c"},3]}`, 0), 0, 0, 1, score.Pass, "check 2 of the program has no `text` and `pass`", "a: r"},
		{"release 4", quiet(`{"assertions":[{"text":"a","passed":1,"evidence":"e"},{"text":"b"}]}`, 0), 0, 0.5, 0, score.Fail, "check 1 of the program has no `text` and `pass`", none},
		{"release 4's empty word", quiet(`{"assertions":[{"text":"a","passed":""}]}`, 0), 0, 0, 0, score.Fail, "check 1 of the program has no `text` and `pass`", none},
		{"release 4's score", quiet(`{"pass":true,"score":0.79}`, 0), 0.79, 0.79, 0.79, score.Pass, "", ""},
		{"a verdict", quiet(`{"pass":true}`, 0), 1, 0, 1, score.Pass, "", ""},
		{"a verdict in words", quiet(`{"pass":"false","score":1}`, 0), 0, 1, 1, score.Pass, "the program's `pass` is `\"false\"`, not true or false", ""},
		{"a score in words", quiet(`{"pass":true,"score":"0.1"}`, 0), 0, 0, 1, score.Pass, "the program's `score` is `\"0.1\"`, not a number", ""},
		{"a verdict against its score", quiet(`{"pass":true,"score":0.1}`, 0), 0.1, 0.1, 0.1, score.Pass, "", ""},
		{"a score", quiet(`{"score":7,"details":{"k":1},"reason":"r"}`, 0), 1, 1, 1, score.Pass, "", ""},
		{"nothing in it", quiet(`{"score":null}`, 0), 0, 0, 0, score.Fail, none, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, exec := scriptGrader(), answering(c.out)
			for profile, want := range map[score.Profile]float64{score.Spec: c.spec, score.AgentV4: c.four, score.AgentVHead: c.head} {
				out := grade.Grade(t.Context(), grade.Ports{Exec: exec, Profile: profile}, &rubric.Case{}, g, grade.Submission{})
				r := out.Result
				line := ""
				if all := append(slices.Clone(r.Hits), r.Misses...); len(all) > 0 {
					line = all[0]
				}
				if number(r) != want || profile.IsReference() && r.Ungraded != "" || profile == score.Spec && !begins(r.Ungraded, c.specLine) {
					t.Errorf("%s: %v, want %v; ungraded %q", profile, number(r), want, r.Ungraded)
				}
				if profile == score.AgentVHead && (r.Verdict != c.verdict || !begins(line, c.newLine)) {
					t.Errorf("%s: %s %q", profile, r.Verdict, line)
				}
				if broken := c.name == "broken JSON" && profile.IsReference(); broken != (len(out.Problems) == 1) {
					t.Errorf("%s: problems %q", profile, out.Problems)
				}
			}
		})
	}
}

// begins reports whether text begins with what is wanted; nothing is wanted of an empty one.
func begins(text, wanted string) bool {
	return strings.HasPrefix(text, wanted) && (wanted != "" || text == "")
}

// TestScriptThatFailsItself: by the rules a case does not pass whose script says
// that it does not, whatever score it gives.
func TestScriptThatFailsItself(t *testing.T) {
	for stdout, want := range map[string]score.Verdict{`{"pass":false,"score":1}`: score.Fail, `{"pass":true,"score":1}`: score.Pass} {
		exec := answering(grade.Output{Stdout: []byte(stdout)})
		out := grade.Grade(t.Context(), grade.Ports{Exec: exec}, &rubric.Case{}, scriptGrader(), grade.Submission{})
		if c := score.Case(score.Spec, nil, []score.WeightedResult{{Name: out.Name, Weight: 1, Result: out.Result}}); c.Verdict != want {
			t.Errorf("%s: the case is %s, reasons %q", stdout, c.Verdict, c.Reasons)
		}
	}
}

func TestScriptsThatCannotRun(t *testing.T) {
	idle := scriptGrader()
	idle.Code = nil
	unencodable := scriptGrader()
	unencodable.Code.Config = map[string]any{"f": func() {}}
	for _, c := range []struct {
		g    *rubric.Grader
		exec grade.Exec
		says string
	}{
		{scriptGrader(), nil, "programs run only with `rubric run FILE --allow-exec`"},
		{idle, program("", 0, nil), "it names no program to run"},
		{scriptGrader(), program("", 0, errNotThere), "run `judge`: not there"},
		{unencodable, program("", 0, nil), "the program's input cannot be encoded as JSON: json: unsupported type: func()"},
	} {
		if r := grade.Grade(t.Context(), grade.Ports{Exec: c.exec}, &rubric.Case{}, c.g, grade.Submission{}).Result; r.Ungraded != c.says {
			t.Errorf("%q, want %q", r.Ungraded, c.says)
		}
	}
}

func TestScriptInput(t *testing.T) {
	var stdin []byte
	g := scriptGrader()
	g.Code.Config = map[string]any{"k": 1}
	c := &rubric.Case{ExpectedOutcome: "be kind"}
	sub := grade.Submission{Answer: "A", Trace: &grade.Trace{CostUSD: at(0.5)}}
	grade.Grade(t.Context(), grade.Ports{Exec: listening(&stdin)}, c, g, sub)
	var input map[string]any
	if err := json.Unmarshal(stdin, &input); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"criteria": "be kind", "output": "A", "cost_usd": 0.5, "metadata": nil, "workspace_path": nil, "duration_ms": nil,
	} {
		if got, ok := input[key]; !ok || got != want {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	if len(input) != 18 || input["config"].(map[string]any)["k"] != 1.0 {
		t.Errorf("told %v", input)
	}
	g.Code.Config = map[string]any{}
	grade.Grade(t.Context(), grade.Ports{Exec: listening(&stdin)}, c, g, sub)
	if !strings.Contains(string(stdin), `"config": null`) {
		t.Errorf("of no settings it is told %s", stdin)
	}
}

// TestSharedThreshold: the suite's threshold moves the gates of no test in release 4, and in every other profile it does.
func TestSharedThreshold(t *testing.T) {
	g := assertion(rubric.Contains, "a", "")
	g.Required = true
	for _, c := range []struct {
		profile score.Profile
		shared  bool
		want    float64
	}{{score.AgentV4, true, 0.8}, {score.AgentV4, false, 0.5}, {score.AgentVHead, true, 0.5}, {score.Spec, true, 0.5}} {
		r := grade.Grade(t.Context(), grade.Ports{Profile: c.profile}, &rubric.Case{Threshold: at(0.5), SharedThreshold: c.shared}, g, grade.Submission{Answer: "a"}).Result
		if len(r.Gates) != 1 || *r.Gates[0].Minimum != c.want {
			t.Errorf("%s, shared: %v: %+v, want %v", c.profile, c.shared, r.Gates, c.want)
		}
	}
}
