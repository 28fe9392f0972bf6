package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCurrent fails when a derived file is not what the program would write.
func TestCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	files, err := derivedFiles(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Errorf("%v; run make generate", err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is stale; run make generate", name)
		}
	}
}

// TestReadme checks that the README is short and shows the file of its picture.
func TestReadme(t *testing.T) {
	root := filepath.Join("..", "..")
	read := func(name string) string {
		body, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	readme := read("README.md")
	if lines := strings.Count(readme, "\n"); lines > 120 {
		t.Errorf("the README has %d lines", lines)
	}
	if !strings.Contains(readme, "```yaml\n"+read("testdata/readme/refund.eval.yaml")+"```\n") {
		t.Error("the README does not show testdata/readme/refund.eval.yaml")
	}
}
