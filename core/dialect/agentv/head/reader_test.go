package head_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/head"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func parse(body string) *yaml.Tree { return yaml.Parse(text.New("t.eval.yaml", body)) }

func graderShape(g *rubric.Grader) string {
	line := g.Name
	for _, k := range g.Criteria {
		line += fmt.Sprintf("(%s)", k.Text)
	}
	if g.Kind != rubric.Turn && g.Kind != rubric.Transcript || len(g.Members) == 0 {
		return line
	}
	var members []string
	for _, m := range g.Members {
		members = append(members, graderShape(m))
	}
	return line + "[" + strings.Join(members, " ") + "]"
}

// shape formats a suite: a line for each case, then the losses.
func shape(s *rubric.Suite) string {
	var lines []string
	for _, c := range s.Cases {
		line := fmt.Sprintf("%s asks %q", c.ID, c.Question)
		if c.ExpectedOutcome != "" {
			line += fmt.Sprintf(" for %q", c.ExpectedOutcome)
		}
		if c.ReferenceAnswer != "" {
			line += fmt.Sprintf(" like %q", c.ReferenceAnswer)
		}
		for _, m := range c.Input {
			for _, p := range rubric.NewParts(m.Content) {
				if p.IsFile() {
					line += " with " + p.File
				}
			}
		}
		for _, g := range c.Graders {
			line += " " + graderShape(g)
		}
		if c.Conversation != nil && c.Conversation.Unsupported != "" {
			line += " not run: " + c.Conversation.Unsupported
		}
		lines = append(lines, line)
	}
	for _, l := range s.Losses {
		line := strings.TrimSpace("! " + l.Kind + " " + l.Detail)
		if l.Fatal {
			line += " fatal"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestHead reads files with prompts and variables.
func TestHead(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a prompt", `{prompts: ["Say {{ x }}"], tests: [{id: a, vars: {x: hi, expected_output: "{{x}}!"}, assert: ["Is {{ vars.x }}"]}]}`,
			`a asks "Say hi" like "hi!" llm-rubric(Is hi)`},
		{"messages in a variable", `
prompts: ["{{ input }}"]
tests:
  - id: a
    vars:
      input:
        - {role: system, content: "Be {{ how }}"}
        - {role: user, content: [{type: text, value: Go}, {type: file, value: a.md}]}
      how: short
    assert: [{type: equals, value: "{{ how }}"}]`, `a asks "@[System]:\nBe short\n\n@[User]:\nGo" with a.md equals-short`},
		{"variables of all tests", `{prompts: "{{ a }} {{ b.c }} {{ d }}", default_test: {vars: {a: 1, b: {c: 2}}, assert: [D]}, assert: [S],
			tests: [{id: a, vars: {a: 3}}]}`, `a asks "3 2 {{ d }}" llm-rubric(D)(S)`},
		{"several prompts", `{prompts: [{id: "one two", prompt: A}, {label: x, messages: [{role: user, content: B}]}, [{role: user, content: C}], "file://p.txt"],
			tests: [{id: t, criteria: G}]}`, `t__prompt_one-two asks "A" for "G" llm-rubric(G)
t__prompt_chat-8e7cc94db66f asks "B" for "G" llm-rubric(G)
t__prompt_chat-1c9867cfbd79 asks "C" for "G" llm-rubric(G)
t__prompt_p.txt asks "" for "G" with p.txt llm-rubric(G)`},
		{"a prompt's odd id", `{prompts: [{id: "##", raw: A}, {id: "a/b", prompt: [{role: user, content: B}]}, {role: user, content: C}], tests: [{id: t, vars: {}, assert: [G]}]}`,
			`t__prompt_d211e5458dd3 asks "A" llm-rubric(G)
t__prompt_a-b asks "B" llm-rubric(G)
t__prompt_chat-5cecb06fe07e asks "C" llm-rubric(G)`},
		{"choices", `{prompts: "{{ x }}{{ y }}", tests: [{id: "{{ x }}", vars: {x: [a, b], y: [c, d], z: [1]}, assert: [A]}, {id: none, vars: {x: []}, assert: [A]}]}`,
			`a asks "ac" llm-rubric(A)
a asks "ad" llm-rubric(A)
b asks "bc" llm-rubric(A)
b asks "bd" llm-rubric(A)`},
		{"what is missing", `{prompts: "P", tests: [{assert: [A]}, {id: b}, {id: c, assert: [{type: composite}]}, 7]}`, `! case_incomplete_skipped id
! case_incomplete_skipped assert
! unsupported_assertion_type composite
! case_error_skipped unsupported_assertion_type
! test_invalid_skipped`},
		{"no prompt", `{tests: [{id: a, assert: [A]}]}`, "! case_incomplete_skipped input"},
		{"a prompt that is none", `{prompts: [7], tests: []}`, "! prompt_invalid fatal"},
		{"a program's prompt", `{prompts: [{command: p}], tests: [{id: a, assert: [A]}]}`, "a asks \"\" llm-rubric(A)\n! prompt_unread command"},
		{"elsewhere", `{prompts: P, tests: ["file://more.yaml"], scenarios: []}`, "! tests_elsewhere more.yaml"},
		{"a prompt that is a conversation in JSON", `{prompts: ['[{"role": "system", "content": "S"}, {"role": "user", "content": "{{x}}"}]'], tests: [{id: a, vars: {x: U}, assert: [A]}]}`,
			`a asks "@[System]:\nS\n\n@[User]:\nU" llm-rubric(A)`},
		{"a prompt that is another list", `{prompts: ["[1, 2]"], tests: [{id: a, vars: {}, assert: [A]}]}`, `a asks "[1, 2]" llm-rubric(A)`},
		{"turns", `{prompts: "{{x}}", tests: [{id: a, mode: conversation, assert: [A], turns: [{input: "Q {{y}}", assert: [T, U]}, {input: [{type: text, value: R}]}], vars: {x: [{role: system, content: S}], y: 7}}]}`,
			`a asks "@[System]:\nS\n\n@[User]:\nQ 7\n\n@[User]:\nR" turn-1[turn-1/llm-rubric(T)(U)] turn-2 conversation[llm-rubric(A)]`},
		{"turns without a mode", `{prompts: P, tests: [{id: a, turns: [{input: Q}]}]}`, "a asks \"P\" not run: it has `turns` without `mode: conversation`\n! turns_without_mode"},
		{"a mode without turns", `{prompts: P, tests: [{id: a, mode: conversation, assert: [A]}]}`, "a asks \"P\" llm-rubric(A) not run: it has `mode: conversation` without `turns`\n! mode_without_turns"},
		{"another mode", `{prompts: P, tests: [{id: a, mode: simulated, assert: [A]}]}`, "a asks \"P\" llm-rubric(A) not run: the mode `simulated` is not supported\n! mode_unknown simulated"},
		{"a turn without input", `{prompts: P, tests: [{id: a, mode: conversation, turns: [{assert: [A]}]}]}`, "a asks \"P\" turn-1[turn-1/llm-rubric(A)] not run: turn 1 has no input"},
		{"no tests", `{prompts: P}`, "! tests_missing fatal"},
		{"tests that are none", `{prompts: P, tests: {}}`, "! tests_missing fatal"},
		{"no mapping", `[]`, "! root_not_object fatal"},
		{"aliases without an end", `{prompts: P, tests: &a [*a]}`, "! aliases_endless fatal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shape(v4.Reader{Format: head.Format, Name: "f"}.LowerSuite(parse(c.body))); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestStable reads files whose tests contain their own input.
func TestStable(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a text", `{tests: [{id: a, criteria: C, input: Q, expected_output: {k: 1, b: 2}}]}`, `a asks "Q" for "C" like "{\n  \"k\": 1,\n  \"b\": 2\n}"`},
		{"older names", `{eval_cases: [{id: a, expected_outcome: C, input: [{role: user, content: Q}, {role: x}]}]}`, "a asks \"Q\" for \"C\"\n! message_invalid_dropped"},
		{"lists", `{cases: [{id: a, input: Q, rubrics: [R], assertions: [A]}], assertions: [S], input: "Be kind."}`, `a asks "@[User]:\nBe kind.\n\n@[User]:\nQ" rubrics(R) rubrics(A) rubrics(S)`},
		{"files of the input", `{tests: [{id: a, criteria: C, input: Q, input_files: [f.md, g.md]}, {id: b, criteria: C, input: Q}, {id: c, criteria: C, input: [{role: user, content: R}]}], input_files: [h.md]}`,
			"a asks \"Q\" for \"C\" with f.md with g.md\nb asks \"Q\" for \"C\" with h.md\n! input_files_refused\n! case_error_skipped input_files_refused"},
		{"without defaults", `{tests: [{id: a, input: Q, assert: [A], execution: {skip_defaults: true}}], assertions: [S], input: no}`, `a asks "Q" rubrics(A)`},
		{"a broken rubric", `{tests: [{id: a, input: Q, criteria: C, rubrics: [{outcome: A, score_ranges: {2: x}}]}]}`,
			"! map_must_start_at_0 fatal\n! case_error_skipped map_must_start_at_0"},
		{"what is missing", `{tests: [{input: Q, criteria: C}, {id: b, input: Q}, {id: c, criteria: C}]}`,
			"! case_incomplete_skipped id\n! case_incomplete_skipped criteria\n! case_incomplete_skipped input"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shape(v4.Reader{Format: v4.V4, Name: "f"}.LowerSuite(parse(c.body))); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestShared checks that filling in variables does not change what the cases of a test share.
func TestShared(t *testing.T) {
	suite := v4.Reader{Format: head.Format, Name: "f"}.LowerSuite(parse(`{name: " n ", description: d, prompts: P, tests: [{id: a, vars: {x: [1st, 2nd]}, assert: [
		{type: assert-set, assert: [{type: llm-rubric, prompt: "{{x}}", value: [{outcome: "{{x}}", score_ranges: {0: "{{x}}"}}]}]}, {type: contains-any, value: ["{{x}}"]}]}]}`))
	if suite.Name != "n" || suite.Description != "d" || len(suite.Cases) != 2 {
		t.Fatalf("%+v", suite)
	}
	for i, want := range []string{"1st", "2nd"} {
		raw, _ := json.Marshal(suite.Cases[i].Graders)
		if n := strings.Count(string(raw), want); n != 4 || strings.Contains(string(raw), "{{") {
			t.Errorf("%s is in %d places: %s", want, n, raw)
		}
	}
}

// TestManyChoices checks that a test with too many combinations becomes a single case.
func TestManyChoices(t *testing.T) {
	var vars []string
	for i := range 5 {
		vars = append(vars, fmt.Sprintf("v%d: [a, b, c, d, e, f, g, h]", i))
	}
	body := "{prompts: P, tests: [{id: a, assert: [A], vars: {" + strings.Join(vars, ", ") + "}}]}"
	if n := len(v4.Reader{Format: head.Format, Name: "f"}.LowerSuite(parse(body)).Cases); n != 1 {
		t.Errorf("%d cases", n)
	}
}

// TestSpans checks the spans of a case's id and goal.
func TestSpans(t *testing.T) {
	body := `{prompts: P, tests: [{id: a, criteria: Good}]}`
	c := v4.Reader{Format: head.Format, Name: "f"}.LowerSuite(parse(body)).Cases[0]
	for _, at := range []struct {
		span text.Span
		want string
	}{{c.Span, "{id: a, criteria: Good}"}, {c.SelectionSpan, "a"}, {c.IDSpan, "a"}, {c.OutcomeSpan, "Good"}, {c.Graders[0].Criteria[0].TextSpan, "Good"}} {
		if found := body[at.span.Start:at.span.End]; found != at.want {
			t.Errorf("%q, want %q", found, at.want)
		}
	}
}

// TestDetectVersion checks the detection of a file's version by its keys.
func TestDetectVersion(t *testing.T) {
	for body, want := range map[string]agentv.Version{
		"{prompts: P, tests: []}":                          agentv.Head,
		"{tests: [{vars: {a: 1}}]}":                        agentv.Head,
		"{tests: [{id: a}], default_test: {}}":             agentv.Head,
		"{scenarios: []}":                                  agentv.Head,
		"{tests: [{input: Q, vars: {a: 1}, assert: [A]}]}": agentv.V4,
		"{tests: cases.yaml}":                              agentv.V4,
		"{tests: cases.csv}":                               agentv.Head,
		"{tests: [file://cases.CSV]}":                      agentv.Head,
		"{tests: [file://cases.csv, {id: a, criteria: C, assertions: [A]}]}": agentv.V4,
		"{cases: []}":                 agentv.V4,
		"{eval_cases: []}":            agentv.V4,
		"{evalcases: [], prompts: P}": "",
		"{providers: []}":             "",
		"[{id: a, input: Q}]":         agentv.V4,
		"[{id: a, assert: [A]}]":      agentv.Head,
	} {
		if got := agentv.DetectVersion(parse(body).Root()); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
