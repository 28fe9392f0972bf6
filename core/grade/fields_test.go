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

func parsed(text string) any {
	var v any
	_ = json.Unmarshal([]byte(text), &v)
	return v
}

// expecting is a case whose expected answer is this JSON.
func expecting(text string) *rubric.Case {
	return &rubric.Case{Expected: []rubric.Message{{Role: "assistant", Content: parsed(text)}}}
}

// field is one that is required and weighs 1.
func field(path, match string) rubric.Field {
	return rubric.Field{Path: path, Match: match, Required: true, Weight: 1}
}

func near(path string, tolerance float64, relative bool) rubric.Field {
	f := field(path, "numeric_tolerance")
	f.Tolerance, f.Relative = tolerance, relative
	return f
}

func date(path string, formats ...string) rubric.Field {
	f := field(path, "date")
	f.Formats = formats
	return f
}

const order = `{"total": 100, "zero": 0, "one": 1, "day": "2026-03-14", "us": "03/04/2026", "name": "Ann", "null": null,
	"lines": [{"n": 1, "tags": ["a", "b"]}], "text": "12.5 EUR", "at": "2026-03-14T23:30:00-05:00", "odd": "soon",
	"none": [], "list": [1, 2], "empty": {}}`

// TestField compares one field by each profile.
func TestField(t *testing.T) {
	for _, c := range []struct {
		name         string
		answer       string
		field        rubric.Field
		spec, agentv float64
	}{
		{"exact", `{"name": "Ann"}`, field("name", "exact"), 1, 1},
		{"exact, another", `{"name": "ann"}`, field("name", "exact"), 0, 0},
		{"in a fence", "```json\n{\"name\": \"Ann\"}\n```", field("name", "exact"), 1, 1},
		{"in prose", "Here: {\"name\": \"Ann\"} Bye.", field("name", "exact"), 1, 1},
		{"a number is no text", `{"total": "100"}`, field("total", "exact"), 0, 0},
		{"null is null", `{"null": null}`, field("null", "exact"), 1, 1},
		{"a list in order", `{"lines": [{"n": 1.0, "tags": ["a", "b"]}]}`, field("lines", "exact"), 1, 1},
		{"a list in another order", `{"lines": [{"n": 1, "tags": ["b", "a"]}]}`, field("lines", "exact"), 0, 0},
		{"more keys", `{"lines": [{"n": 1, "tags": ["a", "b"], "x": 0}]}`, field("lines", "exact"), 0, 0},
		{"fewer keys", `{"lines": [{"n": 1}]}`, field("lines", "exact"), 0, 0},
		{"deep", `{"lines": [{"n": 1}]}`, field("lines[0].n", "exact"), 1, 1},
		{"deep, with dots", `{"lines": [{"n": 1}]}`, field("lines.0.n", "exact"), 1, 1},
		{"beyond the end", `{"lines": []}`, field("lines[0].n", "exact"), 0, 0},
		{"through a text", `{"lines": "x"}`, field("lines[0].n", "exact"), 0, 0},
		{"an empty list", `{"none": []}`, field("none", "exact"), 1, 1},
		{"an empty list, a text", `{"none": "x"}`, field("none", "exact"), 0, 0},
		{"a list and one more", `{"list": [1, 2, 3]}`, field("list", "exact"), 0, 0},
		{"a list and one less", `{"list": [1]}`, field("list", "exact"), 0, 0},
		{"an empty object, a text", `{"empty": "x"}`, field("empty", "exact"), 0, 0},
		{"an empty object and a key", `{"empty": {"a": 1}}`, field("empty", "exact"), 0, 0},
		{"missing", `{}`, field("name", "exact"), 0, 0},
		{"no JSON", `Ann`, field("name", "exact"), 0, 0},
		{"an unknown way", `{"name": "Ann"}`, field("name", "fuzzy"), 0, 0},

		{"near enough", `{"total": 100.4}`, near("total", 0.5, false), 1, 1},
		{"just near enough", `{"total": 101}`, near("total", 1, false), 1, 1},
		{"not near enough", `{"total": 101}`, near("total", 0.5, false), 0, 0},
		{"1.1 is within 0.1 of 1", `{"one": 1.1}`, near("one", 0.1, false), 1, 0},
		{"a number in quotes", `{"total": "104"}`, near("total", 0.05, true), 1, 1},
		{"too far in proportion", `{"total": 106}`, near("total", 0.05, true), 0, 0},
		{"129 is within 0.29 of 100", `{"total": 129}`, near("total", 0.29, true), 1, 1},
		{"of 0 there is no proportion", `{"zero": 0.1}`, near("zero", 0.1, true), 1, 1},
		{"a number and a unit", `{"text": "12.5"}`, near("text", 0, false), 0, 1},
		{"a sign and no number", `{"total": "-"}`, near("total", 1000, false), 0, 0},
		{"a text", `{"total": "much"}`, near("total", 1, false), 0, 0},
		{"a text is expected", `{"name": 1}`, near("name", 1, false), 0, 0},

		{"the same day", `{"day": "14-MAR-2026"}`, date("day"), 1, 1},
		{"the same day in words", `{"day": "March 14, 2026"}`, date("day"), 1, 1},
		{"the same day, with a time", `{"day": "2026-03-14 09:00:00"}`, date("day"), 1, 1},
		{"another day", `{"day": "2026-03-15"}`, date("day"), 0, 0},
		{"a day is the one in UTC", `{"at": "2026-03-15"}`, date("at"), 1, 1},
		{"no date", `{"day": "soon"}`, date("day"), 0, 0},
		{"no date is expected", `{"odd": "2026-03-14"}`, date("odd"), 0, 0},
		{"the month first by default", `{"us": "2026-03-04"}`, date("us"), 1, 1},
		{"the day first if it must be", `{"day": "14/03/2026"}`, date("day"), 1, 1},
		{"the day first if asked", `{"us": "2026-04-03"}`, date("us", "DD/MM/YYYY"), 1, 0},
		{"no day first if not asked", `{"day": "14/03/2026"}`, date("day", "MM/DD/YYYY"), 0, 0},
		{"either first if asked", `{"day": "14/03/2026"}`, date("day", "MM/DD/YYYY", "DD/MM/YYYY"), 1, 1},
		{"either first with dashes", `{"day": "14-03-2026"}`, date("day", "MM-DD-YYYY", "DD-MM-YYYY"), 1, 1},
		{"another format", `{"day": "14.03.26"}`, date("day", "DD.MM.YY"), 1, 0},
	} {
		g := &rubric.Grader{Kind: rubric.FieldAccuracy, Fields: []rubric.Field{c.field}}
		for profile, want := range map[score.Profile]float64{score.Spec: c.spec, score.AgentV: c.agentv} {
			r := graded(t, profile, expecting(order), g, grade.Submission{Answer: c.answer})
			if number(r) != want || r.Ungraded != "" || len(r.Hits)+len(r.Misses) != 1 {
				t.Errorf("%s, %s: %v, want %v: %q %q %s", c.name, profile, number(r), want, r.Hits, r.Misses, r.Ungraded)
			}
		}
	}
}

