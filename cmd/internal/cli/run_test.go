package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

const (
	three = "evalcases:\n" +
		"  - { id: a, expected_outcome: O, input: Q, expected_output: We refund you., rubrics: [Mentions “refund”] }\n" +
		"  - { id: b, expected_outcome: O, input: Q, expected_output: We refund you., rubrics: [Mentions “refund”] }\n" +
		"  - { id: c, expected_outcome: O, input: Q, expected_output: We refund you., rubrics: [Mentions “refund”] }\n"
	coded = "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    expected_output: R\n    evaluators:\n" +
		"      - { name: code, type: code_judge, script: 'cat > seen.json; pwd > where; echo {\\\"score\\\":0.9,\\\"hits\\\":[\\\"$SECRET\\\"]}' }\n"
)

// TestJudges are judges and targets as bad as they come.
func TestJudges(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": good})
	for _, c := range []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{"a judge that answers rubbish", []string{"--judge", "cli:cat >/dev/null; echo rubbish"}, 3, "ungraded|it is not JSON|0 pass, 0 fail, 1 ungraded", ""},
		{"a judge that answers for others", []string{"--judge", `cli:echo '{"checks":[{"id":"x","satisfied":true}]}'`}, 3, "`Mentions “refund”` (missing in the reply, which has `x`)", ""},
		{"a judge that takes too long", []string{"--judge", "cli:sleep 60", "--timeout", "200ms"}, 3, "timed out after 200ms", ""},
		{"a judge that fails", []string{"--judge", "cli:echo no key >&2; exit 4"}, 3, "exited with status 4: no key", ""},
		{"a judge that is not there", []string{"--judge", "cli:no-such-judge"}, 3, "status 127", ""},
		{"a judge that answers well", []string{"--judge", `cli:echo '{"checks":[{"id":"rubric-1","satisfied":true,"reasoning":"so"}],"overall_reasoning":"z"}'`}, 0, "1 pass", ""},
		{"a target that fails", []string{"--target", "cli:echo broken >&2; exit 3"}, 3, "exited with status 3: broken|1 could not be run", ""},
		{"a target that is not there", []string{"--target", "cli:no-such-agent {PROMPT}"}, 3, "could not be reached", ""},
		{"a target that takes too long", []string{"--target", "cli:sleep 60", "--timeout", "200ms"}, 3, "timed out after 200ms", ""},
		{"a target that is misspelt", []string{"--target", "cli:echo {PROMT}"}, 2, "", "unknown placeholder `{PROMT}`"},
		{"a target that answers", []string{"--target", "cli:echo We refund {EVAL_ID}"}, 0, "1 pass", ""},
		{"a recording that is not there", []string{"--replay", filepath.Join(dir, "gone")}, 2, "", "gone: no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := rubric(t, "", append([]string{"run", filepath.Join(dir, "x.eval.yaml")}, c.args...)...)
			if code != c.code {
				t.Errorf("exit status %d, want %d", code, c.code)
			}
			for got, want := range map[string]string{stdout: c.stdout, stderr: c.stderr} {
				for part := range strings.SplitSeq(want, "|") {
					if !strings.Contains(got, part) {
						t.Errorf("%q is not in %q", part, got)
					}
				}
			}
		})
	}
}

// TestRecordAndReplay checks that recorded replies replace the judge under its name, and
// that a question that was not recorded gets no answer.
func TestRecordAndReplay(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": good, "y.eval.yaml": strings.Replace(good, "“refund”", "“label”", 1)})
	recording := filepath.Join(dir, "tape.jsonl")
	if code, _, stderr := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--record", recording, "--out", filepath.Join(dir, "was.jsonl")); code != 0 {
		t.Fatal(stderr)
	}
	for _, replay := range [][]string{{"--replay", recording}, {"--judge", "replay:" + recording}} {
		code, stdout, _ := rubric(t, "", append([]string{"run", filepath.Join(dir, "x.eval.yaml"), "--out", filepath.Join(dir, "is.jsonl")}, replay...)...)
		if code != 0 || !strings.Contains(stdout, "judge offline") || !strings.Contains(stdout, "note:") {
			t.Errorf("%d:\n%s", code, stdout)
		}
		if code, stdout, stderr := rubric(t, "", "runs", "compare", filepath.Join(dir, "was.jsonl"), filepath.Join(dir, "is.jsonl")); code != 0 || !strings.Contains(stdout, "1 tied of 1") {
			t.Errorf("%d:\n%s%s", code, stdout, stderr)
		}
	}
	if code, stdout, _ := rubric(t, "", "run", filepath.Join(dir, "y.eval.yaml"), "--replay", recording); code != 3 || !strings.Contains(stdout, "no recorded answer") {
		t.Errorf("%d:\n%s", code, stdout)
	}
}

