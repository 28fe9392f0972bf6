package cli_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestPanel checks that several judges form a panel, and that their opinions are
// recorded, shown and replayed.
func TestPanel(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": good})
	at := func(name string) string { return filepath.Join(dir, name) }
	says := func(satisfied string) string {
		return `cli:echo '{"checks":[{"id":"rubric-1","satisfied":` + satisfied + `,"reasoning":"so"}],"overall_reasoning":""}'`
	}
	panel := []string{"run", at("x.eval.yaml"), "--verbose", "--judge", says("true"), "--judge", says("false"), "--judge", "offline"}
	code, stdout, stderr := rubric(t, "", append(panel, "--out", at("r.jsonl"), "--record", at("tape.jsonl"))...)
	for _, part := range []string{"contested", "2 of 3 agree: cli:echo", "offline yes", "67 % rubric/Mentions “refund”: contested in 1 of 1, flip rate 67 %", "literal checks"} {
		if !strings.Contains(stdout, part) {
			t.Errorf("%d: no %q in\n%s%s", code, part, stdout, stderr)
		}
	}
	if line := readFile(t, at("r.jsonl")); strings.Count(line, `"sample":`) < 3 || !strings.Contains(line, `"opinions":[{"judge":"cli:`) || !strings.Contains(line, `"flip_rate":0.6`) {
		t.Errorf("the record is\n%s", line)
	}
	for _, judges := range [][]string{{"--replay", at("tape.jsonl")}, {"--replay", at("tape.jsonl"), "--judge", "a", "--judge", "b", "--judge", "c"}, {"--judge", "replay:" + at("tape.jsonl")}} {
		if _, stdout, _ := rubric(t, "", append([]string{"run", at("x.eval.yaml"), "--verbose"}, judges...)...); !strings.Contains(stdout, "2 of 3 agree: cli:echo") || !strings.Contains(stdout, "+ offline") {
			t.Errorf("replayed:\n%s", stdout)
		}
	}
	if code, _, stderr := rubric(t, "", "run", at("x.eval.yaml"), "--judge", "replay:"+at("tape.jsonl"), "--judge", "offline"); code != 2 || !strings.Contains(stderr, "is the recording of a panel and cannot be on another panel") {
		t.Errorf("%d %s", code, stderr)
	}
	// What was recorded by several is nobody's, and all that was recorded again is the last one's.
	for _, c := range []struct{ by, samples, name string }{{says("false"), "1", "judge replay:tape.jsonl"}, {"offline", "3", "judge offline"}} {
		if code, _, stderr := rubric(t, "", "run", at("x.eval.yaml"), "--judge", c.by, "--samples", c.samples, "--record", at("tape.jsonl")); code > 1 {
			t.Fatal(stderr)
		}
		if _, stdout, _ := rubric(t, "", "run", at("x.eval.yaml"), "--replay", at("tape.jsonl")); !strings.Contains(stdout, c.name) {
			t.Errorf("recorded again by %s:\n%s", c.by, stdout)
		}
	}
	for format, part := range map[string]string{"json": `"contested": 1`, "junit": `agreement rubric/Mentions “refund”`, "html": "Agreement of the samples"} {
		if code, stdout, _ := rubric(t, "", "runs", "show", at("r.jsonl"), "--format", format); code != 0 || !strings.Contains(stdout, part) {
			t.Errorf("%s lacks %q: %d", format, part, code)
		}
	}
	if code, _, stderr := rubric(t, "", "run", at("x.eval.yaml"), "--judge", "offline", "--judge", "offline"); code != 2 || !strings.Contains(stderr, "`offline` is on the panel twice; use more samples") {
		t.Errorf("%d %s", code, stderr)
	}
}

