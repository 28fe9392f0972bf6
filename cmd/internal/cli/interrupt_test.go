//go:build unix

package cli_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterruptedTwice: a run that is interrupted winds up, and one that is
// interrupted again while it does so ends on the spot. It is held up by a reader
// who takes nothing of what it prints.
func TestInterruptedTwice(t *testing.T) {
	long := strings.Repeat("A long answer. ", 20_000) // more than a pipe takes
	dir := write(t, map[string]string{"x.eval.yaml": three, "long.txt": long})
	binary, fifo := filepath.Join(dir, "rubric"), filepath.Join(dir, "fifo")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/rubric-ls/rubric/cmd/rubric").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	target := "cli:[ {EVAL_ID} = b ] && { echo > " + fifo + "; sleep 60; }; cat " + filepath.Join(dir, "long.txt")
	cmd := exec.Command(binary, "run", filepath.Join(dir, "x.eval.yaml"), "--workers", "1", "--format", "json", "--target", target)
	if _, err := cmd.StdoutPipe(); err != nil { // that nobody reads
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(fifo); err != nil { // ends when the second case is under way
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if said, err := bufio.NewReader(stderr).ReadString('\n'); !strings.Contains(said, "interrupted after 1 case") {
		t.Fatalf("%q, %v", said, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for patience := time.After(time.Minute); ; {
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
			if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGINT {
				t.Errorf("it ended with %v", cmd.ProcessState)
			}
			return
		case <-time.After(100 * time.Millisecond): // the first signal may still be on its way
		case <-patience:
			_ = cmd.Process.Kill()
			t.Fatal("it goes on")
		}
	}
}

// TestInterruptedCheck: a run that is interrupted while its file is still being
// checked asks nobody and leaves nothing behind.
func TestInterruptedCheck(t *testing.T) {
	dir := write(t, map[string]string{"x.jsonl": long(5000)})
	binary, settings := built(t), filepath.Join(dir, ".rubric.yaml")
	if err := syscall.Mkfifo(settings, 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd := exec.Command(binary, "run", filepath.Join(dir, "x.jsonl"), "--target", "cli:touch "+filepath.Join(dir, "asked"), "--out", filepath.Join(dir, "r.jsonl"))
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	held, err := os.OpenFile(settings, os.O_WRONLY, 0) // once they are read, which is before the cases are
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	held.Close()
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || stderr.String() != "rubric: interrupted before the first case\n" {
		t.Errorf("exit status %d, %s", code, stderr.String())
	}
	for _, name := range []string{"asked", "r.jsonl", "r.jsonl.partial", "r.jsonl.lock"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("there is a file %s", name)
		}
	}
}
