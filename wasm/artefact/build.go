package artefact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rubric-ls/rubric/wasm/artefact/gobuild"
	"github.com/rubric-ls/rubric/wasm/artefact/slim"
)

const modulePath = "github.com/rubric-ls/rubric/"

// Schemas is the build tag of the larger module.
const Schemas = "schemas"

// smallFlags has the compiler inline no function into another, and make every slice of a
// size that it does not know on the heap, where it else has code for either place.
const smallFlags = "-l -d=variablemakethreshold=0"

// smallPackages are packages that are built small: code of which copies make the module
// larger (by 6 %, 12 % compressed) and nothing faster. The YAML library, regexp and
// the runtime are not among them: without inlining a check takes half as long again.
var smallPackages = []string{
	"bufio", "bytes", "context", "crypto/...", "encoding/...", "errors", "fmt", "go.yaml.in/yaml/v4", "go.yaml.in/yaml/v4/plugin/...", "hash/...",
	"internal/fmtsort", "internal/godebug", "internal/poll", "internal/strconv", "internal/sync", "io/fs", "iter", "maps",
	"math/big", "math/rand", "os", "path", "reflect", "regexp/syntax", "slices", "sort", "strconv", "strings", "sync/...", "syscall", "time",
	modulePath + "core/...", modulePath + "wasm/...",
	// of the larger module alone
	"github.com/xeipuuv/...", "text/template/...", "net", "net/mail", "net/textproto", "mime", "log",
}

// Build compiles the evaluator of this source into the file out. The same source
// and Go give the same bytes wherever they are built. The working folder is one
// of this repository's.
func Build(out string) error { return build(out) }

// BuildLarger compiles the evaluator that also applies the JSON Schemas of users.
func BuildLarger(out string) error {
	dir, err := os.MkdirTemp("", "rubric-overlay-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay := filepath.Join(dir, "overlay.json")
	if err := WriteOverlay(overlay); err != nil {
		return err
	}
	return build(out, "-tags="+Schemas, "-overlay="+overlay)
}

func build(out string, flags ...string) error {
	flags = append(flags, "-buildmode=c-shared")
	for _, packages := range smallPackages {
		flags = append(flags, "-gcflags="+packages+"="+smallFlags)
	}
	// Go does not rebuild a file from the same source, and this one was made smaller
	// after its build.
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

// slimOrUnchanged returns the slimmed module. When slim does not know the layout of the
// module, as after a change of Go's linker, it writes a note and returns the module
// unchanged: it is larger and does the same.
func slimOrUnchanged(notes io.Writer, name string, wasm []byte) []byte {
	smaller, err := slim.Module(wasm)
	if err != nil {
		fmt.Fprintf(notes, "%s is not slimmed and about a fifth larger when compressed: %v\n", name, err)
		return wasm
	}
	return smaller
}
