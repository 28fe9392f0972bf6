package grade_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// optional is a rubric with the checks a and b, of which none is required.
func optional(name string, a, b float64) *rubric.Grader {
	return &rubric.Grader{Name: name, Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{
		{ID: "a", Text: "Greets", Weight: a, Required: new(bool)}, {ID: "b", Text: "Thanks", Weight: b, Required: new(bool)},
	}}
}

// leveled is a rubric with the criterion s of 0 to 10.
func leveled(name string) *rubric.Grader {
	return &rubric.Grader{Name: name, Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{
		{ID: "s", Text: "Is clear", Weight: 1, Bands: []rubric.Band{{Lo: 0, Hi: 10}}},
	}}
}

func whole(name string) *rubric.Grader {
	return &rubric.Grader{Name: name, Kind: rubric.Latency, Weight: 1}
}

func says(grader, id string, satisfied bool) grade.ManualGrade {
	return grade.ManualGrade{Grader: grader, ID: id, Satisfied: &satisfied}
}

func scores(grader, id string, value float64) grade.ManualGrade {
	return grade.ManualGrade{Grader: grader, ID: id, Score: &value}
}

func TestScoreManually(t *testing.T) {
	type graders = []*rubric.Grader
	for _, tt := range []struct {
		name    string
		graders graders
		grades  []grade.ManualGrade
		want    string // each grader's verdict
	}{
		{"of all criteria", graders{optional("r", 4, 1)}, []grade.ManualGrade{says("", "a", true), says("", "b", false)}, "r pass"},
		{"of one", graders{optional("r", 4, 1)}, []grade.ManualGrade{says("", "a", true)}, "r ungraded"},
		{"of two graders", graders{leveled("r"), leveled("s")}, []grade.ManualGrade{scores("", "s", 7)}, "r borderline, s borderline"},
		{"of the second grader", graders{leveled("r"), leveled("s")}, []grade.ManualGrade{scores("s", "s", 7)}, "r ungraded, s borderline"},
		{"the last one counts", graders{leveled("r")}, []grade.ManualGrade{scores("", "s", 7), scores("", "s", 9)}, "r pass"},
		{"an empty one does not count", graders{leveled("r")}, []grade.ManualGrade{scores("", "s", 7), {ID: "s"}}, "r borderline"},
		{"of whole graders", graders{whole("p"), whole("q")}, []grade.ManualGrade{scores("q", "", 0.2), scores("p", "", 1)}, "p pass, q fail"},
		{"of one whole grader", graders{whole("p"), whole("q")}, []grade.ManualGrade{scores("q", "", 1)}, "p ungraded, q pass"},
		{"of a whole grader without a score", graders{whole("p")}, []grade.ManualGrade{says("p", "", true)}, "p ungraded"},
	} {
		r, err := grade.ScoreManually(&rubric.Case{ID: "c", Graders: tt.graders}, tt.grades)
		var got []string
		for _, g := range r.Graders {
			got = append(got, g.Name+" "+string(g.Verdict))
			if (g.Score == nil) != (g.Verdict == score.Ungraded) {
				t.Errorf("%s: %+v", tt.name, g)
			}
		}
		if err != nil || strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
	half := 0.5
	r, err := grade.ScoreManually(&rubric.Case{Threshold: &half, Graders: []*rubric.Grader{whole("p"), optional("r", 1, 1)}}, []grade.ManualGrade{scores("p", "", 1), says("", "a", false), says("", "b", false)})
	if err != nil || *r.Score != 0.5 || r.Verdict != score.Pass || r.Ungraded != 0 || len(r.Misses) != 2 || len(r.Reasons) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, tt := range []struct {
		grade grade.ManualGrade
		want  string
	}{
		{says("", "aa", true), "the case `c` has no criterion `aa`"},
		{says("other", "a", true), "the case `c` has no criterion `a`"},
		{scores("rubrik", "", 1), "the case `c` has no grader `rubrik`; did you mean `rubric`?"},
	} {
		c := &rubric.Case{ID: "c", Graders: []*rubric.Grader{optional("rubric", 1, 1)}}
		if _, err := grade.ScoreManually(c, []grade.ManualGrade{says("", "a", true), tt.grade}); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.grade, err, tt.want)
		}
		if _, err := grade.FindFlips(c, []grade.ManualGrade{tt.grade}); err == nil {
			t.Errorf("%+v: no error from FindFlips", tt.grade)
		}
	}
}

