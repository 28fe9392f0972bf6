package sandbox_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi/wasitest"
	"github.com/rubric-ls/rubric/core/grade"
)

// TestBrokenCache: a file of the cache that was cut short is written anew.
func TestBrokenCache(t *testing.T) {
	dir := t.TempDir()
	module := wasitest.Module{Functions: []wasitest.Function{{Export: "_start"}}}.Bytes()
	for _, size := range []int64{-1, 0, 10, 40, -1} {
		files, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
		if err != nil || size >= 0 && len(files) == 0 {
			t.Fatalf("nothing was kept: %v", err)
		}
		for _, file := range files {
			if size < 0 {
				continue
			}
			if err := os.Truncate(file, size); err != nil {
				t.Fatal(err)
			}
		}
		box := sandbox.New(sandbox.Defaults, dir)
		if _, err := box.Run(t.Context(), module, grade.Command{Argv: []string{"grader"}}); err != nil {
			t.Errorf("cut to %d bytes: %v", size, err)
		}
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestShared: one sandbox runs the same and other modules at the same time, and
// is closed with runs under way.
func TestShared(t *testing.T) {
	box := sandbox.New(sandbox.Defaults, t.TempDir())
	var group sync.WaitGroup
	for n := range 24 {
		group.Go(func() {
			want, code := "", strings.Repeat(wasitest.Zero32+"\x1a", n%3) // dropped: three modules
			if n%2 == 1 {
				want, code = "crashed: unreachable", code+wasitest.Unreachable
			}
			module := wasitest.Module{Functions: []wasitest.Function{{Export: "_start", Code: code}}}.Bytes()
			_, err := box.Run(t.Context(), module, grade.Command{Argv: []string{fmt.Sprint(n)}})
			if got := fmt.Sprint(err); want != "" && got != want || want == "" && err != nil {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
	group.Wait()
	var ended sync.WaitGroup
	ended.Go(func() {
		endless := wasitest.Module{Functions: []wasitest.Function{{Export: "_start", Code: wasitest.LoopForever}}}.Bytes()
		if _, err := box.Run(t.Context(), endless, grade.Command{Argv: []string{"endless"}}); err == nil {
			t.Error("an endless grader ended well")
		}
	})
	if err := box.Close(); err != nil {
		t.Error(err)
	}
	ended.Wait()
}