// TestReplayOfBytes: an answer that is no UTF-8 is one text to everybody, so that a replay of
// the results asks nobody, and every report is UTF-8.
func TestReplayOfBytes(t *testing.T) {
	t.Chdir(write(t, map[string]string{"x.eval.yaml": good, "answer": "We ref\xff\xfeund \xed\xa0\x80.", "reply": "no \xff JSON"}))
	if code, _, stderr := rubric(t, "", strings.Fields("run x.eval.yaml --target cli:cat<answer --judge cli:cat<reply --record tape --out r.jsonl --out r.html --out r.xml")...); code != 3 {
		t.Fatal(stderr)
	}
	for _, report := range []string{"r.jsonl", "r.html", "r.xml", "tape"} {
		if !utf8.ValidString(readFile(t, report)) {
			t.Errorf("%s is\n%s", report, readFile(t, report))
		}
	}
	if code, stdout, stderr := rubric(t, "", strings.Fields("run x.eval.yaml --target r.jsonl --replay tape")...); code != 3 {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
}

// TestReplayOfSamples: fewer answers than are asked for do not pass for all of them.
func TestReplayOfSamples(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": good, "free.eval.yaml": strings.Replace(good, "rubrics: [Mentions “refund”]", "evaluators: [{ name: free, type: llm_judge }]", 1)})
	for _, file := range []string{"x.eval.yaml", "free.eval.yaml"} {
		for _, profile := range []string{"spec", "agentv", "agentv-head"} {
			line := []string{"run", filepath.Join(dir, file), "--profile", profile, "--samples"}
			recording := filepath.Join(dir, file+profile)
			if code, stdout, stderr := rubric(t, "", append(line, "2", "--record", recording)...); code > 1 {
				t.Fatal(stdout, stderr)
			}
			for samples, lacks := range map[string]bool{"1": false, "2": false, "3": true, "4": true} {
				code, stdout, stderr := rubric(t, "", append(line, samples, "--replay", recording)...)
				if (code == 3) != lacks || strings.Contains(stdout, ", asked 3 times; record the run again") != lacks {
					t.Errorf("%s, %s, %s samples: %d\n%s%s", file, profile, samples, code, stdout, stderr)
				}
			}
		}
	}
}

// TestReplayOfEarlier: what a version of November 2026 recorded answers the questions of
// today, so that nobody pays for them again.
func TestReplayOfEarlier(t *testing.T) {
	dir := filepath.Join("testdata", "recorded")
	_, stdout, _ := rubric(t, "", "run", filepath.Join(dir, "support.eval.yaml"), "--target", filepath.Join(dir, "answers.jsonl"), "--replay", filepath.Join(dir, "tape.jsonl"))
	if !strings.Contains(stdout, "judges: 0 calls and 3 cached answers") || !strings.Contains(stdout, "2 pass, 1 fail; mean score 0.694") {
		t.Error(stdout)
	}
}

// TestCodeGraders run when that is asked for and never because of what a file
// says, see the case and no secret, and work in the file's folder.
func TestCodeGraders(t *testing.T) {
	t.Setenv("SECRET", "hunter2")
	dir := write(t, map[string]string{"sub/x.eval.yaml": coded})
	file := filepath.Join(dir, "sub", "x.eval.yaml")
	code, stdout, _ := rubric(t, "", "run", file)
	if code != 3 || !strings.Contains(stdout, "programs run only with `rubric run FILE --allow-exec`") {
		t.Errorf("%d:\n%s", code, stdout)
	}
	if _, err := os.Stat(filepath.Join(dir, "sub", "seen.json")); err == nil {
		t.Fatal("the grader ran without being allowed to")
	}
	code, stdout, _ = rubric(t, "", "run", "--allow-exec", file)
	if code != 0 || strings.Contains(stdout, "hunter2") {
		t.Errorf("%d:\n%s", code, stdout)
	}
	if seen, err := os.ReadFile(filepath.Join(dir, "sub", "seen.json")); err != nil || !strings.Contains(string(seen), `"candidate_answer": "R"`) {
		t.Errorf("it saw %s, %v", seen, err)
	}
}

// TestNamedProgramsHaveTheEnvironment: a target and a judge that a person names
// on the command line are run as if the person had run them.
func TestNamedProgramsHaveTheEnvironment(t *testing.T) {
	t.Setenv("AGENT_KEY", "k-123")
	dir := write(t, map[string]string{"x.eval.yaml": good})
	_, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--format", "json", "--target", "cli:echo refund by $AGENT_KEY",
		"--judge", `cli:echo "{\"checks\":[{\"id\":\"rubric-1\",\"satisfied\":true,\"reasoning\":\"$AGENT_KEY\"}]}"`)
	if !strings.Contains(stdout, `"candidate_answer": "refund by k-123"`) || !strings.Contains(stdout, `"reasoning": "k-123"`) {
		t.Errorf("%s%s", stdout, stderr)
	}
}

