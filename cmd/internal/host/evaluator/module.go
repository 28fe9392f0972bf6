package evaluator

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	evaluator "github.com/rubric-ls/rubric/wasm/api"
)

// memoryPages is how much memory an instance may have, in pages of 64 KiB.
const memoryPages = 1 << 30 >> 16

// Module is a compiled rubric.wasm. It may be called from many goroutines.
type Module struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule

	mu   sync.Mutex
	idle []*instance
}

// Open compiles a module. With a folder for the cache, the next time only reads
// what was compiled; "" keeps nothing.
func Open(ctx context.Context, wasm []byte, cache string) (_ *Module, err error) {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages).WithCloseOnContextDone(true)
	if cache != "" {
		kept, err := wazero.NewCompilationCacheWithDir(cache)
		if err != nil {
			return nil, fmt.Errorf("evaluator module: %w", err)
		}
		config = config.WithCompilationCache(kept)
	}
	m := &Module{runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	defer func() {
		if err != nil {
			m.runtime.Close(ctx)
		}
	}()
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return nil, fmt.Errorf("evaluator module: %w", err)
	}
	if m.compiled, err = m.runtime.CompileModule(ctx, wasm); err != nil {
		return nil, fmt.Errorf("evaluator module: %w", err)
	}
	first, err := m.instantiate(ctx)
	if err != nil {
		return nil, err
	}
	m.idle = append(m.idle, first)
	return m, nil
}

// Close ends the module and all its instances.
func (m *Module) Close(ctx context.Context) error { return m.runtime.Close(ctx) }

// Call answers one request, on an instance that no other call is using. An error
// means that the module gave no answer; the next call finds a new instance.
func (m *Module) Call(ctx context.Context, request []byte) ([]byte, error) {
	in, err := m.take(ctx)
	if err != nil {
		return nil, err
	}
	response, err := in.call(ctx, request)
	var crash *Crash
	if errors.As(err, &crash) {
		in.module.Close(ctx)
		return nil, err
	}
	m.mu.Lock()
	m.idle = append(m.idle, in)
	m.mu.Unlock()
	return response, err
}

func (m *Module) take(ctx context.Context) (*instance, error) {
	m.mu.Lock()
	if n := len(m.idle); n > 0 {
		in := m.idle[n-1]
		m.idle = m.idle[:n-1]
		m.mu.Unlock()
		return in, nil
	}
	m.mu.Unlock()
	return m.instantiate(ctx)
}

func (m *Module) instantiate(ctx context.Context) (*instance, error) {
	module, err := m.runtime.InstantiateModule(ctx, m.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return nil, fmt.Errorf("evaluator module: %w", err)
	}
	in := &instance{module: module}
	for name, export := range map[string]*api.Function{"abi_version": &in.version, "alloc": &in.alloc, "free": &in.free, "call": &in.answer} {
		if *export = module.ExportedFunction(name); *export == nil {
			module.Close(ctx)
			return nil, fmt.Errorf("evaluator module: it exports no `%s`", name)
		}
	}
	if got, err := in.version.Call(ctx); err != nil || len(got) != 1 || got[0] != evaluator.ABI {
		module.Close(ctx)
		return nil, fmt.Errorf("evaluator module: it speaks version %v of the interface, not %d", got, evaluator.ABI)
	}
	return in, nil
}
