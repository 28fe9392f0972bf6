//go:build !race

package main_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/wasm/artefact"
)

// Limits in bytes after gzip. A first load of the page may take 2.2 MB after Brotli:
// 0.2 MB are the page's, and Brotli output is 0.7 of gzip's. rubric.wasm
// loads later; its limit shows that a large package has come in. The gates after Brotli are in editors/playground/test/size.test.js.
const (
	maxSmallGzip = 2_700_000
	maxGzip      = 3_810_000
)

func TestSmallSize(t *testing.T) { checkSize(t, smallModule, maxSmallGzip) }

// TestSize also fails when rubric.wasm links net/http itself.
func TestSize(t *testing.T) { checkSize(t, wholeModule, maxGzip) }

func checkSize(t *testing.T, build func() ([]byte, error), limit int) {
	t.Helper()
	wasm, err := build()
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(wasm); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d after gzip", len(wasm), packed.Len())
	if packed.Len() > limit {
		t.Errorf("%d bytes after gzip; the limit is %d", packed.Len(), limit)
	}
}

// listLinked lists the dependencies of the module, one line each in the given format.
func listLinked(t *testing.T, format string, flags ...string) []string {
	t.Helper()
	list := exec.Command("go", append(append([]string{"list", "-deps", "-f", format}, flags...), ".")...)
	list.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// TestNotFetching checks that only the JSON Schema validator imports net/http in
// rubric.wasm, and that package nohttp replaces it.
func TestNotFetching(t *testing.T) {
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := artefact.WriteOverlay(overlay); err != nil {
		t.Fatal(err)
	}
	var found, importers []string
	for _, line := range listLinked(t, "{{.ImportPath}} {{.Imports}} {{.GoFiles}}", "-overlay="+overlay) {
		path, _, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(path, "net/http"):
			found = append(found, line)
		case strings.Contains(line, "net/http"):
			importers = append(importers, path)
		}
	}
	if len(importers) != 1 || importers[0] != "github.com/xeipuuv/gojsonschema" || len(found) != 1 || !strings.HasSuffix(found[0], "[http.go]") {
		t.Errorf("%q import %q", importers, found)
	}
}

// TestNotLinked checks that rubric-small.wasm links nothing that doubles its size
// or that reaches the network or other programs, and no dialect that [dialect.Register] adds.
func TestNotLinked(t *testing.T) {
	paths := listLinked(t, "{{.ImportPath}}", "-tags="+artefact.Small)
	if len(paths) < 50 {
		t.Fatalf("only %d packages are linked", len(paths))
	}
	for _, path := range paths {
		if path == "net" || strings.HasPrefix(path, "net/") && path != "net/netip" && path != "net/url" || path == "os/exec" || path == "text/template" || path == "html/template" ||
			strings.Contains(path, "dialect/promptfoo") || strings.Contains(path, "jinja") {
			t.Errorf("%s is linked", path)
		}
	}
}
