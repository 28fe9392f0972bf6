package wasi_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
)

// TestPrune: the oldest go first, whichever version wrote them, until the rest is
// within bounds; the newest stays.
func TestPrune(t *testing.T) {
	for _, c := range []struct {
		name string
		most int64
		want []string
	}{
		{"all fit", 40, []string{"wazero-1/a", "wazero-1/c.tmp", "wazero-2/b", "wazero-2/d"}},
		{"one too many", 39, []string{"wazero-1/c.tmp", "wazero-2/b", "wazero-2/d"}},
		{"half", 20, []string{"wazero-1/c.tmp", "wazero-2/d"}},
		{"not even the newest", 0, []string{"wazero-2/d"}},
	} {
		dir := t.TempDir()
		for age, name := range []string{"wazero-2/d", "wazero-1/c.tmp", "wazero-2/b", "wazero-1/a"} {
			write(t, filepath.Join(dir, name), age)
		}
		write(t, filepath.Join(dir, "other"), 99)
		wasi.Prune(dir, c.most)
		if got := left(t, dir); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if _, err := os.Stat(filepath.Join(dir, "other")); err != nil {
			t.Errorf("%s: what is not the cache's: %v", c.name, err)
		}
	}
}

// TestPruneTogether: several may prune at once.
func TestPruneTogether(t *testing.T) {
	dir := t.TempDir()
	for age := range 200 {
		write(t, filepath.Join(dir, "wazero-1", fmt.Sprintf("%03d", age)), age)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { wasi.Prune(dir, 50) })
	}
	group.Wait()
	if got := left(t, dir); len(got) != 5 || got[0] != "wazero-1/000" {
		t.Errorf("%v", got)
	}
}

func write(t *testing.T, path string, age int) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), 10), 0o644); err != nil {
		t.Fatal(err)
	}
	then := time.Unix(1_700_000_000, 0).Add(-time.Duration(age) * time.Hour)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

func left(t *testing.T, dir string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.ToSlash(name))
	}
	return names
}
