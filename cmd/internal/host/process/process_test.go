//go:build unix

package process_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/cmd/internal/host/process"
	"github.com/rubric-ls/rubric/core/grade"
)

func TestRunReportsHowAProgramEnded(t *testing.T) {
	tests := []struct {
		name           string
		command        process.Command
		stdout, failed string
		exit           int
	}{
		{"prints and reads", process.Command{Argv: process.ShellArgv("cat; echo bye"), Stdin: []byte("hi ")}, "hi bye\n", "", 0},
		{"exits 3 after printing", process.Command{Argv: process.ShellArgv("echo x; exit 3")}, "x\n", "", 3},
		{"never reads a large input", process.Command{Argv: process.ShellArgv("echo ok"), Stdin: make([]byte, 4<<20)}, "ok\n", "", 0},
		{"is not there", process.Command{Argv: []string{"no-such-program-here"}}, "", "`no-such-program-here` was not found", -1},
		{"no command", process.Command{}, "", "no command", -1},
		{"hangs", process.Command{Argv: process.ShellArgv("sleep 60"), Timeout: 300 * time.Millisecond}, "", "timed out after 300ms", -1},
		{"hangs with a child that keeps the pipe", process.Command{Argv: process.ShellArgv("sleep 60 & sleep 60"), Timeout: 300 * time.Millisecond}, "", "timed out", -1},
		{"dies by a signal", process.Command{Argv: process.ShellArgv("kill -9 $$")}, "", "signal: killed", -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := process.Run(t.Context(), tt.command)
			if string(out.Stdout) != tt.stdout || out.Code != tt.exit {
				t.Errorf("got %q, exit %d", out.Stdout, out.Code)
			}
			if (err != nil) != (tt.failed != "") || err != nil && !strings.Contains(err.Error(), tt.failed) {
				t.Errorf("got error %v, want %q", err, tt.failed)
			}
		})
	}
}

func TestRunStopsAFlood(t *testing.T) {
	out, err := process.Run(t.Context(), process.Command{Argv: process.ShellArgv("yes")})
	if err == nil || !strings.Contains(err.Error(), "printed more than 8 MiB") || len(out.Stdout) != process.MaxOutput {
		t.Errorf("got %d bytes, %v", len(out.Stdout), err)
	}
}

func TestRunHidesTheEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	out, err := process.Run(t.Context(), process.Command{Argv: process.ShellArgv("env")})
	if text := string(out.Stdout); err != nil || strings.Contains(text, "secret") || !strings.Contains(text, "PATH=") {
		t.Errorf("environment:\n%s", text)
	}
}

// TestRunLeavesNothingRunning: what a program has started ends with it. It holds a
// pipe, whose end is its own.
func TestRunLeavesNothingRunning(t *testing.T) {
	alive := filepath.Join(t.TempDir(), "alive")
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := process.Run(ctx, process.Command{Argv: process.ShellArgv("sleep 120 > " + alive + " & sleep 120")})
		done <- err
	}()
	held, err := os.Open(alive) // which waits until it runs
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	cancel()
	if <-done == nil {
		t.Error("a cancelled program ended well")
	}
	gone := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, held)
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(time.Minute):
		t.Error("what a program started outlived it")
	}
}