// TestFieldsWithoutExpectedValue: only the reference counts what it cannot compare.
func TestFieldsWithoutExpectedValue(t *testing.T) {
	gone, wrong := field("gone.too", "exact"), field("name", "exact")
	gone.Weight = 3
	for _, c := range []struct {
		profile  score.Profile
		fields   []rubric.Field
		want     float64
		ungraded bool
	}{
		{score.Spec, []rubric.Field{gone}, 0, true},
		{score.AgentV, []rubric.Field{gone}, 1, false},
		{score.Spec, []rubric.Field{gone, wrong}, 0, false},
		{score.AgentV, []rubric.Field{gone, wrong}, 0.75, false},
	} {
		for _, all := range []bool{false, true} {
			want := c.want
			if all && len(c.fields) == 2 {
				want = 0
			}
			g := &rubric.Grader{Kind: rubric.FieldAccuracy, Fields: c.fields, AllOrNothing: all}
			r := graded(t, c.profile, expecting(order), g, grade.Submission{Answer: `{"name": "Nobody"}`})
			if number(r) != want || (r.Ungraded != "") != c.ungraded {
				t.Errorf("%s, %d fields, all or nothing %t: %v %q", c.profile, len(c.fields), all, number(r), r.Ungraded)
			}
		}
	}
}

