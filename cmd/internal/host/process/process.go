// Package process runs programs and WebAssembly graders, within limits and without the user's keys.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
)

// MaxOutput is the number of bytes that a program may print on each of its two streams. A program
// that prints more is stopped.
const MaxOutput = 8 << 20

// Command is one program to run.
type Command struct {
	Argv    []string
	Dir     string
	Stdin   []byte
	Timeout time.Duration // 0 means none but the context's
	// Inherit passes our whole environment on: to a program that the user named, never to one
	// that an eval file names. Keys in it, and Keys, are redacted in the program's output.
	Inherit bool
	Keys    []string
	Env     []string // in addition to our own, with Inherit
}

// ErrNotFound is wrapped if a program, or the directory to run it in, does not exist.
var ErrNotFound = errors.New("not found")

// Run runs a program to its end, with a clean environment (see cleanEnvironment) and in its own process
// group. When it returns, no process of that group is left. If the program did not exit by itself (not
// found, timed out, too much output), the error says why in one sentence, and the code is -1.
func Run(ctx context.Context, c Command) (grade.Output, error) {
	if len(c.Argv) == 0 {
		return grade.Output{Code: -1}, errors.New("there is no command to run")
	}
	if info, err := os.Stat(c.Dir); c.Dir != "" && (err != nil || !info.IsDir()) { // exec's error would name the program
		return grade.Output{Code: -1}, fmt.Errorf("the folder `%s` was %w", c.Dir, ErrNotFound)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if c.Timeout > 0 {
		timer := time.AfterFunc(c.Timeout, func() { cancel(fmt.Errorf("timed out after %s", c.Timeout)) })
		defer timer.Stop()
	}
	overflow := func() { cancel(fmt.Errorf("printed more than %d MiB", MaxOutput>>20)) }
	stdout, stderr := &sandbox.CappedBuffer{Room: MaxOutput, Overflow: overflow}, &sandbox.CappedBuffer{Room: MaxOutput, Overflow: overflow}

	cmd := exec.CommandContext(ctx, c.Argv[0], c.Argv[1:]...)
	if cmd.Dir, cmd.Env = c.Dir, cleanEnvironment(); c.Inherit {
		cmd.Env = append(os.Environ(), c.Env...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(c.Stdin), stdout, stderr
	cmd.WaitDelay = time.Second // do not wait for a grandchild that keeps a pipe open
	setProcessGroup(cmd)
	cmd.Cancel = func() error { return killProcessGroup(cmd) }

	err := cmd.Run()
	killProcessGroup(cmd) // background processes of the program
	out := grade.Output{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Code: -1}
	if c.Inherit {
		hide := NewRedactor(c.Keys)
		out.Stdout, out.Stderr = []byte(hide.Replace(string(out.Stdout))), []byte(hide.Replace(string(out.Stderr)))
	}
	var exited *exec.ExitError
	switch cause := context.Cause(ctx); {
	case errors.Is(err, exec.ErrWaitDelay): // the program exited, but a grandchild kept a pipe open
	case cause != nil:
		return out, cause
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return out, fmt.Errorf("`%s` was %w", c.Argv[0], ErrNotFound)
	case err != nil && !isBrokenPipe(err) && !(errors.As(err, &exited) && exited.Exited()):
		return out, err
	}
	out.Code = cmd.ProcessState.ExitCode()
	return out, nil
}

// cleanEnvironment returns the few variables that programs of an eval file see: where programs
// and the home directory are, and the language. It has no keys or tokens.
func cleanEnvironment() []string {
	names := []string{"PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ"}
	if runtime.GOOS == "windows" {
		names = append(names, "SystemRoot", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA")
	}
	var env []string
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// ShellArgv returns the arguments that run a line in the system's shell.
func ShellArgv(line string) []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd.exe", "/c", line}
	}
	return []string{"sh", "-c", line}
}

// ProgramExec runs the programs of an eval file, in its directory unless they name another, which is
// searched as other files are.
//
// The reference implementation passes shell lines to a login shell. Here a plain shell runs them
// (cmd.exe on Windows): a login shell would read the user's profile, with its keys, and forget
// the PATH that rubric was started with.
func ProgramExec(evalFile string, timeout time.Duration) grade.Exec {
	return func(ctx context.Context, c grade.Command) (grade.Output, error) {
		argv := c.Argv
		if len(argv) == 3 && argv[0] == "sh" && argv[1] == "-lc" {
			argv = ShellArgv(argv[2])
		}
		return Run(ctx, Command{Argv: argv, Dir: disk.FindFolder(evalFile, c.Dir), Stdin: c.Stdin, Timeout: timeout})
	}
}

// SandboxExec runs the WebAssembly graders of an eval file in a sandbox. Their paths are relative
// to its directory, and only the module is read.
func SandboxExec(evalFile string, box *sandbox.Sandbox) grade.Exec {
	return func(ctx context.Context, c grade.Command) (grade.Output, error) {
		module, err := readModule(disk.Root(evalFile), disk.ResolveFrom(disk.FindFolder(evalFile, c.Dir), c.Argv[0]))
		if err != nil {
			return grade.Output{Code: -1}, err
		}
		return box.Run(ctx, module, c)
	}
}

// readModule reads a binary file of at most [MaxFile] bytes.
func readModule(root, path string) ([]byte, error) {
	f, err := disk.OpenWithin(root, path, false)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, disk.MaxFile+1))
	switch {
	case err != nil:
		return nil, disk.FileError(path, err)
	case len(body) > disk.MaxFile:
		return nil, fmt.Errorf("%s: is larger than %d MiB", path, disk.MaxFile>>20)
	}
	return body, nil
}

// OpenBrowser opens an address in the user's browser.
func OpenBrowser(ctx context.Context, address string) error {
	argv := []string{"xdg-open", address}
	switch runtime.GOOS {
	case "darwin":
		argv[0] = "open"
	case "windows":
		argv = []string{"rundll32", "url.dll,FileProtocolHandler", address}
	}
	if out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", argv[0], err, out)
	}
	return nil
}

// IsKey reports whether a variable holds a key. A short password without digits does not count:
// redacting a common word would garble answers.
func IsKey(name, value string) bool {
	return agentv.IsSecretName(name) && (strings.ContainsAny(value, "0123456789") || len(value) >= 16)
}

// NewRedactor redacts the keys of the process's environment, and others, in a command or its
// output. A program may print the keys that it receives.
func NewRedactor(others []string) *strings.Replacer {
	keys := slices.Clip(others)
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); IsKey(name, value) {
			keys = append(keys, value)
		}
	}
	return provider.NewRedactor(keys)
}
