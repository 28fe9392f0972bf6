//go:build !race

package main_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The most that the module may have, in bytes: what it has, and some for the next
// rules. README.md says where they go; brotli's limit is in npm/test/size.test.js.
const (
	maxRaw  = 10_800_000
	maxGzip = 2_620_000
)

func TestSize(t *testing.T) {
	wasm, err := built()
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
	t.Logf("%d bytes, %d by gzip", len(wasm), packed.Len())
	if len(wasm) > maxRaw || packed.Len() > maxGzip {
		t.Errorf("%d bytes, %d by gzip: over %d or %d", len(wasm), packed.Len(), maxRaw, maxGzip)
	}
}

// TestNotLinked: what would double the module, or does what it must not, is not
// even linked.
func TestNotLinked(t *testing.T) {
	list := exec.Command("go", "list", "-deps", ".")
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
		if path == "net" || strings.HasPrefix(path, "net/") && path != "net/netip" && path != "net/url" || path == "os/exec" || path == "text/template" || path == "html/template" {
			t.Errorf("%s is linked", path)
		}
	}
}
