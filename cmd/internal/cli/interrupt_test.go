//go:build unix

package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
	if testing.Short() {
		t.Skip("long")
	}
	for name, c := range map[string]struct {
		argv   []string
		signal syscall.Signal
		exit   int
	}{
		"in the foreground":            {signal: syscall.SIGINT, exit: -1},
		"started to ignore interrupts": {argv: []string{"sh", "-c", `trap "" INT; exec "$0" "$@"`}, signal: -1, exit: 130},
	} {
		t.Run(name, func(t *testing.T) {
			status := interruptTwice(t, c.argv...)
			if status.ExitStatus() != c.exit || status.Signal() != c.signal {
				t.Errorf("it ended with exit status %d, signal %v", status.ExitStatus(), status.Signal())
			}
		})
	}
}

// interruptTwice interrupts a run, started by the command argv, until it ends.
func interruptTwice(t *testing.T, argv ...string) syscall.WaitStatus {
	long := strings.Repeat("A long answer. ", 20_000) // more than a pipe takes
	dir := write(t, map[string]string{"x.eval.yaml": three, "long.txt": long})
	binary, fifo := buildBinary(t), filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	target := "cli:[ {EVAL_ID} = b ] && { echo > " + fifo + "; sleep 60; }; cat " + filepath.Join(dir, "long.txt")
	argv = append(argv, binary, "run", filepath.Join(dir, "x.eval.yaml"), "--workers", "1", "--format", "json", "--target", target)
	cmd := exec.Command(argv[0], argv[1:]...)
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
	if line, err := bufio.NewReader(stderr).ReadString('\n'); !strings.Contains(line, "interrupted after 1 case") {
		t.Fatalf("%q, %v", line, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for patience := time.After(time.Minute); ; {
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
			return cmd.ProcessState.Sys().(syscall.WaitStatus)
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
	if testing.Short() {
		t.Skip("long")
	}
	dir := t.TempDir()
	binary, file := buildBinary(t), filepath.Join(dir, "x.yaml")
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd := exec.Command(binary, "run", file, "--target", "cli:touch "+filepath.Join(dir, "asked"), "--out", filepath.Join(dir, "r.jsonl"))
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	held, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	body := "evalcases:\n"
	for n := range 5000 {
		body += fmt.Sprintf("  - { id: case-%d, expected_outcome: O, input: Q, rubrics: [says `R`] }\n", n)
	}
	if _, err := held.WriteString(body); err != nil { // returns when all but a pipe's buffer is read
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	held.Close()
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || stderr.String() != "rubric: interrupted before the first case\n" {
		t.Errorf("exit status %d, %s", code, stderr.String())
	}
	for _, name := range []string{"asked", "r.jsonl", "r.jsonl.partial", "r.jsonl.lock"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("there is a file %s", name)
		}
	}
}

// TestInterruptedReading: where nothing is done yet, an interrupt ends at once what waits
// for a file that does not come to its end.
func TestInterruptedReading(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := write(t, map[string]string{"x.eval.yaml": three, "x.labels.yaml": "labels: { a: { rubric-1: true } }\n"})
	binary := buildBinary(t)
	for name, args := range map[string]string{
		"an eval file": "run FIFO", "recorded answers": "run x.eval.yaml --target replay:FIFO", "labels": "calibrate x.eval.yaml --labels FIFO",
		"results": "calibrate x.eval.yaml --run FIFO", "a file to draft for": "generate rubrics FIFO",
	} {
		fifo := filepath.Join(t.TempDir(), "fifo.yaml")
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
		var stderr strings.Builder
		cmd := exec.Command(binary, strings.Fields(strings.ReplaceAll(args, "FIFO", fifo))...)
		cmd.Dir, cmd.Stderr = dir, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		held, err := os.OpenFile(fifo, os.O_WRONLY, 0) // once it is being read
		if err != nil {
			t.Fatal(err)
		}
		stuck := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		stuck.Stop()
		held.Close()
		if code := cmd.ProcessState.ExitCode(); code != 130 || stderr.String() != "rubric: interrupted before the first case\n" {
			t.Errorf("%s: exit status %d, %s", name, code, stderr.String())
		}
	}
}

// TestInterruptedFirst checks that --resume is suggested only if results are stored.
func TestInterruptedFirst(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := write(t, map[string]string{"x.eval.yaml": three})
	binary, fifo := buildBinary(t), filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	if code, _, stderr := rubric(t, "", "run", at("x.eval.yaml"), "--target", "mock:No.", "--out", at("earlier.jsonl")); code != 1 {
		t.Fatal(stderr)
	}
	if err := os.Rename(at("earlier.jsonl"), at("earlier.jsonl.partial")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, args, want string }{
		{"printed", "", "rubric: interrupted before a case was finished\n"},
		{"nothing kept", "--out r.jsonl", "rubric: interrupted before a case was finished\n"},
		{"an earlier run's", "--out earlier.jsonl --resume", "rubric: interrupted before a case was finished; continue with --resume\n"},
	} {
		var stderr strings.Builder
		args := append([]string{"run", "x.eval.yaml", "--workers", "1", "--target", "cli:echo > " + fifo + "; sleep 60"}, strings.Fields(c.args)...)
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Stderr = dir, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.ReadFile(fifo); err != nil { // ends when the first case is under way
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 130 || stderr.String() != c.want {
			t.Errorf("%s: exit status %d, %s", c.name, code, stderr.String())
		}
	}
	for name, there := range map[string]bool{"r.jsonl.partial": false, "earlier.jsonl.partial": true} {
		if _, err := os.Stat(at(name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAgentGone: a run ends, and is not paid for any longer, once its agent is gone or has interrupted the server.
func TestAgentGone(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	asked := make(chan struct{}, 10)
	model := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer model.Close()
	binary, dir := buildBinary(t), write(t, map[string]string{"x.eval.yaml": three})
	for name, leave := range map[string]func(*exec.Cmd, io.Closer) error{
		"the input ends": func(_ *exec.Cmd, stdin io.Closer) error { return stdin.Close() },
		"an interrupt":   func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Signal(os.Interrupt) },
	} {
		cmd := exec.Command(binary, "mcp")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "OPENAI_API_KEY=k", "OPENAI_BASE_URL="+model.URL)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(stdin, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"sh","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run_cases","arguments":{"path":"x.eval.yaml","target":"self","judge":"openai:m"}}}`+"\n"); err != nil {
			t.Fatal(err)
		}
		stuck := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		<-asked
		if err := leave(cmd, stdin); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		stuck.Stop()
		if code := cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("%s: exit status %d", name, code)
		}
	}
}
