//go:build !race

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	evaluator "github.com/rubric-ls/rubric/wasm/api"
)

// example returns the only code block of a language in the README.
func example(t *testing.T, language string) string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(readme), "\n```"+language+"\n")
	body, _, closed := strings.Cut(after, "\n```\n")
	if !found || !closed {
		t.Fatalf("the README has no example in %s", language)
	}
	return body
}

// TestReadmeHost runs the Go host of the README.
func TestReadmeHost(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	wasm, err := wholeModule()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	host, module := filepath.Join(dir, "host.go"), filepath.Join(dir, "rubric.wasm")
	for path, body := range map[string]string{host: example(t, "go"), module: string(wasm)} {
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := exec.Command("go", "run", host, module).CombinedOutput()
	if want := string(evaluator.Call([]byte(version))) + "\n"; string(got) != want {
		t.Errorf("%s%v, want %s", got, err, want)
	}
}
