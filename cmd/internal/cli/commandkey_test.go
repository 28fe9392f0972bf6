//go:build unix

package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCommandTellsKeys: a command may print the key that it was handed, by the
// environment, by a .env file or on its own line. Nothing of that is told or written, though another
// key begins like it.
func TestCommandTellsKeys(t *testing.T) {
	const ofProcess, ofFile = "kp-1234567890", "kf-1234567890"
	const tell = `printf "I am %s and $TEAM_TOKEN" `
	dir := write(t, map[string]string{
		".git/HEAD": "", "x.eval.yaml": good, ".env": "AGENT_KEY=" + ofFile + "\nBEGUN_KEY=" + ofFile[:10] + "\nDB_PASSWORD=password\n",
		"targets.yaml": "targets:\n" +
			"  - { name: says, provider: cli, command_template: '" + tell + "${{ AGENT_KEY }}' }\n" +
			"  - { name: handed, provider: cli, command_template: '" + tell + "$AGENT_KEY' }\n" +
			"  - { name: writes, provider: cli, command_template: '" + tell + "${{ AGENT_KEY }} > {OUTPUT_FILE}' }\n" +
			"  - { name: fails, provider: cli, command_template: '" + tell + "${{ AGENT_KEY }} >&2; exit 3' }\n" +
			"  - { name: word, provider: cli, command_template: '" + tell + "${{ DB_PASSWORD }}' }\n" +
			"  - { name: ill, provider: cli, command_template: 'true', healthcheck: { type: command, command_template: '" + tell + "${{ AGENT_KEY }} >&2; false' } }\n",
	})
	t.Setenv("TEAM_TOKEN", ofProcess)
	for _, c := range []struct{ target, judge, says string }{
		{"says", "offline", `"candidate_answer":"I am [key] and [key]"`},
		{"handed", "offline", `"candidate_answer":"I am [key] and [key]"`},
		{"writes", "offline", `"candidate_answer":"I am [key] and [key]"`},
		{"fails", "offline", "exited with status 3: I am [key] and [key]"},
		{"word", "offline", `"candidate_answer":"I am password and [key]"`},
		{"ill", "offline", "the command exited with status 1: I am [key] and [key]"},
		{"cli:" + tell + ofProcess, "offline", `\"I am %s and $TEAM_TOKEN\" [key]"`},
		{"self", "cli:" + tell + ofFile + "; true " + ofProcess, "it begins with `I am [key] and [key]`"},
		{"self", "cli:" + tell + ofFile + " >&2; exit 3", "exited with status 3: I am [key] and [key]"},
	} {
		out := filepath.Join(t.TempDir(), "r")
		args := []string{"run", filepath.Join(dir, "x.eval.yaml"), "--target", c.target, "--judge", c.judge, "--record", out + ".tape"}
		names := []string{".jsonl", ".json", ".xml", ".html"}
		for _, name := range names {
			args = append(args, "--out", out+name)
		}
		_, stdout, stderr := rubric(t, "", args...)
		all := stdout + stderr
		if c.target != "ill" { // where there is no run
			for _, name := range append(names, ".tape") {
				all += body(t, out+name)
			}
		}
		if !strings.Contains(all, c.says) || strings.Contains(all, ofProcess[:5]) || strings.Contains(all, ofFile[:5]) {
			t.Errorf("%s, %s: no %q, or a key, in\n%s", c.target, c.judge, c.says, all)
		}
	}
	twice := "cli:true " + ofFile + ofProcess
	if _, _, stderr := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--judge", twice, "--judge", twice); !strings.Contains(stderr, "`cli:true [key][key]` sits") {
		t.Error(stderr)
	}
}
