package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// MaxOutput is how much a program may print on each of its two streams, in
// bytes; one that prints more is stopped.
const MaxOutput = 8 << 20

// Command is one program to run.
type Command struct {
	Argv    []string
	Dir     string
	Stdin   []byte
	Timeout time.Duration // 0: none but the context's
	// Inherit hands on our whole environment: to a program that a person named,
	// never to one that an eval file names. The keys in it, and Keys, are hidden in
	// what the program prints.
	Inherit bool
	Keys    []string
	Env     []string // besides our own, with Inherit
}

// Output is what a program left behind. Err says in one sentence why it has no
// regular end (not found, timed out, printed too much); Exit is then -1.
type Output struct {
	Stdout []byte
	Stderr []byte
	Exit   int
	Err    error
}

// errNotFound is wrapped when a program, or the folder it is to run in, is not
// there.
var errNotFound = errors.New("not found")

// RunCommand runs a program to its end, with a clean environment (see environment) and
// in a process group of its own, of which nothing is left when Run returns.
func RunCommand(ctx context.Context, c Command) Output {
	if len(c.Argv) == 0 {
		return Output{Exit: -1, Err: errors.New("there is no command to run")}
	}
	if info, err := os.Stat(c.Dir); c.Dir != "" && (err != nil || !info.IsDir()) { // exec would blame the program
		return Output{Exit: -1, Err: fmt.Errorf("the folder `%s` was %w", c.Dir, errNotFound)}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if c.Timeout > 0 {
		timer := time.AfterFunc(c.Timeout, func() { cancel(fmt.Errorf("timed out after %s", c.Timeout)) })
		defer timer.Stop()
	}
	stdout := &cappedBuffer{overflow: func() { cancel(fmt.Errorf("printed more than %d MiB", MaxOutput>>20)) }}
	stderr := &cappedBuffer{overflow: stdout.overflow}

	cmd := exec.CommandContext(ctx, c.Argv[0], c.Argv[1:]...)
	if cmd.Dir, cmd.Env = c.Dir, cleanEnvironment(); c.Inherit {
		cmd.Env = append(os.Environ(), c.Env...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(c.Stdin), stdout, stderr
	cmd.WaitDelay = time.Second // a grandchild that keeps a pipe open is not waited for
	setProcessGroup(cmd)
	cmd.Cancel = func() error { return killProcessGroup(cmd) }

	err := cmd.Run()
	killProcessGroup(cmd) // what the program left running in the background
	out := Output{Stdout: stdout.buf.Bytes(), Stderr: stderr.buf.Bytes(), Exit: -1}
	if c.Inherit {
		hide := newRedactor(c.Keys)
		out.Stdout, out.Stderr = []byte(hide.Replace(string(out.Stdout))), []byte(hide.Replace(string(out.Stderr)))
	}
	var exited *exec.ExitError
	switch cause := context.Cause(ctx); {
	case errors.Is(err, exec.ErrWaitDelay): // it ended well before a grandchild was given up
		out.Exit = cmd.ProcessState.ExitCode()
	case cause != nil:
		out.Err = cause
	case errors.As(err, &exited) && exited.Exited():
		out.Exit = exited.ExitCode()
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		out.Err = fmt.Errorf("`%s` was %w", c.Argv[0], errNotFound)
	case err == nil, isBrokenPipe(err):
		out.Exit = cmd.ProcessState.ExitCode()
	default:
		out.Err = err
	}
	return out
}

// cleanEnvironment is all that a program sees of ours: where programs and the home
// are, and the language. Keys and tokens are not among it.
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

// cappedBuffer keeps the first MaxOutput bytes and reports that there are more. The
// buffer is not embedded: its ReadFrom would go round the cap.
type cappedBuffer struct {
	buf      bytes.Buffer
	overflow func()
}

func (c *cappedBuffer) Write(p []byte) (int, error) {
	if room := MaxOutput - c.buf.Len(); len(p) > room {
		c.buf.Write(p[:room])
		c.overflow()
		return room, io.ErrShortWrite
	}
	return c.buf.Write(p)
}

// ShellArgv is the argv that runs a line of the system's shell.
func ShellArgv(line string) []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd.exe", "/c", line}
	}
	return []string{"sh", "-c", line}
}
