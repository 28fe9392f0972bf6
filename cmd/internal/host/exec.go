package host

import (
	"context"
	"path/filepath"
	"runtime"
	"time"

	"github.com/rubric-ls/rubric/core/grade"
)

// Exec runs the programs of an eval file, in its folder unless they name one.
func Exec(evalFile string, timeout time.Duration) grade.Exec {
	home := filepath.Dir(evalFile)
	return func(ctx context.Context, c grade.Command) (grade.Output, error) {
		dir := within(home, c.Dir)
		if dir == "" {
			dir = home
		}
		argv := c.Argv
		if runtime.GOOS == "windows" && len(argv) == 3 && argv[0] == "sh" && argv[1] == "-lc" {
			argv = Shell(argv[2]) // a line for the shell, as the reference runs it there
		}
		out := Run(ctx, Command{Argv: argv, Dir: dir, Stdin: c.Stdin, Timeout: timeout})
		return grade.Output{Stdout: out.Stdout, Stderr: out.Stderr, Code: out.Exit}, out.Err
	}
}
