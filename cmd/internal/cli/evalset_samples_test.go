package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSamplesOfOne: an evaluator may say how often it is judged. A run's --samples may be
// more, and a panel asks each of its judges so often.
func TestSamplesOfOne(t *testing.T) {
	const two, other = "[{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }]", "[{ id: a, expected_outcome: C }, { id: b, expected_outcome: D }]"
	const newer, others = "[{ id: a, outcome: A }, { id: b, outcome: B }]", "[{ id: a, outcome: C }, { id: b, outcome: D }]"
	dir := write(t, map[string]string{
		"seed.eval.yaml": "evalcases:\n  - { id: c, expected_outcome: O, input: Question number 2, expected_output: R, execution: { evaluators: [" +
			"{ name: often, type: llm_judge, samples: 3, rubrics: " + two + " }, { name: once, type: llm_judge, rubrics: " + other + " }] } }\n",
		"stable.eval.yaml": "tests:\n  - { id: c, criteria: O, input: Question number 2, expected_output: R, assertions: [" +
			"{ name: often, type: llm-grader, samples: 3, rubrics: " + newer + " }, { name: once, type: rubrics, samples: 1, criteria: " + others + " }] }\n",
		"list.eval.yaml": "tests:\n  - { id: c, criteria: O, input: Question number 2, expected_output: R, assertions: [" +
			"{ name: often, type: rubrics, samples: 3, criteria: " + newer + " }, { name: once, type: llm-grader, rubrics: " + others + " }] }\n",
		"head.eval.yaml": "prompts: [Question number 2]\ntests:\n  - { id: c, vars: { expected_output: R }, assert: [" +
			"{ metric: often, type: llm-rubric, samples: 3, value: " + newer + " }, { metric: once, type: llm-rubric, value: " + others + " }] }\n",
	})
	for _, c := range []struct {
		args  string
		calls int
		want  string
	}{
		{"seed.eval.yaml", 4, "(3 of 3 agree)"},
		{"stable.eval.yaml", 4, "(3 of 3 agree)"},
		{"list.eval.yaml", 4, "(3 of 3 agree)"},
		{"head.eval.yaml --target mock:R", 4, "(3 of 3 agree)"},
		{"seed.eval.yaml --samples 2", 5, "(2 of 2 agree)"},
		{"seed.eval.yaml --samples 5", 10, "(5 of 5 agree)"},
		{"seed.eval.yaml --judge openai:n", 8, "(6 of 6 agree)"},
		{"seed.eval.yaml --dry-run", 0, "judge:  4 calls"},
	} {
		m := startMock(t)
		t.Setenv("OPENAI_API_KEY", judgeKey)
		args := strings.Fields("run " + c.args + " --judge openai:m")
		args[1] = filepath.Join(dir, args[1])
		_, stdout, stderr := rubric(t, "", args...)
		if m.calls != c.calls || !strings.Contains(stdout, c.want) {
			t.Errorf("%s: %d calls, want %d, and %q\n%s%s", c.args, m.calls, c.calls, c.want, stdout, stderr)
		}
	}
	if code, stdout, _ := rubric(t, "", "check", filepath.Join(dir, "seed.eval.yaml"), filepath.Join(dir, "stable.eval.yaml"), filepath.Join(dir, "list.eval.yaml"), filepath.Join(dir, "head.eval.yaml")); strings.Contains(stdout, "`samples`") {
		t.Errorf("%d\n%s", code, stdout)
	}
	bad := write(t, map[string]string{"x.eval.yaml": "evalcases:\n  - { id: c, expected_outcome: O, input: Q, execution: { evaluators: [{ name: often, type: llm_judge, samples: 0 }] } }\n"})
	if _, stdout, _ := rubric(t, "", "check", filepath.Join(bad, "x.eval.yaml")); !strings.Contains(stdout, "`samples` is 0; expected a whole number from 1 to 1000") {
		t.Error(stdout)
	}
}
