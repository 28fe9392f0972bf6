package score_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/score"
)

var later = []score.Profile{score.AgentV4, score.AgentVHead}

func TestProfiles(t *testing.T) {
	for i, p := range score.Profiles {
		if !p.IsKnown() || !strings.Contains(score.ProfileNames, "`"+string(p)+"`") {
			t.Errorf("%s is not known or not named", p)
		}
		if p.IsReference() != (i > 0) || p.IsV4OrLater() != slices.Contains(later, p) {
			t.Errorf("%s: reference %v, later %v", p, p.IsReference(), p.IsV4OrLater())
		}
	}
}

func TestUnknownProfile(t *testing.T) {
	if score.Profile("agentv-5").IsKnown() || score.Profile("").IsKnown() {
		t.Error("every name is a profile")
	}
}

func TestLaterVersionsHaveNoBorderline(t *testing.T) {
	for _, p := range later {
		r := score.Rubric(p, criteria{check("a", 3, ptr(false)), check("b", 1, ptr(false))}, grades{yes("a"), no("b")})
		if number(r) != 0.75 || r.Verdict != score.Fail {
			t.Errorf("%s: %v %s", p, number(r), r.Verdict)
		}
		if c := score.Case(p, nil, []score.WeightedResult{part("a", 3, 1), part("b", 1, 0)}); *c.Score != 0.75 || c.Verdict != score.Fail {
			t.Errorf("%s, a case: %v %s", p, *c.Score, c.Verdict)
		}
		if got := (score.Terms{}).Apply(p, "g", score.PlainResult(0.7, nil, nil, "")).Verdict; got != score.Fail {
			t.Errorf("%s, any grader: %s", p, got)
		}
	}
}

// TestRequiredScoreByVersion: a criterion with bands that is required without a
// minimum needs 10, until the newest version stopped asking.
func TestRequiredScoreByVersion(t *testing.T) {
	must := ranged("x", 1, nil)
	must.Required = ptr(true)
	for _, tt := range []struct {
		profile score.Profile
		least   *float64
		raw     float64
		verdict score.Verdict
	}{
		{score.AgentV, nil, 9, score.Fail},
		{score.AgentV4, nil, 9, score.Fail},
		{score.AgentV4, nil, 10, score.Pass},
		{score.AgentV4, ptr(8.0), 9, score.Pass},
		{score.AgentVHead, nil, 9, score.Pass},
		{score.AgentVHead, ptr(9.0), 8, score.Fail},
		{score.AgentVHead, ptr(8.0), 8, score.Pass},
	} {
		c := *must
		c.MinScore = tt.least
		if r := score.Rubric(tt.profile, criteria{&c}, grades{raw("x", tt.raw)}); r.Verdict != tt.verdict {
			t.Errorf("%s, %v of 10: %s, want %s", tt.profile, tt.raw, r.Verdict, tt.verdict)
		}
	}
}

func TestOmittedAndEmptyInLaterVersions(t *testing.T) {
	for _, p := range later {
		r := score.Rubric(p, criteria{check("a", 1, nil), check("b", 1, nil)}, grades{{ID: "a", Satisfied: ptr(true)}})
		if number(r) != 1 || r.Verdict != score.Pass || !slices.Equal(r.Hits, []string{"[a] does a"}) {
			t.Errorf("%s: an omitted criterion is nowhere: %+v", p, r)
		}
	}
	if c := score.Case(score.AgentV4, nil, nil); *c.Score != 0 || c.Verdict != score.Fail {
		t.Errorf("4.42.4 gives 0 for no graders: %v %s", *c.Score, c.Verdict)
	}
	if c := score.Case(score.AgentVHead, nil, nil); *c.Score != 1 || c.Verdict != score.Pass {
		t.Errorf("the newest gives 1 for no graders: %v %s", *c.Score, c.Verdict)
	}
}

func TestUngradedCostsTheCaseInLaterVersions(t *testing.T) {
	parts := []score.WeightedResult{part("a", 1, 1), {Name: "b", Weight: 1, Result: score.UngradedResult("no judge")}}
	for _, p := range later {
		c := score.Case(p, nil, parts)
		if *c.Score != 0 || c.Verdict != score.Fail || c.Ungraded != 1 || !slices.Equal(c.Reasons, []string{"`b` is ungraded: no judge"}) {
			t.Errorf("%s: %+v", p, c)
		}
		if got := score.ExecutionOf(c, true); got.Stage != "evaluator" {
			t.Errorf("%s: %+v", p, got)
		}
	}
	if c := score.Case(score.AgentV, nil, parts); *c.Score != 0.5 {
		t.Errorf("the oldest takes it for 0: %v", *c.Score)
	}
}

func TestExecution(t *testing.T) {
	for _, tt := range []struct {
		name     string
		result   score.CaseResult
		answered bool
		want     score.Execution
	}{
		{"good", score.CaseResult{Score: new(0.8)}, true, score.Execution{Status: "ok"}},
		{"bad", score.CaseResult{Score: new(0.79)}, true, score.Execution{Status: "quality_failure"}},
		{"not judged", score.CaseResult{Ungraded: 1}, true, score.Execution{Status: "execution_error", Stage: "evaluator", Reason: "evaluator_error"}},
		{"not answered", score.CaseResult{}, false, score.Execution{Status: "execution_error", Stage: "agent", Reason: "provider_error"}},
	} {
		if got := score.ExecutionOf(tt.result, tt.answered); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
