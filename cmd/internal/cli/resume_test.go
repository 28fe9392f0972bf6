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
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "interrupted after 1 case; go on with --resume") {
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
	if code != 0 || !strings.Contains(message, "r.jsonl.partial: its last line breaks off and is left out; that case is graded again") {
		t.Fatalf("%d\n%s%s", code, out, message)
	}
	if asked, _ := os.ReadFile(log); string(asked) != "a\nb\nc\n" {
		t.Errorf("another target is asked for %q", asked)
	}
	os.Remove(log)
	if code, out, message := rubric(t, "", append(args, "cli:"+answer, "--resume")...); code != 0 || !strings.Contains(out, "3 pass") || strings.Contains(message, "breaks off") {
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
