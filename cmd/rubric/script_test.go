package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

var update = flag.Bool("update", false, "write the actual output into the .txtar files")

// TestMain lets the test binary act as rubric, so that scripts run the real command.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rubric": main})
}

// TestScript runs testdata/script/*.txtar: commands with their exit status and output.
// See https://pkg.go.dev/github.com/rogpeppe/go-internal/testscript for the commands.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
	})
}

// TestCheck runs `rubric check` in a folder with the files of each testdata/check/*.txtar
// and compares what it prints with the section named want.
func TestCheck(t *testing.T) {
	paths, err := filepath.Glob("testdata/check/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in testdata/check: %v", err)
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { checkArchive(t, path) })
	}
}

func checkArchive(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := len(archive.Files) - 1
	if last < 1 || archive.Files[last].Name != "want" {
		t.Fatal("the archive needs files to check and a last section named want; create it with -update")
	}
	files := &txtar.Archive{Files: archive.Files[:last]}
	t.Chdir(t.TempDir())
	if err := txtar.Write(files, "."); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := cli.Main([]string{"check", "."}, strings.NewReader(""), &stdout, &stderr)
	got := fmt.Sprintf("%s%sexit status %d\n", &stdout, &stderr, code)
	if want := string(archive.Files[last].Data); got == want {
		return
	} else if !*update {
		t.Fatalf("rubric check prints\n%s\nwant\n%s", got, want)
	}
	archive.Files[last].Data = []byte(got)
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
