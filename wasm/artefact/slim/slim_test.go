package slim_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/rubric-ls/rubric/wasm/artefact/gobuild"
	"github.com/rubric-ls/rubric/wasm/artefact/slim"
)

// TestModule checks that a slimmed program does the same in fewer bytes. Its crash report must have
// its functions, without inlined ones and without lines.
func TestModule(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	path := filepath.Join(t.TempDir(), "program.wasm")
	if err := gobuild.WASI("wasm/artefact/slim/testdata/program", path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	small, err := slim.Module(whole)
	if err != nil {
		t.Fatal(err)
	}
	if len(small) > len(whole)*9/10 {
		t.Errorf("%d bytes of %d", len(small), len(whole))
	}
	again, err := slim.Module(whole)
	if err != nil || !bytes.Equal(small, again) {
		t.Errorf("another module from the same bytes; %v", err)
	}
	before, crash := run(t, whole)
	after, smallCrash := run(t, small)
	if before == "" || before != after {
		t.Errorf("it said %q before, and says %q", before, after)
	}
	for _, part := range []string{"main.fall", "main.crash", "program.go:"} {
		if !strings.Contains(crash, part) {
			t.Errorf("no %s in the report before:\n%s", part, crash)
		}
	}
	if !strings.Contains(smallCrash, "main.fall") || strings.Contains(smallCrash, "main.crash") || strings.Contains(smallCrash, ".go:") {
		t.Errorf("the report is\n%s", smallCrash)
	}
	// a later linker might use another magic number for the function table
	magic := []byte("\xf1\xff\xff\xff\x00\x00\x01\x08")
	if later := bytes.Replace(whole, magic, []byte("\xf0\xff\xff\xff\x00\x00\x01\x08"), 1); bytes.Equal(later, whole) {
		t.Error("the module has no function table")
	} else if _, err := slim.Module(later); err == nil {
		t.Error("a module with an unknown function table is accepted")
	}
}

func TestForeign(t *testing.T) {
	header := "\x00asm\x01\x00\x00\x00"
	for name, wasm := range map[string]string{
		"nothing":            "",
		"no module":          "<html>",
		"a component":        "\x00asm\x0d\x00\x01\x00",
		"no sections":        header,
		"a section cut":      header + "\x01\x05\x60",
		"of another linker":  header + "\x01\x04\x01\x60\x00\x00" + "\x02\x01\x00" + "\x03\x02\x01\x00" + "\x0a\x04\x01\x02\x00\x0b" + "\x0b\x07\x01\x00\x41\x00\x0b\x01a",
		"data out of reach":  header + "\x01\x01\x00\x02\x01\x00\x03\x01\x00\x0a\x01\x00" + "\x0b\x0b\x01\x00\x41\xff\xff\xff\xff\x0f\x0b\x01a",
		"data cut":           header + "\x01\x01\x00\x02\x01\x00\x03\x01\x00\x0a\x01\x00" + "\x0b\x02\x02\x00",
		"with its own start": header + "\x01\x01\x00\x02\x01\x00\x03\x01\x00\x08\x01\x00\x0a\x01\x00\x0b\x01\x00",
	} {
		if got, err := slim.Module([]byte(wasm)); err == nil {
			t.Errorf("%s: a module of %d bytes", name, len(got))
		}
	}
}

// run returns what a program writes, and its crash report.
func run(t *testing.T, wasm []byte) (stdout, stderr string) {
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, runtime)
	var out, report bytes.Buffer
	_, err := runtime.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithStdout(&out).WithStderr(&report))
	var exit *sys.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("it ended with %v", err)
	}
	return out.String(), report.String()
}
