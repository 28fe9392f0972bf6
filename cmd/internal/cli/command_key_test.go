//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"slices"
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
	for _, c := range []struct{ target, judge, want string }{
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
				all += readFile(t, out+name)
			}
		}
		if !strings.Contains(all, c.want) || strings.Contains(all, ofProcess[:5]) || strings.Contains(all, ofFile[:5]) {
			t.Errorf("%s, %s: no %q, or a key, in\n%s", c.target, c.judge, c.want, all)
		}
	}
	twice := "cli:true " + ofFile + ofProcess
	if _, _, stderr := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--judge", twice, "--judge", twice); !strings.Contains(stderr, "`cli:true [key][key]` is on the panel") {
		t.Error(stderr)
	}
}

// TestEnvFileOfAnotherFolder: a .env beside an eval file from elsewhere reaches neither the
// commands nor the texts of the person's own targets file.
func TestEnvFileOfAnotherFolder(t *testing.T) {
	dir := write(t, map[string]string{
		"hostile/ok.eval.yaml": good, "hostile/.env": "EXTRA=hostile\nLD_PRELOAD=./evil.so\n",
		"trusted/targets.yaml": "targets:\n  - { name: agent, provider: cli, command_template: 'echo \"<$EXTRA><$LD_PRELOAD>\" refund' }\n" +
			"  - { name: named, provider: cli, command_template: 'echo ${{ EXTRA }}' }\n",
	})
	for _, args := range [][]string{{"--targets", "targets.yaml"}, nil} {
		for _, from := range []string{"trusted", "hostile"} {
			if args == nil && from == "hostile" {
				continue // no targets file is found from there
			}
			t.Chdir(filepath.Join(dir, from))
			if args != nil {
				args[1] = filepath.Join(dir, "trusted", "targets.yaml")
			}
			run := append([]string{"run", filepath.Join(dir, "hostile", "ok.eval.yaml"), "--format", "json"}, args...)
			if _, stdout, stderr := rubric(t, "", append(run, "--target", "agent")...); !strings.Contains(stdout, `"candidate_answer": "<><> refund"`) {
				t.Errorf("from %s with %v: %s%s", from, args, stdout, stderr)
			}
			if code, _, stderr := rubric(t, "", append(run, "--target", "named")...); code != 2 || !strings.Contains(stderr, "not set in the environment or a .env file beside or above the targets file: EXTRA") {
				t.Errorf("from %s with %v: %d, %s", from, args, code, stderr)
			}
		}
	}
}

