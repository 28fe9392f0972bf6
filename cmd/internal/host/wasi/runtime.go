package wasi

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// Settings are how a runtime is made.
type Settings struct {
	Memory uint64 // the most memory of one guest, in bytes
	Cache  string // the folder that keeps compiled modules; "" keeps none
	// Stoppable ends guests when their call's context does. It costs speed.
	Stoppable bool
}

// New makes a runtime that knows WASI. Whoever made it closes it.
func New(ctx context.Context, s Settings) (wazero.Runtime, error) {
	const page = 64 << 10
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(s.Memory / page)).WithCloseOnContextDone(s.Stoppable)
	if s.Cache != "" {
		kept, err := wazero.NewCompilationCacheWithDir(s.Cache)
		if err != nil {
			return nil, fmt.Errorf("cache of compiled modules: %w", err)
		}
		config = config.WithCompilationCache(kept)
	}
	runtime := wazero.NewRuntimeWithConfig(ctx, config)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, runtime); err != nil {
		return nil, err
	}
	return runtime, nil
}

// Guest is the configuration of a guest that sees nothing: no name, so that
// there may be many, and the clock and random numbers that every other has too.
func Guest() wazero.ModuleConfig {
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
