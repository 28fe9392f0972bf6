package grade_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func TestExtract(t *testing.T) {
	for reply, want := range map[string]any{
		`{"a":1}`:                          map[string]any{"a": 1.0},
		"```json\n{\"a\":1}\n``` bye":      map[string]any{"a": 1.0},
		"\ufeff{\"a\":1}":                  map[string]any{"a": 1.0},
		`{"a":1} bye`:                      map[string]any{"a": 1.0},
		`Well: {"a":"}{"} and so on`:       map[string]any{"a": "}{"},
		"```\n[1, 2]\n```":                 []any{1.0, 2.0},
		" 5 ":                              5.0,
		"```json\n\"a\"\n```":              "a",
		"":                                 nil,
		"``` ```":                          nil,
		"no":                               nil,
		"} {":                              nil,
		`{"a":1} {"b":2}`:                  nil,
		`{"a":1,}`:                         nil,
		`{'a':1}`:                          nil,
		strings.Repeat(`{"a":`, 20000):     nil,
		`{"a":` + strings.Repeat("9", 400): nil,
	} {
		got, err := grade.ExtractJSON(reply)
		if (err != nil) != (want == nil) || !reflect.DeepEqual(got, want) {
			t.Errorf("%.40q holds %v, %v; want %v", reply, got, err, want)
		}
	}
}

// TestOneValue: a reply is one JSON value, alone or in one fence at its end.
func TestOneValue(t *testing.T) {
	object := map[string]any{"a": 1.0}
	for reply, want := range map[string]any{
		`{"a":1}`:                    object,
		" \ufeff{\"a\":1}\n":         object,
		"```json\n{\"a\":1}\n```\n":  object,
		"```{\"a\":1}```":            object,
		"Here:\n```\n{\"a\":1}\n```": object,
		"{\"a\":\"```\\n{}\\n```\"}": map[string]any{"a": "```\n{}\n```"},
		`[{"a":1},{"a":1}]`:          []any{object, object},
		"<think>\nIs it {\"a\":2}?\n</think>\n\n{\"a\":1}": object,
		`{"a":1,"A":2}`: map[string]any{"a": 1.0, "A": 2.0},

		"":                                       "it is empty",
		"``` ```":                                "it is empty",
		"<think>It is {\"a\":1}":                 "it has text around its JSON: ",
		"<think>no</think>":                      "it is empty",
		"<think>\"</think>{}\"</think>{\"a\":1}": "it is not JSON: ",
		"no":                                     "it is not JSON: it begins with `no`",
		`{"a":1} {"b":2}`:                        "it is not JSON: ",
		`{"a":1} and so on`:                      "it is not JSON: ",
		`Well: {"a":1}`:                          "it has text around its JSON: it begins with `Well: {",
		"```\n{\"a\":1}\n```\nBye":               "it has text around its JSON: ",
		"Not {this}:\n```\n{\"a\":1}\n```":       "it has text around its JSON: ",
		"```\n{}\n```\n```\n{\"a\":1}\n```":      "it is not JSON: ",
		`{"a":1,"a":1}`:                          "it has the key `a` twice in one object",
		`{"b":[1e3,{"a":1,"\u0061":2}]}`:         "it has the key `a` twice in one object",
		strings.Repeat(`{"a":`, 20000):           "it is not JSON: ",
		`{"a":` + strings.Repeat("9", 400):       "it is not JSON: ",
	} {
		got, err := grade.DecodeOneValue(reply)
		says, wrong := want.(string)
		if wrong && (err == nil || !strings.HasPrefix(err.Error(), says)) || !wrong && (err != nil || !reflect.DeepEqual(got, want)) {
			t.Errorf("%.40q holds %v, %v; want %v", reply, got, err, want)
		}
	}
}

