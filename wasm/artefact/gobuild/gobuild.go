// Package gobuild compiles programs of this repository for WASI: the evaluator, and the code
// graders in tests.
package gobuild

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const modulePath = "github.com/rubric-ls/rubric/"

// WASI compiles the program in a folder of the repository for wasip1 into the file out. It appends
// flags to `go build` and ignores the Go settings of the environment. The working folder must be
// inside this repository.
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

// readSources reads a program's source, so that `go test` does not reuse a cached result after the
// source has changed.
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
