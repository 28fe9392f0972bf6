package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// labelled is an eval file with answers of which half are right, and people who do
// not always find so.
var labelled = map[string]string{
	"support.eval.yaml": `evalcases:
  - &a { id: a, expected_outcome: O, input: Q, rubrics: [{ id: refund, expected_outcome: Mentions “refund” }, { id: kind, expected_outcome: Mentions “Hello” }] }
  - { <<: *a, id: b }
  - { <<: *a, id: c }
  - { <<: *a, id: d }
`,
	"support.labels.yaml": `labels:
  a: { refund: true, kind: true }
  b: { refund: { satisfied: true, by: Kim } }
  c: { refund: false }
  d: { refund: { satisfied: true, note: in other words } }
`,
	"answers.jsonl": `{"eval_id":"a","answer":"Hello, we offer a refund."}
{"eval_id":"b","answer":"Hello, we offer a refund."}
{"eval_id":"c","answer":"Hello, we offer nothing."}
{"eval_id":"d","answer":"Hello, we give your money back."}
`,
}

func TestCalibrate(t *testing.T) {
	dir := write(t, labelled)
	at := func(name string) string { return filepath.Join(dir, name) }
	if code, _, stderr := rubric(t, "", "run", at("support.eval.yaml"), "--target", at("answers.jsonl"), "--out", at("r.jsonl")); code > 1 {
		t.Fatal(stderr)
	}
	now := []string{"calibrate", at("support.eval.yaml"), "--target", at("answers.jsonl")}
	stored := []string{"calibrate", at("support.eval.yaml"), "--run", at("r.jsonl")}
	code, stdout, stderr := rubric(t, "", now...)
	for _, part := range []string{"CRITERION", "refund      4  75 %   0.30 to 0.95  66 more    0.500  -0.23 to 1.00", "both 2, only the judge 0, only people 1, neither 1", "kind: kappa is not defined", "refund: only people found it satisfied in d", "kind: it does not distinguish cases: always satisfied, in 3 cases", "all checks"} {
		if !strings.Contains(stdout, part) {
			t.Errorf("%d: no %q in\n%s%s", code, part, stdout, stderr)
		}
	}
	if !strings.Contains(stderr, "literal checks") {
		t.Errorf("nobody says who judged: %s", stderr)
	}
	if code, again, _ := rubric(t, "", stored...); code != 0 || again != stdout {
		t.Errorf("from the stored run: %d\n%s", code, again)
	}
	code, stdout, _ = rubric(t, "", append(stored, "--format", "json")...)
	var report struct {
		Labels   int
		Criteria []struct{ Kappa *struct{ Value float64 } }
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != 0 || report.Labels != 5 || report.Criteria[0].Kappa.Value != 0.5 {
		t.Errorf("%d, %v\n%s", code, err, stdout)
	}
	if code, stdout, stderr := rubric(t, "", append(stored, "--case", "[abc]")...); code != 0 || !strings.Contains(stdout, "refund      3") || !strings.Contains(stdout, "d/refund: no grade matches this label") {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := rubric(t, "", append(stored, "--min-kappa", "0.6")...); code != 1 || !strings.Contains(stderr, "below the kappa of 0.6: `refund` (0.500)") {
		t.Errorf("%d %s", code, stderr)
	}
	if code, _, stderr := rubric(t, "", append(stored, "--min-kappa", "0.5")...); code != 0 {
		t.Errorf("%d %s", code, stderr)
	}
}

// TestCalibrateNames: a criterion without an id has the beginning of its text for a name,
// on one line and without what steers a terminal.
func TestCalibrateNames(t *testing.T) {
	const named = "Offers a· refund ·] a refund a refund"
	text := `"Offers\n a\u202e refund \e]` + strings.Repeat(" a refund", 50) + `"`
	dir := write(t, map[string]string{
		"support.eval.yaml":   strings.Replace(labelled["support.eval.yaml"], "{ id: refund, expected_outcome: Mentions “refund” }", text, 1),
		"support.labels.yaml": strings.ReplaceAll(labelled["support.labels.yaml"], "refund", "rubric-1"),
		"answers.jsonl":       labelled["answers.jsonl"],
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, answers := range map[string]string{"old.jsonl": at("answers.jsonl"), "new.jsonl": "mock:No."} {
		if code, _, stderr := rubric(t, "", "run", at("support.eval.yaml"), "--target", answers, "--samples", "2", "--judge", `cli:ok=false; grep -q "we offer a refund" && ok=true; echo "{\"checks\":[{\"id\":\"rubric-1\",\"satisfied\":$ok,\"reasoning\":\"\"},{\"id\":\"kind\",\"satisfied\":true,\"reasoning\":\"\"}],\"overall_reasoning\":\"\"}"`, "--out", at(name)); code > 1 {
			t.Fatal(stderr)
		}
	}
	for _, c := range []struct {
		args  []string
		names int
	}{
		{[]string{"calibrate", at("support.eval.yaml"), "--run", at("old.jsonl"), "--min-kappa", "1"}, 3},
		{[]string{"runs", "compare", at("old.jsonl"), at("new.jsonl")}, 3},
		{[]string{"runs", "show", at("old.jsonl"), "--format", "junit"}, 1},
	} {
		_, stdout, stderr := rubric(t, "", c.args...)
		names := 0
		for line := range strings.Lines(stdout + stderr) {
			if strings.Contains(line, named) && strings.Contains(line, "…") && !strings.ContainsAny(line, "\u202e\x1b") {
				names++
			}
		}
		if names != c.names {
			t.Errorf("%v: %d names in\n%s%s", c.args, names, stdout, stderr)
		}
	}
}

// TestCalibrateMisuse: labels that fit nothing would pass for a judge that is well.
func TestCalibrateMisuse(t *testing.T) {
	dir := write(t, labelled)
	other := write(t, map[string]string{
		"bare.eval.yaml": good, "none.labels.yaml": "labels: {}\n", "elsewhere.labels.yaml": "labels: { z: { refund: true } }\n",
		"typo.eval.yaml": good, "typo.labels.yaml": "labels: { a: { rubric-9: true } }\n", "empty.jsonl": "", "r.jsonl": `{"eval_id":"a"}`,
	})
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"", 2, "FILE is missing"},
		{"DIR/support.eval.yaml --format html", 2, "`github` or `junit`, not `html`"},
		{"DIR/support.eval.yaml --min-kappa 2", 2, "from -1 to 1"},
		{"DIR/support.eval.yaml --min-kappa nan", 2, "from -1 to 1"},
		{"DIR/support.eval.yaml --run OTHER/empty.jsonl", 2, "no results"},
		{"DIR/support.eval.yaml --run x.jsonl --target self", 2, "--run already has the judge's grades"},
		{"DIR/support.eval.yaml --run x.jsonl --record y.jsonl", 2, "--run already has the judge's grades"},
		{"DIR/support.eval.yaml --run x.jsonl --samples 2", 2, "--run already has the judge's grades"},
		{"DIR/support.eval.yaml --run OTHER/r.jsonl --case z", 2, "no case `z`"},
		{"OTHER/bare.eval.yaml", 2, "bare.labels.yaml: no such file"},
		{"OTHER/gone.eval.yaml", 2, "gone.eval.yaml: no such file"},
		{"OTHER/typo.eval.yaml", 2, "did you mean `rubric-1`?"},
		{"DIR/support.eval.yaml --labels OTHER/none.labels.yaml", 2, "contains no labels"},
		{"DIR/support.eval.yaml --target DIR/answers.jsonl --labels OTHER/elsewhere.labels.yaml", 2, "the eval file has no case `z`"},
		{"DIR/support.eval.yaml --target DIR/answers.jsonl --judge cli:false", 3, "could not be reached"},
		{"DIR/support.eval.yaml --target DIR/answers.jsonl --judge cli:pwd --min-kappa 0", 1, "below the kappa of 0: `refund` (no grades) and `kind` (no grades)"},
		{"DIR/support.eval.yaml --target DIR/answers.jsonl --judge cli:pwd", 3, "no label was compared"},
		{"DIR/support.eval.yaml", 2, "rubric: 4 cases without an expected output; --target NAME asks another target\n"},
		{"DIR/support.eval.yaml", 2, "rubric: calibrate: no label matches a grade; the first label is for `a/refund`; nothing was graded: the target gave no answer: the case `a` has no expected output to answer with\n"},
		{"DIR/support.eval.yaml --samples 0", 2, "--samples must be from 1 to 1000, not 0"},
		{"DIR/support.eval.yaml --samples 100000000", 2, "--samples must be from 1 to 1000"},
	} {
		args := strings.Fields("calibrate " + strings.NewReplacer("DIR", dir, "OTHER", other).Replace(c.args))
		if code, _, stderr := rubric(t, "", args...); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: %d, %s", c.args, code, stderr)
		}
	}
}

// TestCheckLabels: a labels file is checked as any other.
func TestCheckLabels(t *testing.T) {
	dir := write(t, labelled)
	if code, stdout, stderr := rubric(t, "", "check", dir); code != 0 || !strings.Contains(stderr, "in 2 files") {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
	wrong := write(t, map[string]string{"support.eval.yaml": labelled["support.eval.yaml"], "support.labels.yaml": "labels:\n  a: { refnd: true, kind: { satisfeid: true }, Mentions “Hello”: true }\n  e: { kind: 11 }\n"})
	code, stdout, _ := rubric(t, "", "check", wrong)
	for _, part := range []string{"no criterion `refnd`; did you mean `refund`?", "no criterion `Mentions “Hello”`; did you mean `kind`?", "`satisfeid`", "did you mean `satisfied`?", "the eval file has no case `e`", "11"} {
		if code != 1 || !strings.Contains(stdout, part) {
			t.Errorf("%d: no %q in\n%s", code, part, stdout)
		}
	}
}
