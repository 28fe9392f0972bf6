//go:build unix

package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/grade"
)

// TestExec runs graders as bad as they come.
func TestExec(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "sub", "here"), "x")
	exec := host.ProgramExec(filepath.Join(dir, "x.eval.yaml"), 300*time.Millisecond)
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
		{"sleeps for ever with a child", grade.Command{Argv: []string{"sh", "-lc", "echo a; sleep 600 & sleep 600"}}, "a\n", -1, "timed out after 300ms"},
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
}

// TestExecStopsAGigabyte: neither stream of a program is kept beyond its cap.
func TestExecStopsAGigabyte(t *testing.T) {
	exec := host.ProgramExec("x.eval.yaml", time.Minute)
	for name, line := range map[string]string{
		"standard output": "head -c 1000000000 /dev/zero",
		"standard error":  "head -c 1000000000 /dev/zero >&2",
	} {
		out, err := exec(t.Context(), grade.Command{Argv: []string{"sh", "-lc", line}})
		if err == nil || !strings.Contains(err.Error(), "printed more than 8 MiB") || len(out.Stdout)+len(out.Stderr) != host.MaxOutput {
			t.Errorf("%s: kept %d bytes, %v", name, len(out.Stdout)+len(out.Stderr), err)
		}
	}
}

// TestExecShowsNoKeys: a grader gets no key from the environment and none from
// a profile, but the PATH of the person.
func TestExecShowsNoKeys(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, ".profile"), "export OPENAI_API_KEY=sk-profile PATH=/elsewhere\n")
	put(t, filepath.Join(home, ".env"), "OPENAI_API_KEY=sk-file\n")
	t.Setenv("HOME", home)
	t.Setenv("OPENAI_API_KEY", "sk-environment")
	t.Setenv("AGENTV_TARGET_PROXY_TOKEN", "sk-token")
	t.Setenv("PATH", "/my/own:"+os.Getenv("PATH"))
	exec := host.ProgramExec(filepath.Join(home, "x.eval.yaml"), time.Minute)
	for _, argv := range [][]string{{"env"}, {"sh", "-c", "env"}, {"sh", "-lc", "env"}} {
		out, err := exec(t.Context(), grade.Command{Argv: argv})
		if seen := string(out.Stdout); err != nil || strings.Contains(seen, "sk-") || !strings.Contains(seen, "PATH=/my/own:") || !strings.Contains(seen, "HOME="+home) {
			t.Errorf("%v, %v: it sees\n%s", argv, err, seen)
		}
	}
}
