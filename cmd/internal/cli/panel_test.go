package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestPanel: several judges are a panel. Who said what is kept, shown and replayed.
func TestPanel(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": good})
	at := func(name string) string { return filepath.Join(dir, name) }
	says := func(satisfied string) string {
		return `cli:echo '{"checks":[{"id":"rubric-1","satisfied":` + satisfied + `,"reasoning":"so"}],"overall_reasoning":""}'`
	}
	panel := []string{"run", at("x.eval.yaml"), "--judge", says("true"), "--judge", says("false"), "--judge", "offline"}
	code, stdout, stderr := rubric(t, "", append(panel, "--out", at("r.jsonl"), "--record", at("tape.jsonl"))...)
	for _, part := range []string{"contested", "2 of 3 agree: cli:echo", "offline yes", "67% rubric/Offers a refund: contested in 1 of 1, flip rate 67%", "lexical stand-in"} {
		if !strings.Contains(stdout, part) {
			t.Errorf("%d: no %q in\n%s%s", code, part, stdout, stderr)
		}
	}
	if line := readFile(t, at("r.jsonl")); strings.Count(line, `"sample":`) < 3 || !strings.Contains(line, `"opinions":[{"judge":"cli:`) || !strings.Contains(line, `"flip_rate":0.6`) {
		t.Errorf("the record is\n%s", line)
	}
	for _, judges := range [][]string{nil, {"--judge", "a", "--judge", "b", "--judge", "c"}} {
		if _, stdout, _ := rubric(t, "", append([]string{"run", at("x.eval.yaml"), "--replay", at("tape.jsonl")}, judges...)...); !strings.Contains(stdout, "2 of 3 agree: cli:echo") || !strings.Contains(stdout, "+ offline") {
			t.Errorf("replayed:\n%s", stdout)
		}
	}
	if _, stdout, _ := rubric(t, "", "run", at("x.eval.yaml"), "--judge", "replay:"+at("tape.jsonl")); strings.Contains(stdout, "agree: cli:echo") || !strings.Contains(stdout, "judge replay:tape.jsonl") {
		t.Errorf("replayed as one judge:\n%s", stdout)
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
	for format, part := range map[string]string{"json": `"contested": 1`, "junit": `agreement rubric/Offers a refund`, "html": "Agreement of the samples"} {
		if code, stdout, _ := rubric(t, "", "runs", "show", at("r.jsonl"), "--format", format); code != 0 || !strings.Contains(stdout, part) {
			t.Errorf("%s lacks %q: %d", format, part, code)
		}
	}
	if code, _, stderr := rubric(t, "", "run", at("x.eval.yaml"), "--judge", "offline", "--judge", "offline"); code != 2 || !strings.Contains(stderr, "`offline` sits on the panel twice; --samples") {
		t.Errorf("%d %s", code, stderr)
	}
}
