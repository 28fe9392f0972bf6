package wasi

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// Settings are how a runtime is made.
type Settings struct {
	Memory uint64 // the most memory of one guest, in bytes
	Cache  string // the folder that keeps compiled modules; "", or one that cannot be written, keeps none
	// Stoppable ends guests when their call's context does. It costs speed.
	Stoppable bool
}

// Runtime is a runtime that knows WASI, with what it has compiled.
type Runtime struct {
	wazero.Runtime
	cache  wazero.CompilationCache // nil without one; the machine code is its own
	folder string                  // where the cache is
}

// New makes a runtime. Whoever made it closes it.
func New(ctx context.Context, s Settings) (*Runtime, error) {
	const page = 64 << 10
	r := &Runtime{}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(s.Memory / page)).WithCloseOnContextDone(s.Stoppable).
		WithCoreFeatures(api.CoreFeaturesV2 &^ api.CoreFeatureReferenceTypes) // tables that grow, and references, are outside of the memory's limit
	if s.Cache != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(s.Cache); err == nil { // else it only takes longer
			config, r.cache, r.folder = config.WithCompilationCache(cache), cache, s.Cache
		}
	}
	r.Runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return nil, errors.Join(err, r.Close(ctx))
	}
	return r, nil
}

// Close ends all guests and gives back what was compiled; what is on disk stays.
func (r *Runtime) Close(ctx context.Context) error {
	err := r.Runtime.Close(ctx)
	if r.cache != nil {
		err = errors.Join(err, r.cache.Close(ctx))
	}
	return err
}

// Compile compiles a module, on all processors, until ctx ends. What is kept on disk and cannot
// be read, cut short by a crash or a full disk, is done away with, and so is what
// is more than [MostKept].
func (r *Runtime) Compile(ctx context.Context, module []byte) (wazero.CompiledModule, error) {
	ctx = experimental.WithCompilationWorkers(ctx, max(runtime.GOMAXPROCS(0), 2)) // one worker does not look at ctx
	compiled, err := r.CompileModule(ctx, module)
	if err != nil && r.cache != nil && strings.Contains(err.Error(), "compilationcache: ") { // it has no type of its own
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

// GuestConfig is the configuration of a guest that sees nothing: no name, so that
// there may be many, and the clock and random numbers that every other has too.
func GuestConfig() wazero.ModuleConfig {
	c := &clock{}
	return wazero.NewModuleConfig().WithName("").WithStartFunctions().
		WithWalltime(c.walltime, 1).WithNanotime(c.nanotime, 1).WithNanosleep(c.sleep).WithOsyield(func() {})
}

// CacheFolder is where compiled modules are kept for this user; "" if the system
// names no place for it.
func CacheFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "rubric", "wasm")
}
