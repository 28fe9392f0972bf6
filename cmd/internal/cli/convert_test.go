package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConvert checks that a file is converted to the other dialect, that no existing file
// is overwritten, and that losses are reported.
func TestConvert(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": good, "bad.eval.yaml": "evalcases:\n  - id: a\n", "y.evalset.json": greet})
	at := func(name string) string { return filepath.Join(dir, name) }
	out := at("new.evalset.json")
	code, stdout, stderr := rubric(t, "", "convert", "--to", "adk", at("x.eval.yaml"), "--out", out)
	if code != 0 || stdout != "" || !strings.Contains(stderr, "lost: rubrics are not gates") {
		t.Fatalf("%d: %s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := rubric(t, "", "run", out); code != 0 || !strings.Contains(stdout, "1 pass, 0 fail") {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
	before, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"already exists; --force":         {"--to", "adk", at("x.eval.yaml"), "--out", out},
		"test_config.json already exists": {"--to", "adk", at("x.eval.yaml"), "--out", at("other.evalset.json")},
		"is already an ADK file":          {"--to", "adk", out},
		"is already an AgentV file":       {"--to", "agentv", at("x.eval.yaml")},
		"--to is missing":                 {at("x.eval.yaml")},
		"--to must be `adk`, `promptfoo`, `agentv`, `seed`, `v4` or `head`": {"--to", "adkk", at("x.eval.yaml")},
		"bad.eval.yaml has 2 errors\n":                                      {"--to", "adk", at("bad.eval.yaml")},
		"x.json: the name must end":                                         {"--to", "agentv", at("y.evalset.json"), "--out", at("x.json")},
		"x.yaml: the name must end":                                         {"--to", "adk", at("x.eval.yaml"), "--out", at("x.yaml")},
		"use it with --to agentv":                                           {"--to", "adk", at("x.eval.yaml"), "--config", at("gone.json")},
		"contains results; convert their":                                   {"--to", "agentv", visits},
	} {
		if code, _, stderr := rubric(t, "", append([]string{"convert"}, args...)...); code != 2 || !strings.Contains(stderr, name) {
			t.Errorf("%d: %s, want %q", code, stderr, name)
		}
	}
	if after, err := os.ReadFile(out); err != nil || string(after) != string(before) {
		t.Errorf("%v: what was there was written over", err)
	}
	if code, _, stderr := rubric(t, "", "convert", "--to", "adk", at("x.eval.yaml"), "--out", out, "--force"); code != 0 {
		t.Errorf("%d: %s", code, stderr)
	}
	code, stdout, _ = rubric(t, "", "convert", "--to", "agentv", banking, "--format", "json")
	var made struct {
		Files  []struct{ Name, Text string }
		Losses []struct{ What string }
	}
	if err := json.Unmarshal([]byte(stdout), &made); code != 0 || err != nil || len(made.Files) != 1 || made.Files[0].Name != "banking.eval.yaml" || len(made.Losses) < 5 {
		t.Fatalf("%d %v: %s", code, err, stdout)
	}
	back := write(t, map[string]string{"banking.eval.yaml": made.Files[0].Text})
	if code, stdout, stderr := rubric(t, "", "run", filepath.Join(back, "banking.eval.yaml")); code != 3 || !strings.Contains(stdout, "0 pass, 0 fail, 5 ungraded") {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
}
