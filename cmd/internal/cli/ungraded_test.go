package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutage: a judge that is away for two of five cases leaves them without a score.
// They count in no mean, are errors to a build server and no regression.
func TestOutage(t *testing.T) {
	suite := "evalcases:\n"
	for i, question := range []string{"One", "Two OUT", "Three", "Four OUT", "Five"} {
		suite += fmt.Sprintf("  - { id: c%d, expected_outcome: O, input: %s, expected_output: R, rubrics: [{ id: a, expected_outcome: A }] }\n", i, question)
	}
	t.Chdir(write(t, map[string]string{
		"x.eval.yaml": suite,
		"judge.sh":    `q=$(cat); case "$q" in *"$AWAY"*) exit 4;; *"$WRONG"*) ok=false;; *) ok=true;; esac` + "\n" + `echo '{"checks":[{"id":"a","satisfied":'$ok',"reasoning":"so"}],"overall_reasoning":"so"}'`,
		"old.jsonl":   `{"eval_id":"c1","dataset":"x.eval","profile":"spec","score":0,"verdict":"fail","ungraded":1,"gates":[{"id":"a","grader":"rubric","met":false,"reason":"ungraded: away"}],"hits":[],"misses":[],"candidate_answer":"R","evaluator_results":[]}` + "\n",
	}))
	run := func(away, wrong, out string, args ...string) (int, string) {
		t.Setenv("AWAY", away)
		t.Setenv("WRONG", wrong)
		code, stdout, stderr := rubric(t, "", append([]string{"run", "x.eval.yaml", "--judge", "cli:sh judge.sh", "--no-cache", "--out", out, "--out", out + ".xml"}, args...)...)
		return code, stdout + stderr
	}
	if code, printed := run("nobody", "nobody", "all.jsonl"); code != 0 || !strings.Contains(printed, "5 pass, 0 fail; mean score 1\n") {
		t.Fatalf("%d\n%s", code, printed)
	}
	code, printed := run("OUT", "nobody", "out.jsonl")
	if code != 3 || !strings.Contains(printed, "ungraded   –      c1") || !strings.Contains(printed, "3 pass, 0 fail, 2 ungraded; mean score 1 (of 3 graded cases)") {
		t.Errorf("%d\n%s", code, printed)
	}
	if lines := readFile(t, "out.jsonl"); strings.Count(lines, `"score":null,"verdict":"ungraded"`) != 4 { // two cases, each with a grader
		t.Error(lines)
	}
	if junit := readFile(t, "out.jsonl.xml"); !strings.Contains(junit, `tests="5" failures="0" errors="2"`) || strings.Count(junit, `type="ungraded"`) != 2 {
		t.Error(junit)
	}
	for _, pair := range [][2]string{{"all.jsonl", "out.jsonl"}, {"out.jsonl", "all.jsonl"}} {
		if code, stdout, stderr := rubric(t, "", "runs", "compare", pair[0], pair[1]); code != 0 || !strings.Contains(stdout, "0 won, 0 lost, 3 tied of 3; mean difference 0; too few cases for an interval\n") || !strings.Contains(stdout, "\nNot compared, because a run left them ungraded: 2 of 5.\n") {
			t.Errorf("%d\n%s%s", code, stdout, stderr)
		}
	}
	if code, printed := run("OUT", "Five", "mixed.jsonl"); code != 1 || !strings.Contains(printed, "2 pass, 1 fail, 2 ungraded; mean score 0.667 (of 3 graded cases)") {
		t.Errorf("a case that fails outweighs: %d\n%s", code, printed)
	}
	if code, printed := run("OUT", "nobody", filepath.Join("agentv.jsonl"), "--profile", "agentv"); code != 3 || !strings.Contains(printed, "3 pass, 2 fail; mean score 0.6; 2 grades missing") {
		t.Errorf("the reference's numbers stay: %d\n%s", code, printed)
	}
	if code, stdout, stderr := rubric(t, "", "runs", "show", "old.jsonl"); code != 0 || !strings.Contains(stdout, "0 pass, 0 fail, 1 ungraded; mean score –") {
		t.Errorf("a record of an earlier version: %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := rubric(t, "", "runs", "compare", "all.jsonl", "old.jsonl", "--force"); code != 3 || !strings.Contains(stdout, "0 lost") {
		t.Errorf("nothing to compare: %d\n%s%s", code, stdout, stderr)
	}
}
