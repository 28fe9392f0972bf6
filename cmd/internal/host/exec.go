package host

import (
	"context"
	"path/filepath"
	"time"

	"github.com/rubric-ls/rubric/core/grade"
)

// ProgramExec runs the programs of an eval file, in its folder unless they name one.
//
// A line for the shell, which the reference implementation gives to a login
// shell, is run by a plain one (cmd.exe on Windows): a login shell would read
// the person's profile, with the keys in it, and forget the PATH that rubric
// was started with.
func ProgramExec(evalFile string, timeout time.Duration) grade.Exec {
	home := filepath.Dir(evalFile)
	return func(ctx context.Context, c grade.Command) (grade.Output, error) {
		argv := c.Argv
		if len(argv) == 3 && argv[0] == "sh" && argv[1] == "-lc" {
			argv = ShellArgv(argv[2])
		}
		out := RunCommand(ctx, Command{Argv: argv, Dir: resolveFrom(home, c.Dir), Stdin: c.Stdin, Timeout: timeout})
		return grade.Output{Stdout: out.Stdout, Stderr: out.Stderr, Code: out.Exit}, out.Err
	}
}
