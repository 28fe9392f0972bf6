//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestInterruptAndResume stops a real process in the middle of its second case:
// what it has done stays, another run does not write over it, and --resume goes
// on from there without asking for the first case again.
func TestInterruptAndResume(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := write(t, map[string]string{"x.eval.yaml": three})
	binary := buildBinary(t)
	fifo, log, result := filepath.Join(dir, "fifo"), filepath.Join(dir, "log"), filepath.Join(dir, "r.jsonl")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	answer := "echo {EVAL_ID} >> " + log + "; echo We refund you."
	args := []string{"run", filepath.Join(dir, "x.eval.yaml"), "--out", result, "--workers", "1", "--target"}

	cmd := exec.Command(binary, append(args, "cli:[ {EVAL_ID} = b ] && { echo > "+fifo+"; sleep 60; }; "+answer)...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(fifo); err != nil { // ends when the second case is under way
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(stderr.String(), "interrupted after 1 case; continue with --resume") {
		t.Fatalf("exit status %d\n%s%s", code, stdout.String(), stderr.String())
	}
	journal, err := os.ReadFile(result + ".partial")
	if err != nil || strings.Count(string(journal), "\n") != 1 || !strings.Contains(string(journal), `"eval_id":"a"`) {
		t.Fatalf("kept %s, %v", journal, err)
	}
	if _, err := os.Stat(result); err == nil {
		t.Error("an interrupted run wrote a result file")
	}

	code, out, message := rubric(t, "", append(args, "cli:"+answer)...)
	if code != 2 || !strings.Contains(message, "holds the records of an interrupted run") {
		t.Errorf("without --resume: %d, %s%s", code, out, message)
	}
	// The answer's target has another name now; the same one would be asked for
	// the cases that are left only.
	if err := os.WriteFile(result+".partial", []byte(strings.ReplaceAll(string(journal), `"target":"cli:`, `"target":"was:`)+`{"cut o`), 0o644); err != nil {
		t.Fatal(err)
	}
	os.Remove(log)
	code, out, message = rubric(t, "", append(args, "cli:"+answer, "--resume")...)
	if code != 0 || !strings.Contains(message, "r.jsonl.partial: its last line is incomplete and was dropped; that case is graded again") {
		t.Fatalf("%d\n%s%s", code, out, message)
	}
	if asked, _ := os.ReadFile(log); string(asked) != "a\nb\nc\n" {
		t.Errorf("another target is asked for %q", asked)
	}
	os.Remove(log)
	if code, out, message := rubric(t, "", append(args, "cli:"+answer, "--resume")...); code != 0 || !strings.Contains(out, "3 pass") || strings.Contains(message, "is incomplete") {
		t.Fatalf("%d\n%s%s", code, out, message)
	}
	if asked, err := os.ReadFile(log); err == nil {
		t.Errorf("what was graded is asked for again: %s", asked)
	}
	if lines, _ := os.ReadFile(result); strings.Count(string(lines), "\n") != 3 {
		t.Errorf("the results are\n%s", lines)
	}
	for _, leftover := range []string{".partial", ".lock"} {
		if _, err := os.Stat(result + leftover); err == nil {
			t.Errorf("%s is left behind", leftover)
		}
	}
}

// writeLoggers are a case, a target and a judge, in the folder that the test goes to. They log
// that they are asked, as TARGET and as TONE or FACTS, if that is in the question. Who is
// away fails: FACTS every time, FACTS2 the second time.
func writeLoggers(t *testing.T, graders, away string) (asked func() string) {
	dir := write(t, map[string]string{
		"x.eval.yaml": "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Broken?\n    execution: { evaluators: [" + graders + "] }\n",
		"away":        away,
		"target.sh":   "#!/bin/sh\necho TARGET >> asked; grep -q TARGET away && exit 1; echo We refund you.\n",
		"judge.sh":    "#!/bin/sh\nwho=$(grep -oE 'TONE|FACTS' | head -1); echo $who >> asked; grep -qE \"$who($(grep -c $who asked)|\\$)\" away && exit 1\necho '{\"score\":1,\"hits\":[],\"misses\":[],\"reasoning\":\"r\"}'\n",
		"code.sh":     "#!/bin/sh\necho CODE >> asked; echo '{\"score\":1}'\n",
	})
	for _, name := range []string{"target.sh", "judge.sh", "code.sh"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return func() string {
		log, _ := os.ReadFile("asked")
		return strings.Join(strings.Fields(string(log)), " ")
	}
}

// TestAnswersStand: a resumed run asks a target again only where what is ungraded cannot
// be graded by the answer that it has, and who has graded is not asked again either.
func TestAnswersStand(t *testing.T) {
	const judges = "{ name: tone, type: llm_judge, prompt: 'Is TONE kind? {{ candidate_answer }}' }, { name: facts, type: llm_judge, prompt: 'Are the FACTS right? {{ candidate_answer }}' }"
	const same = "{ name: one, type: llm_judge, prompt: 'FACTS? {{ candidate_answer }}' }, { name: two, type: llm_judge, prompt: 'FACTS? {{ candidate_answer }}' }, { name: three, type: llm_judge, prompt: 'FACTS? {{ candidate_answer }}' }"
	for _, c := range []struct {
		name, graders string
		away          string // whom the first run does not reach: TARGET, TONE or FACTS
		between       string // what a shell does between the runs
		args          string
		code          int
		asked         string // by the second run, in order
		want          string
	}{
		{"a judge that was away", judges, "FACTS", "", "", 0, "FACTS", "rubric: 1 answer reused from an earlier run; totals of calls, tokens and cost include them\n"},
		{"and still is", judges, "FACTS", "echo FACTS > away", "", 3, "FACTS", "1 answer reused"},
		{"a target that was away", judges, "TARGET", "", "", 0, "TARGET TONE FACTS", ""},
		{"another target", judges, "FACTS", "", "--target mock:Yes", 0, "TONE FACTS", "set aside"},
		{"a panel", judges, "FACTS", "cp judge.sh other.sh", "--judge cli:./other.sh", 0, "TARGET TONE TONE FACTS FACTS", "set aside"},
		{"more samples", judges, "FACTS", "", "--samples 2", 0, "TARGET TONE TONE FACTS FACTS", "set aside"},
		{"a case that has changed", judges, "FACTS", "sed -i.was s/Broken/Late/ x.eval.yaml", "", 0, "TARGET TONE FACTS", "set aside in "},
		{"programs that are not allowed", judges + ", { name: code, type: code_judge, script: [./code.sh] }", "FACTS", "", "", 3, "FACTS", "1 answer reused"},
		{"programs that are now", judges + ", { name: code, type: code_judge, script: [./code.sh] }", "", "", "--allow-exec", 0, "TARGET TONE FACTS CODE", ""},
		{"programs that are now, and a target that is away", judges + ", { name: code, type: code_judge, script: [./code.sh] }", "", "echo TARGET > away", "--allow-exec", 3, "TARGET", "set aside in r.jsonl.earlier: 1 earlier result"},
		{"what nobody judges", judges + ", { name: calls, type: tool_trajectory, mode: any_order, minimums: { search: 1 } }", "", "", "", 3, "", "1 answer reused"},
		{"a prompt with messages", "{ name: facts, type: llm_judge, prompt: 'FACTS? {{ output_messages }}' }", "FACTS", "", "", 0, "TARGET FACTS", ""},
		{"members", "{ name: all, type: composite, evaluators: [" + judges + "], aggregator: { type: weighted_average } }", "FACTS", "", "", 0, "FACTS", "1 answer reused"},
		{"evaluators that ask the same", same, "FACTS2", "", "", 0, "FACTS", "1 answer reused"},
		{"members that ask the same", "{ name: all, type: composite, evaluators: [" + same + "], aggregator: { type: weighted_average } }", "FACTS3", "", "", 0, "FACTS", "1 answer reused"},
		{"members that compare calls", "{ name: all, type: composite, evaluators: [" + judges + ", { name: calls, type: tool_trajectory, mode: any_order, minimums: { search: 1 } }], aggregator: { type: weighted_average } }", "FACTS", "", "", 3, "TARGET TONE FACTS", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := writeLoggers(t, c.graders, c.away)
			line := "run x.eval.yaml --target cli:./target.sh --judge cli:./judge.sh --out r.jsonl"
			if code, stdout, stderr := rubric(t, "", strings.Fields(line)...); code == 0 && c.away != "" {
				t.Fatalf("the first run: %d\n%s%s", code, stdout, stderr)
			}
			if output, err := exec.Command("sh", "-c", "rm asked; : > away; "+c.between).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, output)
			}
			if strings.Contains(c.args, "--target") {
				line = strings.Replace(line, "--target cli:./target.sh", "", 1)
			}
			code, stdout, stderr := rubric(t, "", strings.Fields(line+" --resume "+c.args)...)
			if got := asked(); code != c.code || got != c.asked || !strings.Contains(stderr, c.want) || c.want == "" && strings.Contains(stderr, "reused") || strings.Contains(stderr, "set aside") != strings.Contains(c.want, "set aside") {
				t.Errorf("%d, asked are %q\n%s%s", code, got, stdout, stderr)
			}
		})
	}
}