// TestEnvFileVariablesThatAreIgnored: variables that make programs run other code, and
// addresses that a person's key could go to, are ignored with a note on every surface.
func TestEnvFileVariablesThatAreIgnored(t *testing.T) {
	steering := []string{
		"LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "PYTHONPATH", "PYTHONSTARTUP", "PERL5LIB", "RUBYOPT",
		"BASH_ENV", "ENV", "IFS", "SHELLOPTS", "PROMPT_COMMAND", "GIT_SSH_COMMAND", "git_external_diff", "SSH_ASKPASS", "EDITOR", "NODE_EXTRA_CA_CERTS", "HTTPS_PROXY", "CODEX_HOME",
	}
	addresses := []string{"ANTHROPIC_BASE_URL", "OPENAI_API_BASE", "TEAM_URL"}
	env, echo := "PATH=/evil\nPLAIN=plain\nDATA_PATH=data\nOWN_URL=https://own.example\nOPENROUTER_BASE_URL=https://router.example\nOPENROUTER_API_KEY=kf-1234567890\n", ""
	for _, name := range append(slices.Clip(steering), addresses...) {
		env += name + "=https://evil.example\n"
		if name != "IFS" && name != "SHELLOPTS" { // which a shell sets itself
			t.Setenv(name, "")
			os.Unsetenv(name)
			echo += "$" + name
		}
	}
	t.Setenv("ANTHROPIC_API_KEY", "kp-1234567890")
	t.Setenv("TEAM_TOKEN", "kp-0987654321")
	dir := write(t, map[string]string{
		".git/HEAD": "", "x.eval.yaml": good, ".env": env,
		".agentv/targets.yaml": "targets:\n  - { name: agent, provider: cli, command_template: 'echo \"<" + echo + "> $PLAIN $DATA_PATH $OWN_URL $OPENROUTER_BASE_URL refund\"', healthcheck: { type: command, command_template: 'test -z \"" + echo + "\"' } }\n" +
			"  - { name: model, provider: anthropic, model: m, base_url: '${{ ANTHROPIC_BASE_URL }}', api_key: '${{ ANTHROPIC_API_KEY }}' }\n" +
			"  - { name: renamed, provider: anthropic, model: m, base_url: 'https://${{ PLAIN }}/v1', api_key: '${{ ANTHROPIC_API_KEY }}' }\n",
	})
	file := filepath.Join(dir, "x.eval.yaml")
	notes := func(t *testing.T, stderr string) {
		t.Helper()
		for _, name := range append(slices.Clip(steering), addresses...) {
			if strings.Count(stderr, "`"+name+"`") != 1 {
				t.Errorf("%s is not noted once in\n%s", name, stderr)
			}
		}
		if !strings.Contains(stderr, filepath.Join(dir, ".env")+": ignored `ANTHROPIC_BASE_URL`, ") || strings.Contains(stderr, "PLAIN") || strings.Contains(stderr, "OPENROUTER") {
			t.Error(stderr)
		}
	}
	code, stdout, stderr := rubric(t, "", "run", file, "--target", "agent", "--format", "jsonl")
	if code != 0 || !strings.Contains(stdout, `> plain data https://own.example https://router.example refund"`) || strings.Contains(stdout, "evil") {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
	notes(t, stderr)
	_, stdout, stderr = rubric(t, "", "targets", dir)
	notes(t, stderr)
	for _, want := range []string{"model: not set in the environment or a .env file beside or above the targets file: ANTHROPIC_BASE_URL", "renamed: its address is `PLAIN` of " + filepath.Join(dir, ".env") + ", and its key is `ANTHROPIC_API_KEY` of the environment; set both in one place"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	if _, stdout, _ = rubric(t, "", "targets", dir, "--check"); !strings.Contains(stdout, "agent: ok") {
		t.Error(stdout)
	}
}

// TestMisquotedPlaceholderIsRefused: a command whose placeholder stands within quotes runs
// nothing, neither for --target nor from a targets file, as a target or as a judge.
func TestMisquotedPlaceholderIsRefused(t *testing.T) {
	dir := write(t, map[string]string{
		"a.eval.yaml": "evalcases:\n" +
			"  - id: \"a'; touch INJ_ID; echo '$(touch INJ_ID2)`touch INJ_ID3`\\\"; touch INJ_ID4; \\\"\"\n    expected_outcome: Mentions “Hello”\n" +
			"    input: \"x; touch INJ_P; $(touch INJ_P2)`touch INJ_P3`\\\"; touch INJ_P4; \\\"\\n| touch INJ_P5\"\n    expected_output: hello; touch INJ_O\n    rubrics: ['Says \"hello\"']\n",
		"targets.yaml": "targets:\n  - { name: double, provider: cli, command_template: 'echo \"{PROMPT}\"' }\n" +
			"  - { name: single, provider: cli, command_template: \"echo '{PROMPT}' {EVAL_ID}\" }\n" +
			"  - { name: nested, provider: cli, command_template: 'bash -c \"echo {EVAL_ID}\"' }\n" +
			"  - { name: files, provider: cli, command_template: 'cat {FILES}', files_format: '\"{path}\"' }\n" +
			"  - { name: args, provider: claude-code, executable: echo, args: '\"{EVAL_ID}\"' }\n" +
			"  - name: here\n    provider: cli\n    command_template: |\n      cat <<EOF\n      {PROMPT}\n      EOF\n",
	})
	t.Chdir(dir)
	for target, where := range map[string]string{
		"double": "in double quotes", "single": "in single quotes", "nested": "in double quotes", "files": "in double quotes", "args": "in double quotes", "here": "in a here-document",
		`cli:echo "{PROMPT}"`: "in double quotes", `cli:echo '{EVAL_ID}'`: "in single quotes", "cli:echo `echo {PROMPT}`": "in backticks",
	} {
		for _, args := range [][]string{{"--target", target}, {"--target", target, "--dry-run"}, {"--judge", target}} {
			if args[0] == "--judge" && strings.HasPrefix(target, "cli:") {
				continue // which is filled in with nothing
			}
			code, _, stderr := rubric(t, "", append([]string{"run", "a.eval.yaml"}, args...)...)
			if code != 2 || !strings.Contains(stderr, "}` is "+where+", where its text could run as commands; write {") {
				t.Errorf("%v: %d, %s", args, code, stderr)
			}
		}
	}
	if code, stdout, _ := rubric(t, "", "check", "targets.yaml"); code != 1 || strings.Count(stdout, "[misquoted-placeholder]") != 5 {
		t.Errorf("%d\n%s", code, stdout)
	}
	if code, stdout, _ := rubric(t, "", "targets"); code != 1 || strings.Count(stdout, "could run as commands") != 6 {
		t.Errorf("%d\n%s", code, stdout)
	}
	code, stdout, stderr := rubric(t, "", "run", "a.eval.yaml", "--target", `cli:printf %s "$(printf %s {PROMPT})" {EVAL_ID}`, "--format", "json")
	if code == 2 || !strings.Contains(stdout, "touch INJ_P5") {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
	if made, _ := filepath.Glob(filepath.Join(dir, "INJ*")); made != nil {
		t.Errorf("commands ran: %v", made)
	}
}
