//go:build !race

package evaluator_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/evaluator"
	"github.com/rubric-ls/rubric/cmd/internal/host/page"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
	"github.com/rubric-ls/rubric/wasm/api"
	"github.com/rubric-ls/rubric/wasm/artefact"
	"github.com/rubric-ls/rubric/wasm/parity"
)

// TestEmbeddedIsCurrent: an embedded copy matches this source; without one, the error says where to
// get it.
func TestEmbeddedIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	want, err := built()
	if err != nil {
		t.Fatal(err)
	}
	got, err := page.EmbeddedModule()
	switch {
	case err != nil && !strings.Contains(err.Error(), "install a release from "):
		t.Error(err)
	case err == nil && !bytes.Equal(got, want):
		t.Error("the embedded module was built from other source; run make build")
	}
}

// TestReproducible: two builds give the same bytes, also from a copy of the
// source at another place.
func TestReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	want, err := built()
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	t.Setenv("GOCACHE", cache) // nothing of the first build is used again
	out := filepath.Join(t.TempDir(), "rubric.wasm")
	if err := artefact.Build(out); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, then %d others, %v", len(want), len(got), err)
	}
}

// TestCallWasm compares `rubric call --wasm` of a program with the module, as `make build`
// builds it, with `rubric call`. A program without the module says what is missing.
func TestCallWasm(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := t.TempDir()
	bare, whole := filepath.Join(dir, "bare"), filepath.Join(dir, "whole")
	compile(t, bare, "")
	compile(t, whole, packed(t, dir))
	in := `{"id":1,"method":"version"}` + "\n" + `{"id":2,"method":"check","params":{"text":"evalcases:\n- wieght: 1 # 😀"}}` + "\n\xff\nnot JSON"
	for _, method := range []string{"", "check"} {
		want, err := rubric(t, whole, in, "call", method)
		if err != "" {
			t.Fatal(err)
		}
		if got, err := rubric(t, whole, in, "call", "--wasm", method); got != want || err != "" {
			t.Errorf("with --wasm %s:\n%s%s\nwithout:\n%s", method, got, err, want)
		}
	}
	if _, err := rubric(t, bare, in, "call", "--wasm"); !strings.Contains(err, "built without its evaluator module, as by `go install`; install a release from ") {
		t.Errorf("%q", err)
	}
}

// packed writes the compressed module to a file.
func packed(t *testing.T, dir string) string {
	t.Helper()
	wasm, err := built()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(wasm); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "rubric.wasm.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// compile builds the command line with the module in a file, or with none if module is "",
// whatever an earlier build has left in the source's folder.
func compile(t *testing.T, out, module string) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	assets := filepath.Join(root, filepath.FromSlash(page.EmbeddedPath), "assets")
	left, err := filepath.Glob(filepath.Join(assets, "rubric-*.wasm.gz"))
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{filepath.Join(assets, "rubric-test.wasm.gz"): module}
	for _, file := range left {
		replace[file] = ""
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	list := out + ".json"
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command("go", "build", "-buildvcs=false", "-overlay", list, "-o", out, root+"/cmd/rubric").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

func rubric(t *testing.T, program, stdin string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	if args[len(args)-1] == "" {
		cmd.Args = cmd.Args[:len(cmd.Args)-1]
	}
	var out, complaints strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &complaints
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
	_ = cmd.Run() // what is wrong is on standard error
	return out.String(), complaints.String()
}

var allRequests = flag.Bool("all", false, "compare the answers to every request, not only to those of a sample")

// TestParity compares the module's answers with the function's, for the texts of the repository.
func TestParity(t *testing.T) {
	requests, err := parity.Requests(filepath.Join("..", "..", "..", ".."))
	if err == nil && !*allRequests {
		requests, err = parity.Sample(requests, parity.SampleSize)
	}
	if err != nil {
		t.Fatal(err)
	}
	m := open(t)
	for _, request := range requests {
		same(t, m, string(request))
	}
	t.Logf("%d requests", len(requests))
}

// BenchmarkCheck checks 1,000 cases with the function and with the module.
func BenchmarkCheck(b *testing.B) {
	var text strings.Builder
	text.WriteString("evalcases:\n")
	for n := range 1000 {
		fmt.Fprintf(&text, "  - id: case-%d\n    expected_outcome: Resolves request %[1]d\n    input: Question %[1]d\n    rubrics:\n"+
			"      - Greets the customer\n      - { id: refund, expected_outcome: Refunds order %[1]d, weight: 2 }\n", n)
	}
	var requests [][]byte // of more files than are kept
	for n := range 10 {
		request, err := json.Marshal(map[string]any{"method": "check", "params": map[string]any{"text": text.String(), "path": fmt.Sprint(n, ".yaml")}})
		if err != nil {
			b.Fatal(err)
		}
		requests = append(requests, request)
	}
	b.Run("function", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			api.Call(requests[n%len(requests)])
		}
	})
	b.Run("module", func(b *testing.B) {
		m := open(b)
		for n := 0; b.Loop(); n++ {
			if _, err := m.Call(b.Context(), requests[n%len(requests)]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkOpen makes an instance of a module that is compiled on disk.
func BenchmarkOpen(b *testing.B) {
	wasm, err := built()
	if err != nil {
		b.Fatal(err)
	}
	settings := wasi.Settings{Memory: evaluator.MaxMemory, Cache: b.TempDir()}
	once := func() {
		m, err := evaluator.Open(b.Context(), wasm, settings)
		if err != nil {
			b.Fatal(err)
		}
		m.Close(b.Context())
	}
	once() // compiles
	for b.Loop() {
		once()
	}
}