// TestFieldsTogether: fields are weighed, and seven, one and two tenths are one.
func TestFieldsTogether(t *testing.T) {
	weighing := func(path string, weight float64, required bool) rubric.Field {
		return rubric.Field{Path: path, Match: "exact", Weight: weight, Required: required}
	}
	const abc = `{"a":1,"b":1,"c":1}`
	for _, c := range []struct {
		name         string
		all          bool
		fields       []rubric.Field
		answer       string
		score        float64
		spec, agentv score.Verdict
	}{
		{"decimals", false, []rubric.Field{weighing("a", .7, true), weighing("b", .1, true), weighing("c", .2, true)}, `{"a":1,"b":1}`, 0.8, score.Pass, score.Borderline},
		{"two to one", false, []rubric.Field{weighing("a", 2, true), weighing("b", 1, true)}, `{"a":1,"b":2}`, 2.0 / 3, score.Borderline, score.Borderline},
		{"an optional one is left out", false, []rubric.Field{weighing("a", 1, true), weighing("b", 9, false)}, `{"a":1}`, 1, score.Pass, score.Pass},
		{"an optional one that is wrong", false, []rubric.Field{weighing("a", 1, true), weighing("b", 1, false)}, `{"a":1,"b":2}`, 0.5, score.Fail, score.Fail},
		{"all", true, []rubric.Field{weighing("a", 1, true), weighing("b", 9, false)}, `{"a":1}`, 1, score.Pass, score.Pass},
		{"all but one is nothing", true, []rubric.Field{weighing("a", 9, true), weighing("b", 1, true)}, `{"a":1}`, 0, score.Fail, score.Fail},
	} {
		g := &rubric.Grader{Kind: rubric.FieldAccuracy, Fields: c.fields, AllOrNothing: c.all}
		for profile, want := range map[score.Profile]score.Verdict{score.Spec: c.spec, score.AgentV: c.agentv} {
			r := graded(t, profile, expecting(abc), g, grade.Submission{Answer: c.answer})
			if diff := number(r) - c.score; r.Verdict != want || diff > 1e-12 || diff < -1e-12 {
				t.Errorf("%s, %s: %v %s, want %v %s", c.name, profile, number(r), r.Verdict, c.score, want)
			}
		}
	}
	weightless := &rubric.Grader{Kind: rubric.FieldAccuracy, Fields: []rubric.Field{weighing("a", 1, false)}}
	if r := graded(t, score.Spec, expecting(abc), weightless, grade.Submission{Answer: `{}`}); !strings.Contains(r.Ungraded, "has a weight to count") {
		t.Errorf("when nothing counts nothing is judged: %+v", r)
	}
	if r := graded(t, score.AgentV, expecting(abc), weightless, grade.Submission{Answer: `{}`}); number(r) != 0 || r.Ungraded != "" {
		t.Errorf("to the reference it is a 0: %+v", r)
	}
	one := &rubric.Grader{Kind: rubric.FieldAccuracy, Fields: []rubric.Field{weighing("a", 1, true), weighing("b", 1, true)}}
	if r := graded(t, score.Spec, expecting(abc), one, grade.Submission{Answer: `{"a":1}`}); r.Reasoning != "1 of 2 fields match" {
		t.Errorf("%q", r.Reasoning)
	}
	for _, path := range []string{"", "x", "l[x]", "l[1]", "l[-1]", "a.b"} {
		if v, ok := grade.LookupPath(parsed(`{"a":1,"l":[1]}`), path); ok {
			t.Errorf("%q leads to %v", path, v)
		}
	}
	var many []rubric.Field
	for range 6 {
		many = append(many, weighing("a", 1, true))
	}
	r := graded(t, score.Spec, expecting(abc), &rubric.Grader{Kind: rubric.FieldAccuracy, Fields: many}, grade.Submission{Answer: abc})
	if len(r.Hits) != 4 || r.Reasoning != "6 of 6 fields match" {
		t.Errorf("four are shown and all are counted: %q %q", r.Hits, r.Reasoning)
	}
	if r := graded(t, score.AgentV, expecting(abc), &rubric.Grader{Kind: rubric.FieldAccuracy}, grade.Submission{Answer: abc}); number(r) != 1 {
		t.Errorf("no fields are no fault to the reference: %+v", r)
	}
}

