package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/core/grade"
)

// Sandboxed runs the WebAssembly modules that an eval file names as graders, by
// their place in its folder, in a sandbox: only their file is read.
func Sandboxed(evalFile string, box *sandbox.Sandbox) grade.Exec {
	home := filepath.Dir(evalFile)
	return func(ctx context.Context, c grade.Command) (grade.Output, error) {
		module, err := readModule(within(within(home, c.Dir), c.Argv[0]))
		if err != nil {
			return grade.Output{Code: -1}, err
		}
		out, err := box.Run(ctx, sandbox.Grader{Module: module, Args: c.Argv, Stdin: c.Stdin})
		return grade.Output{Stdout: out.Stdout, Stderr: out.Stderr, Code: out.Code}, err
	}
}

// readModule reads a binary file of the size that a text may have.
func readModule(path string) ([]byte, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, plainly(path, err)
	case !info.Mode().IsRegular(): // opening a pipe would wait
		return nil, fmt.Errorf("%s: is not a regular file", path)
	case info.Size() > MaxFile:
		return nil, fmt.Errorf("%s: is %d MiB; files up to %d MiB are read", path, info.Size()>>20, MaxFile>>20)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, plainly(path, err)
	}
	return body, nil
}