func TestTargetsFile(t *testing.T) {
	t.Setenv("TARGET_MOOD", "bright")
	dir := write(t, map[string]string{
		"evals/x.eval.yaml": good, ".git/HEAD": "", ".env": "GREETING=We refund\nTARGET_MOOD=grim\n", ".agentv/.env": "TARGET_TONE=kindly\nTARGET_NOTE='# whole'\n",
		".agentv/targets.yaml": "targets:\n" +
			"  - { name: canned, provider: mock, response: We refund you. }\n" +
			"  - { name: agent, provider: cli, command_template: 'echo ${{ GREETING }} {PROMPT}', timeout_seconds: 20, healthcheck: { type: command, command_template: 'true' } }\n" +
			"  - { name: handed, provider: cli, command_template: 'echo \"$GREETING $TARGET_TONE, $TARGET_MOOD, $TARGET_NOTE\"', healthcheck: { type: command, command_template: 'test \"$TARGET_TONE\" = kindly' } }\n" +
			"  - { name: sick, provider: cli, command_template: echo, healthcheck: { type: command, command_template: 'echo down >&2; false' } }\n" +
			"  - { name: slow, provider: cli, command_template: 'sleep 60', timeout_seconds: 60 }\n" +
			"  - { name: mock, provider: mock, response: We refund you. }\n  - { name: cli, provider: cli, command_template: echo We refund you. }\n" +
			"  - { name: cloud, provider: vscode }\n",
		"other.yaml": "targets:\n  - { name: keyless, provider: cli, command_template: 'echo ${{ NOBODY_SET_THIS }}' }\n",
	})
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--target canned", 0, "target canned"},
		{"--target agent", 0, "1 pass"},
		{"--target mock", 0, "1 pass"},
		{"--target cli", 0, "1 pass"},
		{"--target handed --format json", 0, `"candidate_answer": "We refund kindly, bright, # whole"`},
		{"--target sick", 3, "target `sick`: it could not be reached: its healthcheck failed: the command exited with status 1: down"},
		{"--target slow --timeout 100ms", 3, "`sleep`: timed out after 100ms"},
		{"--target cloud", 2, "the provider `vscode` is not supported: its agent works in a window"},
		{"--target agnet", 2, "there is no target `agnet`; did you mean `agent`?"},
		{"--target keyless --targets DIR/other.yaml", 2, "not set in the environment or a .env file beside or above the targets file: NOBODY_SET_THIS"},
	} {
		args := append([]string{"run", filepath.Join(dir, "evals", "x.eval.yaml")}, strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
		code, stdout, stderr := rubric(t, "", args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: %d\n%s%s", c.args, code, stdout, stderr)
		}
	}
}

// TestTargetsAreOpenedFirst: no case is graded before all targets are known to be
// there.
func TestTargetsAreOpenedFirst(t *testing.T) {
	dir := write(t, map[string]string{
		"one/x.eval.yaml": good, "one/targets.yaml": "targets: [{ name: it, provider: cli, command_template: 'echo x > asked' }]\n",
		"two/x.eval.yaml": good, "two/targets.yaml": "targets: [{ name: other, provider: mock }]\n",
	})
	code, _, stderr := rubric(t, "", "run", filepath.Join(dir, "one", "x.eval.yaml"), filepath.Join(dir, "two", "x.eval.yaml"), "--target", "it")
	if _, err := os.Stat(filepath.Join(dir, "one", "asked")); code != 2 || err == nil || !strings.Contains(stderr, "there is no target `it`") {
		t.Errorf("%d, %v, %s", code, err, stderr)
	}
}