// TestExpectedData: the last expected answer that holds data is the one compared with.
func TestExpectedData(t *testing.T) {
	message := func(role string, content any) rubric.Message { return rubric.Message{Role: role, Content: content} }
	g := &rubric.Grader{Kind: rubric.FieldAccuracy, Fields: []rubric.Field{field("a", "exact")}}
	for _, c := range []struct {
		name     string
		expected []rubric.Message
		miss     bool
		ungraded bool
	}{
		{"an object", []rubric.Message{message("assistant", map[string]any{"a": 1})}, false, false},
		{"whole numbers from a file", []rubric.Message{message("assistant", map[string]any{"a": uint64(1)})}, false, false},
		{"JSON in a text", []rubric.Message{message("assistant", `{"a": 1}`)}, false, false},
		{"the last", []rubric.Message{message("assistant", `{"a": 1}`), message("assistant", `{"a": 2}`)}, true, false},
		{"the last that holds data", []rubric.Message{message("assistant", `{"a": 1}`), message("assistant", `done`)}, false, false},
		{"another's", []rubric.Message{message("assistant", `{"a": 1}`), message("user", `{"a": 2}`)}, false, false},
		{"nothing but prose", []rubric.Message{message("assistant", `done`)}, false, true},
		{"nothing", nil, false, true},
	} {
		c2 := &rubric.Case{Expected: c.expected}
		r := graded(t, score.Spec, c2, g, grade.Submission{Answer: `{"a": 1}`})
		if (len(r.Misses) > 0) != c.miss || (r.Ungraded != "") != c.ungraded {
			t.Errorf("%s: %+v", c.name, r)
		}
		if a := graded(t, score.AgentV, c2, g, grade.Submission{Answer: `{"a": 1}`}); a.Ungraded != "" || (number(a) == 1) != (number(r) == 1) {
			t.Errorf("%s, to the reference: %+v", c.name, a)
		}
	}
}

// TestAnswerIsAList: a list of objects is data like any other.
func TestAnswerIsAList(t *testing.T) {
	second := &rubric.Grader{Kind: rubric.FieldAccuracy, Fields: []rubric.Field{field("[1].n", "exact")}}
	for _, answer := range []string{`[{"n":1},{"n":2}]`, "```json\n[{\"n\":1},{\"n\":2}]\n```"} {
		if r := graded(t, score.Spec, expecting(`[{"n":1},{"n":2}]`), second, grade.Submission{Answer: answer}); !slices.Equal(r.Hits, []string{"[1].n"}) {
			t.Errorf("%s: %+v", answer, r)
		}
		if r := graded(t, score.AgentV, expecting(`[{"n":1},{"n":2}]`), second, grade.Submission{Answer: answer}); number(r) != 0 {
			t.Errorf("%s, to the reference: %+v", answer, r)
		}
	}
}

// TestLongNumbers: a text of any length is read as a number in one pass.
func TestLongNumbers(t *testing.T) {
	for text, want := range map[string]float64{
		"5 apples": 1, "5": 1, "5.0e0.1": 1, strings.Repeat("+-", 1<<20): 0, "5" + strings.Repeat("0", 1<<20): 0, "e5": 0,
	} {
		g := &rubric.Grader{Kind: rubric.FieldAccuracy, Fields: []rubric.Field{near("n", 0, false)}}
		if r := graded(t, score.AgentV, expecting(`{"n": 5}`), g, grade.Submission{Answer: `{"n": "` + text + `"}`}); number(r) != want {
			t.Errorf("%.20q scores %v, want %v: %.80q", text, number(r), want, r.Misses)
		}
	}
}
