// Package wasi runs WebAssembly: a runtime with limited memory, and guests without access to
// files, network, environment or arguments, and with a clock of their own. Compiled modules can
// be cached on disk.
//
// A guest receives nothing of the machine but the streams that its caller passes.
package wasi

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/rubric-ls/rubric/core/generic"
)

// Settings configure a runtime.
type Settings struct {
	Memory uint64 // maximum memory of one guest, in bytes
	Cache  string // directory of compiled modules; "", or one that is not writable, caches nothing
	// Stoppable ends a guest when its call's context ends, at some cost in speed.
	Stoppable bool
}

// Runtime is a WebAssembly runtime with WASI and a compilation cache.
type Runtime struct {
	wazero.Runtime
	cache  wazero.CompilationCache // nil without one; owns the machine code
	folder string                  // the cache's directory
}

// New returns a runtime, which the caller must close.
func New(ctx context.Context, s Settings) (*Runtime, error) {
	const page = 64 << 10
	r := &Runtime{}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(s.Memory / page)).WithCloseOnContextDone(s.Stoppable).
		WithCoreFeatures(api.CoreFeaturesV2 &^ api.CoreFeatureReferenceTypes) // growing tables and references are not bounded by the memory limit
	if s.Cache != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(s.Cache); err == nil { // without a cache, compiling only takes longer
			config, r.cache, r.folder = config.WithCompilationCache(cache), cache, s.Cache
		}
	}
	r.Runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return nil, errors.Join(err, r.Close(ctx))
	}
	return r, nil
}

// Close ends all guests and releases compiled modules; the cache on disk stays.
func (r *Runtime) Close(ctx context.Context) error {
	err := r.Runtime.Close(ctx)
	if r.cache != nil {
		err = errors.Join(err, r.cache.Close(ctx))
	}
	return err
}

// Compile compiles a module on all processors, until ctx ends. It clears a cache that is damaged,
// for example by a full disk, and prunes one that exceeds [MaxCacheSize].
func (r *Runtime) Compile(ctx context.Context, module []byte) (wazero.CompiledModule, error) {
	ctx = experimental.WithCompilationWorkers(ctx, max(runtime.GOMAXPROCS(0), 2)) // a single worker ignores ctx
	compiled, err := r.CompileModule(ctx, module)
	if err != nil && r.cache != nil && strings.Contains(err.Error(), "compilationcache: ") { // the error has no type
		for _, file := range cachedModules(r.folder) {
			os.Remove(file.path)
		}
		compiled, err = r.CompileModule(ctx, module)
	}
	if r.cache != nil {
		Prune(r.folder, MaxCacheSize)
	}
	return compiled, err
}

// GuestConfig returns the configuration of a guest without access to the machine. It has no name,
// so there can be many guests. Clock and random numbers are the same for every guest.
func GuestConfig() wazero.ModuleConfig {
	c := &clock{}
	return wazero.NewModuleConfig().WithName("").WithStartFunctions().
		WithWalltime(c.walltime, 1).WithNanotime(c.nanotime, 1).WithNanosleep(c.sleep).WithOsyield(func() {})
}

// CacheFolder returns the user's directory for compiled modules, or "" if the system names none.
func CacheFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "rubric", "wasm")
}

// MaxCacheSize is how many bytes of compiled modules are cached on disk: the evaluator and some
// dozens of graders.
const MaxCacheSize = 512 << 20

type cachedModule struct {
	path string
	fs.FileInfo
}

// cachedModules returns the compiled modules in a cache directory, of all compiler versions, the
// newest first.
func cachedModules(folder string) (files []cachedModule) {
	paths, _ := filepath.Glob(filepath.Join(folder, "wazero-*", "*")) // the pattern is valid
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() { // otherwise another process removed it
			files = append(files, cachedModule{path, info})
		}
	}
	generic.SortStable(files, func(a, b cachedModule) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.path, b.path))
	})
	return files
}

// Prune removes the oldest modules of a cache directory until maxSize bytes remain. Several
// processes may prune at once: a file in use stays readable, and a removed module is compiled
// again.
func Prune(folder string, maxSize int64) {
	for n, file := range cachedModules(folder) {
		if maxSize -= file.Size(); maxSize < 0 && n > 0 { // the newest may be in use right now
			os.Remove(file.path)
		}
	}
}

// clock is a guest's clock. It starts at the same instant in every run, and advances only when
// the guest reads it or sleeps. So runs are repeatable and a sleep takes no time.
type clock struct{ elapsed int64 } // in nanoseconds

// epoch is 1 January 2026, in Unix seconds.
const epoch = 1767225600

func (c *clock) walltime() (sec int64, nsec int32) {
	now := c.nanotime()
	return epoch + now/1e9, int32(now % 1e9)
}

func (c *clock) nanotime() int64 {
	c.elapsed += 1000
	return c.elapsed
}

func (c *clock) sleep(ns int64) { c.elapsed += max(ns, 0) }
