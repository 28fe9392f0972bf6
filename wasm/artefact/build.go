package artefact

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const module = "github.com/rubric-ls/rubric/"

// Build compiles the evaluator of this source into the file out. The same source
// and Go give the same bytes wherever they are built. The working folder is one
// of this repository's.
func Build(out string) error { return build("wasm", out, "-buildmode=c-shared") }

// build compiles the program in a folder of the repository for WASI. Nothing of
// the builder's own settings is taken over.
func build(folder, out string, flags ...string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out}, flags...)
	cmd := exec.Command("go", append(args, module+folder)...)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOWASM=", "GOEXPERIMENT=")
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", folder, err, said)
	}
	return nil
}
