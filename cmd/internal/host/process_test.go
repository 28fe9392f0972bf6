//go:build unix

package host_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
)

func TestRunReportsHowAProgramEnded(t *testing.T) {
	tests := []struct {
		name           string
		command        host.Command
		stdout, failed string
		exit           int
	}{
		{"prints and reads", host.Command{Argv: host.ShellArgv("cat; echo bye"), Stdin: []byte("hi ")}, "hi bye\n", "", 0},
		{"exits 3 after printing", host.Command{Argv: host.ShellArgv("echo x; exit 3")}, "x\n", "", 3},
		{"never reads a large input", host.Command{Argv: host.ShellArgv("echo ok"), Stdin: make([]byte, 4<<20)}, "ok\n", "", 0},
		{"is not there", host.Command{Argv: []string{"no-such-program-here"}}, "", "`no-such-program-here` was not found", -1},
		{"no command", host.Command{}, "", "no command", -1},
		{"hangs", host.Command{Argv: host.ShellArgv("echo a; sleep 60"), Timeout: 300 * time.Millisecond}, "a\n", "timed out after 300ms", -1},
		{"hangs with a child that keeps the pipe", host.Command{Argv: host.ShellArgv("sleep 60 & sleep 60"), Timeout: 300 * time.Millisecond}, "", "timed out", -1},
		{"dies by a signal", host.Command{Argv: host.ShellArgv("kill -9 $$")}, "", "signal: killed", -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := host.RunCommand(t.Context(), tt.command)
			if string(out.Stdout) != tt.stdout || out.Exit != tt.exit {
				t.Errorf("got %q, exit %d", out.Stdout, out.Exit)
			}
			if (out.Err != nil) != (tt.failed != "") || out.Err != nil && !strings.Contains(out.Err.Error(), tt.failed) {
				t.Errorf("got error %v, want %q", out.Err, tt.failed)
			}
		})
	}
}

func TestRunStopsAFlood(t *testing.T) {
	out := host.RunCommand(t.Context(), host.Command{Argv: host.ShellArgv("yes")})
	if out.Err == nil || !strings.Contains(out.Err.Error(), "printed more than 8 MiB") || len(out.Stdout) != host.MaxOutput {
		t.Errorf("got %d bytes, %v", len(out.Stdout), out.Err)
	}
}

func TestRunHidesTheEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	out := host.RunCommand(t.Context(), host.Command{Argv: host.ShellArgv("env")})
	if text := string(out.Stdout); strings.Contains(text, "secret") || !strings.Contains(text, "PATH=") {
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
	done := make(chan host.Output, 1)
	go func() {
		done <- host.RunCommand(ctx, host.Command{Argv: host.ShellArgv("sleep 120 > " + alive + " & sleep 120")})
	}()
	held, err := os.Open(alive) // which waits until it runs
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	cancel()
	if out := <-done; out.Err == nil {
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
