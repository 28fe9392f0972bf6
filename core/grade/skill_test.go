package grade_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// TestSkills compares checks of skills with the scores of AgentV's graders for the same calls. A score of
// -1 is a value that cannot be used.
func TestSkills(t *testing.T) {
	input := func(key, value string) map[string]any { return map[string]any{key: value} }
	sub := grade.Submission{ToolCalls: []grade.ToolCall{
		{Tool: "skill", Input: input("skill", "broken"), Status: "error"},
		{Tool: "Skill", Input: input("skill", "deploy")}, {Tool: "Skill", Input: input("name", "deploy")},
		{Tool: "Read", Input: input("file_path", "/home/u/.agents/skills/tests/SKILL.md"), Output: "See skills/linked/SKILL.md"},
		{Tool: "bash", Input: input("command", "cat .agents/skills/docs/SKILL.md"), Output: "x"},
		{Tool: "grep", Output: map[string]any{"file": "skills/lint/SKILL.md", "next": "skills/vet/SKILL.md"}},
		{Tool: "ls", Input: input("skill", "draft"), Output: "2 files:\nskills/first/SKILL.md"},
	}}
	list := func(names ...any) []any { return names }
	count := func(name string, more ...any) map[string]any {
		object := map[string]any{"name": name}
		for i := 0; i < len(more); i += 2 {
			object[more[i].(string)] = more[i+1]
		}
		return object
	}
	for _, c := range []struct {
		kind  string
		value any
		score float64
	}{
		{rubric.SkillUsed, "deploy", 1},
		{rubric.SkillUsed, " deploy ", 1},
		{rubric.SkillUsed, list("deploy", "tests"), 1},
		{rubric.SkillUsed, list("deploy", "broken"), 0},
		{rubric.NotSkillUsed, "broken", 1},
		{rubric.NotSkillUsed, list("deploy", "nope"), 0},
		{rubric.SkillUsed, count("deploy", "min", 2.0), 1},
		{rubric.SkillUsed, count("deploy", "max", 1.0), 0},
		{rubric.SkillUsed, count("", "pattern", "D*", "max", 5.0), 1},
		{rubric.SkillUsed, count("docs", "min", 2.0), 0},
		{rubric.SkillUsed, count("lint", "min", 1.0, "max", 1.0), 1},
		{rubric.SkillUsed, count("tests", "max", 1.0), 1},
		{rubric.SkillUsed, list("vet", "first"), 1},
		{rubric.NotSkillUsed, list("linked", "draft"), 1},
		{rubric.NotSkillUsed, count("nope"), 1},
		{rubric.NotSkillUsed, count("nope", "max", 0.0), 1},
		{rubric.NotSkillUsed, count("nope", "min", 1.0), -1},
		{rubric.SkillUsed, count("", "min", 1.0), -1},
		{rubric.SkillUsed, count("a", "min", 1.5), -1},
		{rubric.SkillUsed, count("a", "min", "one"), -1},
		{rubric.SkillUsed, count("deploy", "min", 3.0, "max", 2.0), -1},
		{rubric.SkillUsed, list(), -1},
		{rubric.SkillUsed, 3.0, -1},
		{rubric.SkillTrigger, "deploy", 1},
		{rubric.SkillTrigger, "tests", 1},
		{rubric.SkillTrigger, "docs", 0},
		{rubric.SkillTrigger, "draft", 0},
		{rubric.SkillTrigger, "lint", 1},
	} {
		g := assertion(c.kind, c.value, "")
		g.Kind = rubric.TraceSteps
		if why := grade.Unsupported(g); (why != "") != (c.score < 0) {
			t.Errorf("%s %v cannot be used: %q", c.kind, c.value, why)
		}
		for _, profile := range []score.Profile{score.Spec, score.AgentVHead} {
			r := graded(t, profile, &rubric.Case{}, g, sub)
			if c.score >= 0 && (number(r) != c.score || r.Ungraded != "") || c.score < 0 && profile == score.Spec && r.Ungraded == "" {
				t.Errorf("%s: %s %v: %v %q, want %v", profile, c.kind, c.value, number(r), r.Ungraded, c.score)
			}
		}
	}
	unwanted := assertion(rubric.SkillTrigger, "deploy", "")
	unwanted.Kind, unwanted.Assert.Config = rubric.TraceSteps, map[string]any{"should_trigger": false}
	if r := graded(t, score.AgentV4, &rubric.Case{}, unwanted, sub); number(r) != 0 {
		t.Errorf("a skill that should not be used: %v", number(r))
	}
	negated := assertion(rubric.SkillUsed, "deploy", "")
	negated.Kind, negated.Negate = rubric.TraceSteps, true
	if spec, head := graded(t, score.Spec, &rubric.Case{}, negated, sub), graded(t, score.AgentVHead, &rubric.Case{}, negated, sub); number(spec) != 0 || number(head) != 1 {
		t.Errorf("negated: %v by the rules and %v in the reference, which inverts twice", number(spec), number(head))
	}
	if r := graded(t, score.Spec, &rubric.Case{}, negated, grade.Submission{Answer: "Done."}); r.Ungraded == "" {
		t.Error("an answer without a trace is graded")
	}
}