// TestReferences checks that referenced prompts and files are read from the eval file's
// folder or above, and that a missing file is reported.
func TestReferences(t *testing.T) {
	body := "evalcases:\n  - id: a\n    expected_outcome: O\n    input: [{ role: user, content: [{ type: text, value: Read this. }, { type: file, value: /docs/policy.md }, { type: file, value: gone.md }] }]\n" +
		"    expected_output: R\n    evaluators:\n      - { name: own, type: llm_judge, prompt: prompts/judge.md }\n"
	dir := write(t, map[string]string{"evals/x.eval.yaml": body, "evals/prompts/judge.md": "JUDGE {{ question }} {{ candidate_answer }}", "docs/policy.md": "Thirty days.", ".git/HEAD": ""})
	reply := `cat >> ` + filepath.Join(dir, "asked") + `; echo '{"score":1,"hits":[],"misses":[]}'`
	code, _, stderr := rubric(t, "", "run", filepath.Join(dir, "evals", "x.eval.yaml"), "--judge", "cli:"+reply)
	asked, _ := os.ReadFile(filepath.Join(dir, "asked"))
	if code != 0 || !strings.Contains(string(asked), `JUDGE Read this.\n\n\u003cfile path=\"docs/policy.md\"\u003e\nThirty days.\n\u003c/file\u003e R`) {
		t.Errorf("%d %s: asked %s", code, stderr, asked)
	}
	if !strings.Contains(stderr, "`gone.md`") || !strings.Contains(stderr, "1 warning; see `rubric check ") {
		t.Errorf("what is missing is not told: %s", stderr)
	}
}

