// Package artefact builds rubric.wasm, and rubric-small.wasm with which a page starts. Tests, the
// command line and the npm package use it, so the build flags are defined once.
package artefact

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/wasm/artefact/gobuild"
	"github.com/rubric-ls/rubric/wasm/artefact/slim"
)

const modulePath = "github.com/rubric-ls/rubric/"

// Small is the build tag of rubric-small.wasm.
const Small = "small"

// smallFlags turn off inlining and allocate every slice of unknown size on the heap. By default the
// compiler generates code for both cases.
const smallFlags = "-l -d=variablemakethreshold=0"

// fastPackages are compiled without smallFlags. In all others inlining makes the module 6 % larger (12 %
// compressed) and nothing faster; without it in these, a check takes 50 % longer.
var fastPackages = []string{
	"go.yaml.in/yaml/v4/internal/...", "internal/abi", "internal/bytealg", "internal/cpu", "internal/goarch", "internal/runtime/...", "math", "math/bits", "runtime/...", "unicode/utf8", "unsafe",
}

// Build compiles the evaluator of this source, rubric.wasm, into the file out. The result is reproducible: the
// same source and Go version give the same bytes. The working folder must be inside this
// repository. A release names its version in the environment variable RUBRIC_VERSION.
func Build(out string) error {
	dir, err := os.MkdirTemp("", "rubric-overlay-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay := filepath.Join(dir, "overlay.json")
	if err := WriteOverlay(overlay); err != nil {
		return err
	}
	return build(out, "-overlay="+overlay)
}

// BuildSmall compiles rubric-small.wasm: the evaluator without what the first minute in a page does not need.
func BuildSmall(out string) error { return build(out, "-tags="+Small) }

func build(out string, flags ...string) error {
	flags = append(flags, "-buildmode=c-shared")
	if version := os.Getenv("RUBRIC_VERSION"); version != "" {
		flags = append(flags, "-ldflags=-s -w -X "+modulePath+"wasm/api.Version="+version)
	}
	flags = append(flags, "-gcflags=all="+smallFlags)
	for _, packages := range fastPackages {
		flags = append(flags, "-gcflags="+packages+"=")
	}
	// Go does not rewrite an up-to-date output, but the previous output was slimmed after its
	// build.
	if err := os.Remove(out); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := gobuild.WASI("wasm", out, flags...); err != nil {
		return err
	}
	wasm, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	return os.WriteFile(out, slimOrUnchanged(os.Stderr, out, wasm), 0o644)
}

// slimOrUnchanged returns the slimmed module. If slim does not know the layout of the module, as
// after a change of Go's linker, it writes a note and returns the module unchanged, which is larger
// and does the same.
func slimOrUnchanged(notes io.Writer, name string, wasm []byte) []byte {
	smaller, err := slim.Module(wasm)
	if err != nil {
		fmt.Fprintf(notes, "%s is not slimmed and about a fifth larger when compressed: %v\n", name, err)
		return wasm
	}
	return smaller
}

// WriteOverlay writes a file for `go build -overlay` that replaces net/http with
// package nohttp. The JSON Schema validator imports net/http to fetch remote schemas,
// which the module never does.
func WriteOverlay(file string) error {
	list := exec.Command("go", "list", "-f", "{{.Dir}}", "net/http", modulePath+"wasm/artefact/nohttp")
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("find net/http: %w", err)
	}
	dirs := strings.Split(strings.TrimSpace(string(out)), "\n")
	sources, err := filepath.Glob(filepath.Join(dirs[0], "*.go"))
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for _, source := range sources {
		replace[source] = "" // an empty path removes the file from the build
	}
	replace[filepath.Join(dirs[0], "http.go")] = filepath.Join(dirs[1], "http.go")
	body, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o644)
}
