// The race detector slows wazero's compiler tenfold, so that limits of time mean
// nothing, and sees nothing of what runs in a module: see parallel_test.go for
// what it looks at.

//go:build !race

package sandbox_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/sandbox"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/wasm/artefact/gobuild"
)

// hostile is the grader in testdata, compiled once for all tests.
var hostile = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "rubric-grader-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "hostile.wasm")
	if err := gobuild.WASI("cmd/internal/host/sandbox/testdata/hostile", out); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
})

// box is the sandbox of graders that do not end, and patient of those that do, however busy the machine is. compiled is their
// folder.
var (
	compiled, _ = os.MkdirTemp("", "rubric-compiled-*") // removed by TestMain
	limits      = sandbox.Limits{Time: 3 * time.Second, Memory: 32 << 20, Output: 1 << 20, Module: 8 << 20}
	box         = sandbox.New(limits, compiled)
	patient     = sandbox.New(sandbox.Limits{Time: 5 * time.Minute, Memory: limits.Memory, Output: limits.Output, Module: limits.Module}, compiled)
)

// boxFor returns the sandbox of a grader for which an error is expected, or none.
func boxFor(err string) *sandbox.Sandbox {
	if strings.HasPrefix(err, "timed out") {
		return box
	}
	return patient
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(compiled)
	os.Exit(code)
}

// warm gives the hostile grader, compiled: the limits below are a run's alone.
func warm(t *testing.T) []byte {
	t.Helper()
	module, err := hostile()
	if err != nil {
		t.Fatal(err)
	}
	for _, box := range []*sandbox.Sandbox{patient, box} { // of which the second finds what the first compiled
		if _, err := box.Run(t.Context(), module, grade.Command{Argv: []string{"hostile", "dates"}}); err != nil {
			t.Fatal(err)
		}
	}
	return module
}

// TestHostile: each grader is stopped in time, for its own reason, and releases its memory.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	module := warm(t)
	before := memory()
	for _, c := range []struct {
		act    string
		stdout string // a part of it
		code   int
		err    string // a part of it; "" for none
		stderr string // a part of it
	}{
		{"well", `"reasoning":"5 bytes"`, 0, "", ""},
		{"loops", "", -1, "timed out after 3s", ""},
		{"grows", "", 2, "", "out of memory"},
		{"prints", "xxx", -1, "printed more than 1 MiB", ""},
		{"screams", "", -1, "printed more than 1 MiB", "xxx"},
		{"reads", "file: open /etc/passwd: ", 0, "", ""},
		{"writes", "file: open here: ", 0, "", ""},
		{"lists", "0 open .: ", 0, "", ""},
		{"dials", "socket: dial tcp 127.0.0.1:80: ", 0, "", ""},
		{"listens", "device: open /dev/tcp: ", 0, "", ""},
		{"forks", "program: ", 0, "", ""},
		{"looks", `"environment: 0"`, 0, "", ""},
		{"sleeps", `"slept"`, 0, "", ""},
		{"dates", `"2026-01-01"`, 0, "", ""},
		{"panics", "", 2, "", "panic: oh no"},
		{"quits", `{"score":1}`, 3, "", ""},
	} {
		t.Run(c.act, func(t *testing.T) {
			out, err := boxFor(c.err).Run(t.Context(), module, grade.Command{Argv: []string{"hostile", c.act}, Stdin: []byte("hello")})
			if !strings.Contains(string(out.Stdout), c.stdout) || !strings.Contains(string(out.Stderr), c.stderr) || out.Code != c.code {
				t.Errorf("status %d, printed %.200q and %.200q", out.Code, out.Stdout, out.Stderr)
			}
			if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
		})
	}
	if after := memory(); after > before+8<<20 {
		t.Errorf("%d MiB in use, %d before", after>>20, before>>20)
	}
}

// memory is what is in use, in bytes, once the collector has been.
func memory() uint64 {
	runtime.GC()
	runtime.GC() // the first only finalises what holds memory
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// TestCache: a sandbox finds on disk what another has compiled, and does without
// where nothing can be kept.
func TestCache(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	module := warm(t)
	dir := t.TempDir()
	put := filepath.Join(dir, "file")
	if err := os.WriteFile(put, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	slow := limits
	slow.Time = time.Minute
	compiled := map[string][]string{} // what is in the cache after each
	for _, c := range []struct{ name, cache string }{{"cold", filepath.Join(dir, "cache")}, {"warm", filepath.Join(dir, "cache")}, {"impossible", filepath.Join(put, "cache")}} {
		box := sandbox.New(slow, c.cache)
		out, err := box.Run(t.Context(), module, grade.Command{Argv: []string{"hostile", "dates"}})
		compiled[c.name] = entries(t, c.cache)
		if err != nil || !strings.Contains(string(out.Stdout), "2026-01-01") {
			t.Errorf("%s: %q, %v", c.name, out.Stdout, err)
		}
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(compiled["cold"]) == 0 || !slices.Equal(compiled["cold"], compiled["warm"]) || compiled["impossible"] != nil {
		t.Errorf("%v", compiled)
	}
}

// entries are the files below a folder with when they were written, none if
// there is no folder.
func entries(t *testing.T, dir string) (all []string) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all = append(all, path+" "+info.ModTime().String())
		return nil
	})
	return all
}

// TestParallel: graders that run at the same time do not see each other.
func TestParallel(t *testing.T) {
	module := warm(t)
	var group sync.WaitGroup
	for n := range 16 {
		group.Go(func() {
			in := strings.Repeat("x", n)
			out, err := patient.Run(t.Context(), module, grade.Command{Argv: []string{"hostile", "well"}, Stdin: []byte(in)})
			if want := fmt.Sprintf(`"%d bytes"`, n); err != nil || !strings.Contains(string(out.Stdout), want) {
				t.Errorf("%s, %v; want %s", out.Stdout, err, want)
			}
		})
	}
	group.Wait()
}