// TestOpinionsStand: of several samples, and of a panel, who gave an opinion is not asked
// for it again.
func TestOpinionsStand(t *testing.T) {
	for _, c := range []struct{ name, args, away, asked string }{
		{"samples", "--samples 2", "FACTS2", "FACTS"},
		{"a panel", "--judge cli:./other.sh", "FACTS2", "FACTS"},
		{"samples of a panel", "--judge cli:./other.sh --samples 2", "FACTS3 FACTS4", "FACTS FACTS"},
		{"later versions", "--samples 2 --profile agentv-head", "FACTS", "FACTS FACTS"},
	} {
		asked := writeLoggers(t, "{ name: all, type: composite, evaluators: [{ name: tone, type: llm_judge, prompt: 'TONE? {{ candidate_answer }}' }, { name: facts, type: llm_judge, prompt: 'FACTS? {{ candidate_answer }}' }], aggregator: { type: weighted_average } }", c.away)
		line := strings.Fields("run x.eval.yaml --target cli:./target.sh --judge cli:./judge.sh --out r.jsonl " + c.args)
		if output, err := exec.Command("cp", "judge.sh", "other.sh").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		if code, stdout, stderr := rubric(t, "", line...); code == 0 {
			t.Fatalf("%s: the first run\n%s%s", c.name, stdout, stderr)
		}
		if err := os.WriteFile("away", nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove("asked"); err != nil {
			t.Fatal(err)
		}
		if code, stdout, stderr := rubric(t, "", append(line, "--resume")...); code != 0 || asked() != c.asked {
			t.Errorf("%s: %d, asked are %q\n%s%s", c.name, code, asked(), stdout, stderr)
		}
		resumed := readFile(t, "r.jsonl")
		if code, stdout, stderr := rubric(t, "", line...); code != 0 || readFile(t, "r.jsonl") != resumed {
			t.Errorf("%s: not as of one run: %d\n%s%s\n%s", c.name, code, stdout, stderr, resumed)
		}
	}
}

// TestInterruptedJudge: what a case was answered is kept of a run that is interrupted while
// it is judged.
func TestInterruptedJudge(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := write(t, map[string]string{"x.eval.yaml": three, "judge.sh": "[ -p fifo ] && { echo > fifo; sleep 60; }; echo '{}'\n"})
	binary := buildBinary(t)
	t.Chdir(dir)
	if err := syscall.Mkfifo("fifo", 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "x.eval.yaml", "--workers", "1", "--case", "a", "--target", "cli:echo {EVAL_ID} >> asked; echo We refund you.", "--judge", "cli:sh judge.sh", "--out", "r.jsonl"}
	cmd := exec.Command(binary, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile("fifo"); err != nil { // ends when the judge is asked
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if !strings.Contains(stderr.String(), "interrupted before a case was finished; continue with --resume") {
		t.Fatalf("%v\n%s", cmd.ProcessState, stderr.String())
	}
	if err := os.Remove("fifo"); err != nil {
		t.Fatal(err)
	}
	code, out, resumed := rubric(t, "", append(args, "--resume")...)
	if asked, _ := os.ReadFile("asked"); code != 3 || string(asked) != "a\n" || !strings.Contains(resumed, "1 answer reused") || !strings.Contains(out, "0 pass, 0 fail, 1 ungraded") {
		t.Errorf("%d, asked for %q\n%s%s", code, asked, out, resumed)
	}
}