// TestExec runs graders as bad as they come.
func TestExec(t *testing.T) {
	dir := t.TempDir()
	hosttest.Put(t, filepath.Join(dir, "sub", "here"), "x")
	exec := process.ProgramExec(filepath.Join(dir, "x.eval.yaml"), time.Minute)
	for _, c := range []struct {
		name    string
		command grade.Command
		stdout  string
		code    int
		failed  string
	}{
		{"reads and prints", grade.Command{Argv: []string{"cat"}, Stdin: []byte("in")}, "in", 0, ""},
		{"works in the eval file's folder", grade.Command{Argv: []string{"ls"}}, "sub\n", 0, ""},
		{"works in the folder that it names", grade.Command{Argv: []string{"ls"}, Dir: "sub"}, "here\n", 0, ""},
		{"names a folder that is not there", grade.Command{Argv: []string{"ls"}, Dir: "gone"}, "", -1, "the folder `" + filepath.Join(dir, "gone") + "` was not found"},
		{"names a file as its folder", grade.Command{Argv: []string{"ls"}, Dir: "sub/here"}, "", -1, "here` was not found"},
		{"fails", grade.Command{Argv: []string{"sh", "-lc", "echo x; exit 3"}}, "x\n", 3, ""},
		{"leaves a child that keeps its output open", grade.Command{Argv: []string{"sh", "-c", "echo a; trap '' HUP; sleep 600 &"}}, "a\n", 0, ""},
		{"reads none of much", grade.Command{Argv: []string{"echo", "ok"}, Stdin: make([]byte, 8<<20)}, "ok\n", 0, ""},
		{"closes its input", grade.Command{Argv: []string{"sh", "-c", "exec <&-; echo ok"}, Stdin: make([]byte, 8<<20)}, "ok\n", 0, ""},
		{"is not there", grade.Command{Argv: []string{"no-such-grader"}}, "", -1, "`no-such-grader` was not found"},
		{"is not there, as a path", grade.Command{Argv: []string{"./no-such-grader"}}, "", -1, "`./no-such-grader` was not found"},
		{"is nothing", grade.Command{}, "", -1, "there is no command to run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := exec(t.Context(), c.command)
			if string(out.Stdout) != c.stdout || out.Code != c.code {
				t.Errorf("got %q, status %d, and %q on standard error", out.Stdout, out.Code, out.Stderr)
			}
			if (err != nil) != (c.failed != "") || err != nil && !strings.Contains(err.Error(), c.failed) {
				t.Errorf("got error %v, want %q", err, c.failed)
			}
		})
	}
	exec = process.ProgramExec("x.eval.yaml", 300*time.Millisecond)
	out, err := exec(t.Context(), grade.Command{Argv: []string{"sh", "-lc", "sleep 600 & sleep 600"}})
	if err == nil || err.Error() != "timed out after 300ms" || out.Code != -1 {
		t.Errorf("of one that sleeps for ever with a child: status %d, error %v", out.Code, err)
	}
}

// TestExecStopsAGigabyte: neither stream of a program is kept beyond its cap.
func TestExecStopsAGigabyte(t *testing.T) {
	exec := process.ProgramExec("x.eval.yaml", time.Minute)
	for name, line := range map[string]string{
		"standard output": "head -c 1000000000 /dev/zero",
		"standard error":  "head -c 1000000000 /dev/zero >&2",
	} {
		out, err := exec(t.Context(), grade.Command{Argv: []string{"sh", "-lc", line}})
		if err == nil || !strings.Contains(err.Error(), "printed more than 8 MiB") || len(out.Stdout)+len(out.Stderr) != process.MaxOutput {
			t.Errorf("%s: kept %d bytes, %v", name, len(out.Stdout)+len(out.Stderr), err)
		}
	}
}

// TestExecShowsNoKeys: a grader gets the user's PATH, but no key from the environment or a
// profile.
func TestExecShowsNoKeys(t *testing.T) {
	home := t.TempDir()
	hosttest.Put(t, filepath.Join(home, ".profile"), "export OPENAI_API_KEY=sk-profile PATH=/elsewhere\n")
	hosttest.Put(t, filepath.Join(home, ".env"), "OPENAI_API_KEY=sk-file\n")
	t.Setenv("HOME", home)
	t.Setenv("OPENAI_API_KEY", "sk-environment")
	t.Setenv("AGENTV_TARGET_PROXY_TOKEN", "sk-token")
	t.Setenv("PATH", "/my/own:"+os.Getenv("PATH"))
	exec := process.ProgramExec(filepath.Join(home, "x.eval.yaml"), time.Minute)
	for _, argv := range [][]string{{"env"}, {"sh", "-c", "env"}, {"sh", "-lc", "env"}} {
		out, err := exec(t.Context(), grade.Command{Argv: argv})
		if seen := string(out.Stdout); err != nil || strings.Contains(seen, "sk-") || !strings.Contains(seen, "PATH=/my/own:") || !strings.Contains(seen, "HOME="+home) {
			t.Errorf("%v, %v: it sees\n%s", argv, err, seen)
		}
	}
}