// TestDecodeForms: each criterion is graded in its own form, and only whole
// numbers from 0 to 10 are scores.
func TestDecodeForms(t *testing.T) {
	g := mixed()
	reply := func(score string) string {
		return `{"checks":[{"id":"b","score":` + score + `},{"id":"a","satisfied":false}],"overall_reasoning":"o"}`
	}
	d := grade.DecodeReply(score.Spec, g.Criteria, reply("10"))
	if len(d.Problems) > 0 || d.Grades[0].ID != "a" || *d.Grades[0].Satisfied || *d.Grades[1].Score != 10 || d.Reasoning != "o" {
		t.Errorf("%+v", d)
	}
	for _, bad := range []string{"7.5", "11", "-1", `"8"`, "null", "true", "[]"} {
		d := grade.DecodeReply(score.Spec, g.Criteria, reply(bad))
		if len(d.Problems) != 1 || !strings.Contains(d.Problems[0], "criterion `b`: `score` is ") || d.Grades[1].Ungraded == "" || d.Grades[0].Ungraded != "" {
			t.Errorf("%s: %+v", bad, d)
		}
		all10 := strings.Replace(reply(bad), `"satisfied":false`, `"score":10`, 1)
		if a := grade.DecodeReply(score.AgentV, g.Criteria, all10); len(a.Problems) != 1 || len(a.Grades) > 0 {
			t.Errorf("%s, to the reference: %+v", bad, a)
		}
	}
	if d := grade.DecodeReply(score.Spec, g.Criteria, reply("0")); len(d.Problems) > 0 || *d.Grades[1].Score != 0 {
		t.Errorf("0 of 10: %+v", d)
	}
	if d := grade.DecodeReply(score.Spec, nil, `{"score":0}`); len(d.Problems) > 0 || *d.Score != 0 {
		t.Errorf("0 of 1: %+v", d)
	}
	if r := grade.DecodeReply(score.Spec, nil, `{"ungraded":"too long"}`).Result(score.Spec, nil); r.Ungraded != "too long" {
		t.Errorf("declined: %+v", r)
	}
	for value, want := range map[string]string{strings.Repeat("x", 40): "`\"" + strings.Repeat("x", 40) + "\"`", strings.Repeat("x", 41): "a long string"} {
		if d := grade.DecodeReply(score.Spec, nil, `{"score":"`+value+`"}`); !strings.HasPrefix(d.Problems[0], "`score` is "+want+", not a number") {
			t.Errorf("%d characters: %q", len(value), d.Problems)
		}
	}
	twins := []*rubric.Criterion{{ID: "a", Text: "first", Weight: 1}, {ID: "a", Text: "second", Weight: 1}}
	d = grade.DecodeReply(score.Spec, twins, `{"checks":[{"id":"a","satisfied":true},{"id":"a","satisfied":false}]}`)
	if len(d.Problems) > 0 || !*d.Grades[0].Satisfied || *d.Grades[1].Satisfied {
		t.Errorf("criteria that share an id have a grade each: %+v", d)
	}
}

// TestDecodeFindings: what is no finding is named by its place, and the reference keeps eight.
func TestDecodeFindings(t *testing.T) {
	d := grade.DecodeReply(score.AgentV4, nil, `{"score":1,"assertions":[{"text":"a"},{"text":"b","passed":true},3]}`)
	if want := []string{"assertion 1 needs a `text` and `passed`", "assertion 3 needs a `text` and `passed`"}; !slices.Equal(d.Problems, want) {
		t.Errorf("%q, want %q", d.Problems, want)
	}
	d = grade.DecodeReply(score.AgentVHead, nil, `{"pass":true,"checks":[1,{"pass":true},{"pass":[]}]}`)
	if want := []string{"check 1 is not an object with a verdict", "check 3 is not an object with a verdict"}; !slices.Equal(d.Problems, want) {
		t.Errorf("%q, want %q", d.Problems, want)
	}
	nine := strings.Repeat(`{"text":"a","passed":true},`, 9)
	if d := grade.DecodeReply(score.AgentV4, nil, `{"score":1,"assertions":[`+nine[:len(nine)-1]+`]}`); len(d.Hits) != 8 {
		t.Errorf("%d of 9 are kept", len(d.Hits))
	}
}

// FuzzDecode: whatever a judge says, nobody panics, no grade is for an id that
// was not asked about, and the score stays between 0 and 1.
func FuzzDecode(f *testing.F) {
	for _, reply := range []string{
		both, onlyA, wrongID, twice, scored, "", "{", "[]", "null", "}{", `{"checks":5}`, `{"score":2}`, "\ufeff{}", `{"checks":[null,{"id":7}]}`,
		`{"checks":[{"id":"zz","score":3,"reasoning":""},{"id":"c","score":3,"reasoning":""}],"overall_reasoning":""}`,
		`{"checks":[{"id":"c","score":1e999}]}`, `{"score":0.5,"hits":["a",null],"misses":{}}`,
	} {
		f.Add(reply)
	}
	checks := two().Criteria
	ranged := append(two().Criteria, &rubric.Criterion{ID: "c", Weight: 2, Bands: []rubric.Band{{Hi: 10}}})
	f.Fuzz(func(t *testing.T, reply string) {
		for _, profile := range []score.Profile{score.Spec, score.AgentV} {
			for _, criteria := range [][]*rubric.Criterion{checks, ranged} {
				d := grade.DecodeReply(profile, criteria, reply)
				for _, g := range d.Grades {
					if !slices.ContainsFunc(criteria, func(c *rubric.Criterion) bool { return c.ID == g.ID }) {
						t.Fatalf("a grade for %q", g.ID)
					}
				}
				if profile == score.Spec && len(d.Grades) != len(criteria) {
					t.Fatalf("%d grades", len(d.Grades))
				}
				r := score.Rubric(profile, criteria, d.Grades)
				if !(number(r) >= 0 && number(r) <= 1) {
					t.Fatalf("a score of %v", number(r))
				}
				if profile == score.Spec && r.Verdict != score.Fail && r.Verdict != score.Ungraded && slices.ContainsFunc(d.Grades, func(g score.Grade) bool { return g.Ungraded != "" }) {
					t.Fatalf("%s with something ungraded", r.Verdict)
				}
			}
			free := grade.DecodeReply(profile, nil, reply)
			if free.Score != nil && !(*free.Score >= 0 && *free.Score <= 1) || free.Score == nil && len(free.Problems) == 0 {
				t.Fatalf("a score of %v, problems %q", free.Score, free.Problems)
			}
		}
	})
}