// TestOut writes every format in addition to the table, and checks that an old file is
// replaced only by a complete one.
func TestOut(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": three, "r.json": `{"totals": {}}`})
	out := func(name string) string { return filepath.Join(dir, name) }
	code, stdout, stderr := rubric(t, "", "run", out("x.eval.yaml"), "--out", out("r.jsonl"), "--out", out("r.json"), "--out", out("r.xml"), "--out", out("r.html"))
	if code != 0 || !strings.Contains(stdout, "3 pass") {
		t.Fatalf("%d %s", code, stderr)
	}
	for name, part := range map[string]string{"r.jsonl": `{"eval_id":"a",`, "r.json": `"mean_score": 1`, "r.xml": "<testsuites", "r.html": "<!doctype html>"} {
		if body, err := os.ReadFile(out(name)); err != nil || !strings.Contains(string(body), part) {
			t.Errorf("%s: %v, %.80s", name, err, body)
		}
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 6 { // with r.json.previous
		t.Errorf("something is left behind: %v", entries)
	}
	if lines, _ := os.ReadFile(out("r.jsonl")); strings.Count(string(lines), "\n") != 3 {
		t.Errorf("%s", lines)
	}
}

// TestUnwritableOutputsAskNobody checks that outputs are tested before anything is
// contacted.
func TestUnwritableOutputsAskNobody(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": good, "bare.eval.yaml": strings.Replace(good, "    rubrics: [Mentions “refund”]\n", "", 1), "taken.html/x": "", "taken.jsonl/x": ""})
	at := func(name string) string { return filepath.Join(dir, name) }
	judge := "cli:touch " + at("asked") + "; cat"
	for _, name := range []string{"x.eval.yaml", "bare.eval.yaml"} {
		if err := os.Chmod(at(name), 0o400); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", at("x.eval.yaml"), "--out", at("none/r.html")}, "rubric: run: --out " + at("none/r.html") + ": no such file or folder; the folder " + at("none") + " is missing\n"},
		{[]string{"run", at("x.eval.yaml"), "--out", at("taken.html")}, "rubric: run: --out " + at("taken.html") + ": is not a regular file\n"},
		{[]string{"run", at("x.eval.yaml"), "--out", at("taken.jsonl")}, "rubric: run: --out " + at("taken.jsonl") + ": is not a regular file\n"},
		{[]string{"generate", "rubrics", at("bare.eval.yaml")}, "rubric: generate rubrics: " + at("bare.eval.yaml") + ": permission denied, the file is read-only\n"},
	} {
		code, stdout, stderr := rubric(t, "", append(c.args, "--judge", judge)...)
		if code != 2 || stdout != "" || stderr != c.want {
			t.Errorf("%v: %d, %s%s", c.args, code, stdout, stderr)
		}
	}
	if code, _, stderr := rubric(t, "", "generate", "rubrics", at("x.eval.yaml"), "--judge", judge); code != 0 {
		t.Errorf("a file that needs nothing: %d, %s", code, stderr)
	}
	if _, err := os.Stat(at("asked")); err == nil {
		t.Error("the judge was asked")
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 4 {
		t.Errorf("something is left behind: %v", entries)
	}
}

// TestNothingReadIsWritten: a file that a run reads is never one that it writes.
func TestNothingReadIsWritten(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": good, "cases.jsonl": `{"id":"a","expected_outcome":"O","input":"Q","expected_output":"R"}` + "\n", "ans.jsonl": `{"eval_id":"a","answer":"R"}` + "\n"})
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{at("cases.jsonl"), "--out", at("cases.jsonl")}, {at("x.eval.yaml"), "--record", at("x.eval.yaml")},
		{at("x.eval.yaml"), "--target", at("ans.jsonl"), "--out", at("ans.jsonl")}, {at("x.eval.yaml"), "--out", at("q.json"), "--record", at("q.json")},
		{at("x.eval.yaml"), "--out", at("q.json"), "--out", filepath.Join(dir, ".", "q.json")},
	} {
		if code, _, stderr := rubric(t, "", append([]string{"run"}, args...)...); code != 2 || !strings.Contains(stderr, "also reads or writes it") {
			t.Errorf("%v: %d, %s", args, code, stderr)
		}
	}
}

// TestThreshold: what makes a run fail is named in every report.
func TestThreshold(t *testing.T) {
	code, stdout, _ := rubric(t, "", "run", quickstart, "--threshold", "0.9")
	if code != 1 || !strings.Contains(stdout, "with the threshold 0.9 these do not pass: reset-password") {
		t.Errorf("%d:\n%s", code, stdout)
	}
	if _, junit, _ := rubric(t, "", "run", quickstart, "--threshold", "0.9", "--format", "junit"); !strings.Contains(junit, `failures="1"`) {
		t.Errorf("%.300s", junit)
	}
	if code, stdout, _ = rubric(t, "", "run", quickstart, "--threshold", "0.8"); code != 0 || !strings.Contains(stdout, "all cases pass") {
		t.Errorf("%d:\n%s", code, stdout)
	}
}

// TestFullDisk checks that a full output stream is reported as an error.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Logf("there is no /dev/full here: %v", err)
		return
	}
	defer full.Close()
	for _, args := range [][]string{
		{"run", quickstart}, {"run", quickstart, "--format", "json"}, {"check", "--format", "json", quickstart}, {"schema", "agentv"}, {"explain"}, {"version"}, {"check", "--help"}, {"--help"},
	} {
		var stderr strings.Builder
		if code := cli.Main(args, strings.NewReader(""), full, &stderr); code != 2 || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%v: %d, %s", args, code, stderr.String())
		}
	}
	dir := write(t, map[string]string{"x.eval.yaml": three})
	asked := filepath.Join(dir, "asked")
	code, stdout, _ := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--record", "/dev/full", "--workers", "1", "--judge", "cli:echo >> "+asked+"; echo '{\"checks\":[]}'")
	if calls, err := os.ReadFile(asked); err != nil || len(calls) != 1 || code != 3 || !strings.Contains(stdout, "gave no answer in 3 of 3 cases: 1 of 1 criteria ungraded: `Mentions “refund”` (the judge gave no answer: judge record: ") {
		t.Errorf("%d, %q asked, %v:\n%s", code, calls, err, stdout)
	}
}

// TestInfiniteWeight: a case with an infinite weight is left out; the others are run, and
// every format can be written.
func TestInfiniteWeight(t *testing.T) {
	dir := write(t, map[string]string{"x.eval.yaml": "evalcases:\n" +
		"  - { id: a, input: Hi, expected_output: Hello there, expected_outcome: O, rubrics: [{ id: x, expected_outcome: Mentions “Hello”, weight: .inf }] }\n" +
		"  - { id: b, input: Hi, expected_output: Hello there, expected_outcome: O, rubrics: [{ id: x, expected_outcome: Mentions “Hello” }] }\n"})
	for _, format := range []string{"text", "json", "jsonl", "html", "junit"} {
		code, out, stderr := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--ignore-errors", "--verbose", "--format", format)
		if code == 0 || code == 2 || !strings.Contains(stderr, "the case `a` is left out: `weight` is .inf") || !strings.Contains(out, "Mentions “Hello”") {
			t.Errorf("%s: %d %s\n%s", format, code, stderr, out)
		}
	}
}
