package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunsOfOneFile is what keeping runs is for: the same run is the same file,
// another target is compared, and a changed rubric is told.
func TestRunsOfOneFile(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": three})
	at := func(name string) string { return filepath.Join(dir, name) }
	run := func(target, out string) {
		t.Helper()
		if code, _, stderr := rubric(t, "", "run", at("x.eval.yaml"), "--target", target, "--out", at(out)); code > 1 {
			t.Fatal(stderr)
		}
	}
	run("self", "a.jsonl")
	run("self", "b.jsonl")
	run("mock:No.", "c.jsonl")
	a, b := readFile(t, at("a.jsonl")), readFile(t, at("b.jsonl"))
	if a != b || a == "" {
		t.Errorf("two equal runs are\n%s\nand\n%s", a, b)
	}
	code, stdout, _ := rubric(t, "", "runs", "compare", at("a.jsonl"), at("c.jsonl"))
	if code != 1 || !strings.Contains(stdout, "a     rubric/Mentions “refund”  ✓ yes  ✗ no  lost") || !strings.Contains(stdout, "Mentions “refund”  0    3     0     0") {
		t.Errorf("%d\n%s", code, stdout)
	}
	if code, stdout, _ := rubric(t, "", "rescore", at("a.jsonl")); code != 0 || !strings.Contains(stdout, "0 of 3 verdicts flip") {
		t.Errorf("%d\n%s", code, stdout)
	}

	harder := strings.Replace(three, "rubrics: [Mentions “refund”]", "rubrics: [Mentions “refund”, Mentions “label”]", 1)
	if err := os.WriteFile(at("x.eval.yaml"), []byte(harder), 0o644); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := rubric(t, "", "rescore", at("a.jsonl"))
	if code != 1 || !strings.Contains(stdout, "a     pass → ungraded  1 → –  `rubric` is ungraded: 1 of 2 criteria ungraded: `Mentions “label”`") || !strings.Contains(stdout, "rubric/Mentions “label”: its text has changed, or it was not judged") || stderr != "" {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
	run("self", "d.jsonl")
	code, _, stderr = rubric(t, "", "runs", "compare", at("a.jsonl"), at("d.jsonl"))
	if code != 2 || !strings.Contains(stderr, "these runs are not comparable: the rubric of `a` was edited between the runs; --force") {
		t.Errorf("%d %s", code, stderr)
	}
	code, stdout, _ = rubric(t, "", "runs", "compare", "--force", at("a.jsonl"), at("d.jsonl"))
	if code != 1 || !strings.Contains(stdout, "The difference may come from this: the rubric of `a` was edited between the runs.") {
		t.Errorf("%d\n%s", code, stdout)
	}
	if code, stdout, _ := rubric(t, "", "rescore", at("a.jsonl"), "--format", "jsonl"); code != 1 || strings.Count(stdout, "\n") != 3 || !strings.Contains(stdout, `"verdict":"ungraded"`) {
		t.Errorf("%d\n%s", code, stdout)
	}
	if err := os.Remove(at("x.eval.yaml")); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := rubric(t, "", "rescore", at("a.jsonl")); code != 2 || !strings.Contains(stderr, "name the eval file after the results") {
		t.Errorf("%d %s", code, stderr)
	}
}

// TestRescoreOneOfTwo: a case is scored by the file that it is of, and not by another that
// has one of its name.
func TestRescoreOneOfTwo(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": three, "more/x.eval.yaml": strings.ReplaceAll(three, "Mentions “refund”", "Mentions “Hello”")})
	at := func(name string) string { return filepath.Join(dir, name) }
	if code, _, stderr := rubric(t, "", "run", at("x.eval.yaml"), at("more/x.eval.yaml"), "--out", at("r.jsonl")); code > 1 {
		t.Fatal(stderr)
	}
	code, stdout, _ := rubric(t, "", "rescore", at("r.jsonl"), at("x.eval.yaml"))
	if code != 0 || strings.Contains(stdout, "has changed") || !strings.Contains(stdout, "0 of 3 verdicts flip\n3 cases of the run in files that you did not name\n") {
		t.Errorf("%d\n%s", code, stdout)
	}
	if err := os.WriteFile(at("x.eval.yaml"), []byte(strings.ReplaceAll(three, "id: b,", "id: d,")), 0o644); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{
		"text": "0 of 2 verdicts flip\n1 case of the run no longer in the files\n3 cases of the run in files that you did not name\n",
		"json": `"not_in_files": 1,` + "\n" + `  "of_other_files": 3`, "jsonl": "rubric: 3 cases of the run in files that you did not name\n",
	} {
		if _, stdout, stderr := rubric(t, "", "rescore", at("r.jsonl"), at("x.eval.yaml"), "--format", format); !strings.Contains(stdout+stderr, want) {
			t.Errorf("%s:\n%s%s", format, stdout, stderr)
		}
	}
	if err := errors.Join(os.Remove(at("x.eval.yaml")), os.WriteFile(at("z.eval.yaml"), []byte(three), 0o644)); err != nil {
		t.Fatal(err)
	}
	if code, stdout, _ = rubric(t, "", "rescore", at("r.jsonl"), at("z.eval.yaml")); code != 0 || !strings.Contains(stdout, "0 of 6 verdicts flip") {
		t.Errorf("%d\n%s", code, stdout)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestRunsOfOthers: results of AgentV, which tell no verdict, are shown by their scores.
func TestRunsOfOthers(t *testing.T) {
	t.Chdir(write(t, map[string]string{".agentv/results/r.jsonl": `{"eval_id":"a","dataset":"d","score":0.9,"hits":["h"],"misses":[],"evaluator_results":[{"name":"judge","type":"llm_judge","score":0.9,"weight":1,"verdict":"pass","hits":["h"],"misses":[]}]}
{"eval_id":"b","dataset":"d","score":0.7,"hits":["h"],"misses":["m"]}
{"eval_id":"c","dataset":"d","score":0,"hits":[],"misses":["Error: boom"],"error":"boom"}
`}))
	for line, parts := range map[string][]string{
		"list":                  {"3      1     0         0.533"},
		"show r":                {"judge unknown, profile unknown", "pass       0.9    a", "borderline 0.7    b", "1 pass, 1 borderline, 1 fail (1 could not be run)"},
		"show r --format junit": {`failures="1" errors="1"`, "borderline, score 0.7"},
	} {
		code, stdout, stderr := rubric(t, "", append([]string{"runs"}, strings.Fields(line)...)...)
		for _, part := range parts {
			if code != 0 || !strings.Contains(stdout, part) {
				t.Errorf("%s: %d, no %q in\n%s%s", line, code, part, stdout, stderr)
			}
		}
	}
	if code, stdout, stderr := rubric(t, "", "rescore", "r"); code != 0 || !strings.Contains(stdout, "0 of 3 verdicts flip") {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
}

// TestUnreachableReportedOnce checks that every view of a run reports unreachable judges
// and targets once.
func TestUnreachableReportedOnce(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": three})
	const want = "a judge or a target gave no answer in 3 of 3 cases: "
	for _, c := range []struct{ args, stream string }{
		{"run DIR/x.eval.yaml --judge cli:false --out DIR/r.jsonl", "stdout"},
		{"run DIR/x.eval.yaml --judge cli:false --out DIR/r.html", "stdout"},
		{"run DIR/x.eval.yaml --judge cli:false --format html", "stderr"},
		{"run DIR/x.eval.yaml --judge cli:false --format jsonl", "stderr"},
		{"runs show DIR/r.jsonl", "stdout"},
		{"runs show DIR/r.jsonl --format json", "stderr"},
		{"runs show DIR/r.jsonl --format html", "stderr"},
		{"runs show DIR/r.jsonl --format junit", "stderr"},
	} {
		_, stdout, stderr := rubric(t, "", strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
		streams := map[string]string{"stdout": stdout, "stderr": stderr}
		if strings.Count(stdout+stderr, want) != 1 || !strings.Contains(streams[c.stream], want) {
			t.Errorf("%s: not once on %s:\n%s\nand\n%s", c.args, c.stream, stdout, stderr)
		}
	}
}

// TestTextsInTables: what a criterion says is one line of a table, and no order to a
// terminal.
func TestTextsInTables(t *testing.T) {
	evil := strings.Replace(three, "rubrics: [Mentions “refund”]", `rubrics: ["Mentions\n “a\u202e refund \e[2J”"]`, 1)
	dir := write(t, map[string]string{"x.eval.yaml": evil, "x.labels.yaml": "labels: { a: { rubric-1: true } }\n"})
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, target := range map[string]string{"a.jsonl": "self", "b.jsonl": "mock:No."} {
		if code, _, stderr := rubric(t, "", "run", at("x.eval.yaml"), "--case", "a", "--target", target, "--out", at(name)); code > 1 {
			t.Fatal(stderr)
		}
	}
	for _, args := range [][]string{{"runs", "compare", at("a.jsonl"), at("b.jsonl")}, {"calibrate", at("x.eval.yaml"), "--run", at("a.jsonl")}} {
		_, stdout, stderr := rubric(t, "", args...)
		if !strings.Contains(stdout, "Mentions “a· refund ·[2J”") || strings.ContainsAny(stdout, "\u202e\x1b") {
			t.Errorf("%s: %q %s", args[0], stdout, stderr)
		}
	}
}
