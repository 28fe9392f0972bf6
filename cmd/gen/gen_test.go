package main

import (
	"bytes"
	"os"
	"path/filepath"
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