// TestRepeat: a run of models, judged by models, is repeated without any of them by its
// recording and its results.
func TestRepeat(t *testing.T) {
	m := startMock(t)
	t.Setenv("OPENAI_API_KEY", judgeKey)
	dir := write(t, map[string]string{
		"targets.yaml": "targets:\n  - { name: it, provider: openai, model: m }\n",
		"x.eval.yaml": "evalcases:\n  - { id: p, expected_outcome: O, input: Question number 10, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B, required: false }] }\n" +
			"  - { id: q, expected_outcome: O, input: Question number 21, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }] }\n",
	})
	run := func(target, judge, out string) (all []map[string]any) {
		t.Helper()
		args := append([]string{"run", filepath.Join(dir, "x.eval.yaml"), "--no-cache", "--target", target, "--out", filepath.Join(dir, out)}, strings.Fields(judge)...)
		if code, stdout, stderr := rubric(t, "", args...); code != 1 {
			t.Fatalf("%d\n%s%s", code, stdout, stderr)
		}
		for line := range strings.Lines(readFile(t, filepath.Join(dir, out))) {
			var record map[string]any
			if err := json.Unmarshal([]byte(line), &record); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"target", "judge"} {
				delete(record, key)
			}
			all = append(all, record)
		}
		return all
	}
	recording := filepath.Join(dir, "tape.jsonl")
	first, asked := run("it", "--judge openai:m --record "+recording, "a.jsonl"), m.calls
	second := run(filepath.Join(dir, "a.jsonl"), "--replay "+recording, "b.jsonl")
	if asked != 4 || m.calls != asked || len(first) != 2 || !reflect.DeepEqual(first, second) {
		t.Errorf("%d calls, then %d more:\n%v\n%v", asked, m.calls-asked, first, second)
	}
}

// TestResultsDiffWell: a run of what was judged before writes the same lines, all but
// those of what has changed.
func TestResultsDiffWell(t *testing.T) {
	const file = `evalcases:
  - { id: p, expected_outcome: O, input: Question number 10, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }] }
  - { id: q, expected_outcome: O, input: Question number 21, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }] }
`
	for _, c := range []struct {
		name string
		args []string
		by   http.Handler
		want string // what the second run says of the first
	}{
		{"cases", []string{"DIR/x.eval.yaml", "--target", "mock:An answer."}, newMock(), "2 cached answers"},
		{"samples of a panel", []string{"DIR/x.eval.yaml", "--target", "mock:An answer.", "--judge", "openai:n", "--samples", "2"}, newMock(), "8 cached answers"},
		{"metrics", []string{banking, "--recorded", visits}, http.HandlerFunc(agreeWithAll), "cached answers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			serveProvider(t, c.by)
			dir := write(t, map[string]string{"x.eval.yaml": file})
			out := filepath.Join(dir, "r.jsonl")
			run := func(more ...string) (stdout, lines string) {
				args := append([]string{"run", "--judge", "openai:m", "--out", out}, more...)
				for _, arg := range c.args {
					args = append(args, strings.Replace(arg, "DIR", dir, 1))
				}
				code, stdout, stderr := rubric(t, "", args...)
				if code > 1 {
					t.Fatal(stderr)
				}
				return stdout, readFile(t, out)
			}
			_, first := run()
			if stdout, second := run(); first != second || !strings.Contains(stdout, c.want) {
				t.Errorf("%s%s\nthen\n%s", stdout, first, second)
			}
			if _, withPage := run("--out", filepath.Join(dir, "r.html")); withPage != first {
				t.Errorf("beside a page it is\n%s", withPage)
			}
			if shown, _ := run("--format", "jsonl"); shown != first {
				t.Errorf("shown is\n%s", shown)
			}
			if c.name == "metrics" {
				return
			}
			if err := os.WriteFile(filepath.Join(dir, "x.eval.yaml"), []byte(strings.Replace(file, "number 21", "number 22", 1)), 0o666); err != nil {
				t.Fatal(err)
			}
			_, changed := run()
			was, is := strings.SplitAfter(first, "\n"), strings.SplitAfter(changed, "\n")
			if len(was) != len(is) || was[0] != is[0] || was[1] == is[1] {
				t.Errorf("after a change of the second case\n%s\nbecame\n%s", first, changed)
			}
		})
	}
}
