package host

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/core/grade"
)

// SandboxExec runs the WebAssembly modules that an eval file names as graders, by
// their place in its folder, in a sandbox: only their file is read.
func SandboxExec(evalFile string, box *sandbox.Sandbox) grade.Exec {
	home := filepath.Dir(evalFile)
	return func(ctx context.Context, c grade.Command) (grade.Output, error) {
		module, err := readModule(Root(evalFile), resolveFrom(resolveFrom(home, c.Dir), c.Argv[0]))
		if err != nil {
			return grade.Output{Code: -1}, err
		}
		out, err := box.Run(ctx, sandbox.Grader{Module: module, Args: c.Argv, Stdin: c.Stdin})
		return grade.Output{Stdout: out.Stdout, Stderr: out.Stderr, Code: out.Code}, err
	}
}

// readModule reads a binary file of the size that a text may have.
func readModule(root, path string) ([]byte, error) {
	f, err := openWithin(root, path, false)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	switch {
	case err != nil:
		return nil, fileError(path, err)
	case len(body) > MaxFile:
		return nil, fmt.Errorf("%s: is larger than %d MiB", path, MaxFile>>20)
	}
	return body, nil
}
