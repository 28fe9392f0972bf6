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

// The most that the module may have, in bytes: what it has, and some for the next
// rules. README.md says where they go; brotli's limit is in npm/test/size.test.js.
const (
	maxRaw        = 10_800_000
	maxGzip       = 2_620_000
	maxLargerRaw  = 13_700_000
	maxLargerGzip = 3_200_000
)

func TestSize(t *testing.T) {
	wasm, err := built()
	if err != nil {
		t.Fatal(err)
	}
	sized(t, wasm, maxRaw, maxGzip)
}

// TestLargerSize: with net/http itself the larger module would have as much again as
// it has more than the other.
func TestLargerSize(t *testing.T) {
	wasm, err := larger()
	if err != nil {
		t.Fatal(err)
	}
	sized(t, wasm, maxLargerRaw, maxLargerGzip)
}

func sized(t *testing.T, wasm []byte, maxRaw, maxGzip int) {
	t.Helper()
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
	t.Logf("%d bytes, %d by gzip", len(wasm), packed.Len())
	if len(wasm) > maxRaw || packed.Len() > maxGzip {
		t.Errorf("%d bytes, %d by gzip: over %d or %d", len(wasm), packed.Len(), maxRaw, maxGzip)
	}
}

// TestNotFetching: in the larger module nobody but the validator imports net/http,
// which is not what it is elsewhere.
func TestNotFetching(t *testing.T) {
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := artefact.WriteOverlay(overlay, artefact.Schemas); err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-tags="+artefact.Schemas, "-overlay="+overlay, "-f", "{{.ImportPath}} {{.Imports}} {{.GoFiles}}", ".")
	list.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	var there, importing []string
	for line := range strings.Lines(string(out)) {
		path, _, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(path, "net/http"):
			there = append(there, strings.TrimSpace(line))
		case strings.Contains(line, "net/http"):
			importing = append(importing, path)
		}
	}
	if len(importing) != 1 || importing[0] != "github.com/xeipuuv/gojsonschema" || len(there) != 1 || !strings.HasSuffix(there[0], "[http.go]") {
		t.Errorf("%q import %q", importing, there)
	}
}

// TestNotLinked: what would double the module, or does what it must not, is not
// even linked.
func TestNotLinked(t *testing.T) {
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := artefact.WriteOverlay(overlay, ""); err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-overlay="+overlay, ".")
	list.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	if len(linked) < 50 {
		t.Fatalf("only %d packages are linked", len(linked))
	}
	for _, path := range linked {
		if path == "net" || strings.HasPrefix(path, "net/") && path != "net/netip" && path != "net/url" || path == "os/exec" || path == "crypto/cipher" || path == "internal/bisect" || path == "text/template" || path == "html/template" {
			t.Errorf("%s is linked", path)
		}
	}
}
