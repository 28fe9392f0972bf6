// Package gobuild compiles programs of this repository for WASI: the evaluator,
// and the code graders that tests run.
package gobuild

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const modulePath = "github.com/rubric-ls/rubric/"

// WASI compiles the program in a folder of the repository into the file out, for
// wasip1. Flags are more of those that `go build` takes; nothing of the builder's
// own settings is taken over. The working folder is one of the repository's.
func WASI(folder, out string, flags ...string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := readSources(folder); err != nil {
		return err
	}
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out}, flags...)
	cmd := exec.Command("go", append(args, modulePath+folder)...)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOWASM=", "GOEXPERIMENT=")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", folder, err, output)
	}
	return nil
}

// readSources opens the source of a program, so that the result of a test that builds it
// is not kept when the program has changed: `go test` cannot know it otherwise.
func readSources(folder string) error {
	dir, err := exec.Command("go", "list", "-e", "-f", "{{.Dir}}", modulePath+folder).Output()
	if err != nil {
		return fmt.Errorf("find %s: %w", folder, err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*.go"))
	for _, file := range files {
		if _, err := os.ReadFile(file); err != nil {
			return err
		}
	}
	return err
}