// TestFindFlips: of each grade the nearest other level that leads to each other verdict.
func TestFindFlips(t *testing.T) {
	type graders = []*rubric.Grader
	one := 1.0
	for _, tt := range []struct {
		name   string
		c      rubric.Case
		grades []grade.ManualGrade
		want   []string
	}{
		{"checks", rubric.Case{Graders: graders{optional("r", 4, 1)}}, []grade.ManualGrade{says("", "a", true), says("", "b", false)}, []string{"r/a no: 0 fail"}},
		{"checks that are not satisfied", rubric.Case{Graders: graders{optional("r", 4, 1)}}, []grade.ManualGrade{says("", "a", false), says("", "b", false)}, []string{"r/a yes: 0.8 pass"}},
		{"next to a criterion without a grade", rubric.Case{Graders: graders{{Name: "r", Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{{ID: "a", Weight: 1, Required: new(true)}, {ID: "b", Weight: 1, Required: new(true)}}}}}, []grade.ManualGrade{says("", "a", false)}, []string{"r/a yes: -1 ungraded"}},
		{"a level", rubric.Case{Graders: graders{leveled("r")}}, []grade.ManualGrade{scores("", "s", 7)}, []string{"r/s 8: 0.8 pass", "r/s 5: 0.5 fail"}},
		{"a level that is wrongly satisfied", rubric.Case{Graders: graders{leveled("r")}}, []grade.ManualGrade{says("", "s", true)}, []string{"r/s 10: 1 pass", "r/s 7: 0.7 borderline", "r/s 5: 0.5 fail"}},
		{"a level that is wrongly not satisfied", rubric.Case{Graders: graders{leveled("r")}}, []grade.ManualGrade{says("", "s", false)}, []string{"r/s 0: 0 fail", "r/s 6: 0.6 borderline", "r/s 8: 0.8 pass"}},
		{"a whole grader", rubric.Case{Graders: graders{whole("p")}}, []grade.ManualGrade{scores("p", "", 0.7)}, []string{"p/ 0.8: 0.8 pass", "p/ 0.55: 0.55 fail"}},
		{"a whole grader that has to reach 1", rubric.Case{Graders: graders{whole("p")}, Threshold: &one}, []grade.ManualGrade{scores("p", "", 0.9)}, []string{"p/ 1: 1 pass", "p/ 0.55: 0.55 fail"}},
		{"a grader that says yes or no", rubric.Case{Graders: graders{{Name: "contains", Kind: rubric.Deterministic, Weight: 1}}}, []grade.ManualGrade{scores("contains", "", 1)}, []string{"contains/ 0: 0 fail"}},
		{"an empty grade before another", rubric.Case{Graders: graders{leveled("r")}}, []grade.ManualGrade{{ID: "s"}, scores("", "s", 9)}, []string{"r/s 7: 0.7 borderline", "r/s 5: 0.5 fail"}},
		{"the first grader with the criterion", rubric.Case{Graders: graders{whole("p"), leveled("r"), leveled("s")}}, []grade.ManualGrade{scores("", "s", 9), scores("p", "", 1)}, []string{
			"r/s 6: 0.733 borderline", "r/s 3: 0.533 fail", "p/ 0.55: 0.783 borderline",
		}},
		{"the grader that is named", rubric.Case{Graders: graders{leveled("r"), leveled("s")}}, []grade.ManualGrade{scores("s", "s", 9), scores("r", "s", 9)}, []string{
			"s/s 6: 0.75 borderline", "s/s 2: 0.55 fail", "r/s 6: 0.75 borderline", "r/s 2: 0.55 fail",
		}},
		{"a grader with criteria as a whole", rubric.Case{Graders: graders{leveled("r")}}, []grade.ManualGrade{scores("", "s", 9), scores("r", "", 1)}, []string{"r/s 7: 0.7 borderline", "r/s 5: 0.5 fail"}},
	} {
		flips, err := grade.FindFlips(&tt.c, tt.grades)
		var got []string
		for _, f := range flips {
			level := map[bool]string{true: "yes", false: "no"}[f.Satisfied != nil && *f.Satisfied]
			if f.Score != nil {
				level = fmt.Sprint(*f.Score)
			}
			if f.CaseScore == nil {
				f.CaseScore = new(-1.0)
			}
			got = append(got, fmt.Sprintf("%s/%s %s: %.3g %s", f.Grader, f.ID, level, *f.CaseScore, f.Verdict))
		}
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}
