package evaluator

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
	evaluator "github.com/rubric-ls/rubric/wasm/api"
)

// MaxMemory is how much memory an instance may have, in bytes.
const MaxMemory = 1 << 30

// Module is a compiled rubric.wasm. It may be called from many goroutines.
type Module struct {
	runtime  *wasi.Runtime
	compiled wazero.CompiledModule

	mu   sync.Mutex
	idle []*instance
}

// Open compiles a module.
func Open(ctx context.Context, wasm []byte, s wasi.Settings) (_ *Module, err error) {
	runtime, err := wasi.New(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("evaluator module: %w", err)
	}
	m := &Module{runtime: runtime}
	defer func() {
		if err != nil {
			m.runtime.Close(ctx)
		}
	}()
	if m.compiled, err = m.runtime.Compile(ctx, wasm); err != nil {
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
	in, err := m.acquire(ctx)
	if err != nil {
		return nil, err
	}
	response, err := in.call(ctx, request)
	var crash *CrashError
	if errors.As(err, &crash) {
		in.module.Close(ctx)
		return nil, err
	}
	m.mu.Lock()
	m.idle = append(m.idle, in)
	m.mu.Unlock()
	return response, err
}

// Answer is Call for those who speak the evaluator's JSON: where the module gives
// no answer, the answer says so.
func (m *Module) Answer(ctx context.Context, request []byte) []byte {
	response, err := m.Call(ctx, request)
	if err != nil {
		return evaluator.Refuse(request, err.Error())
	}
	return response
}

func (m *Module) acquire(ctx context.Context) (*instance, error) {
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
	module, err := m.runtime.InstantiateModule(ctx, m.compiled, wasi.GuestConfig().WithStartFunctions("_initialize"))
	if err != nil {
		return nil, fmt.Errorf("evaluator module: %w", err)
	}
	in := &instance{module: module}
	for name, export := range map[string]*api.Function{"abi_version": &in.version, "alloc": &in.alloc, "free": &in.free, "call": &in.callExport} {
		if *export = module.ExportedFunction(name); *export == nil {
			module.Close(ctx)
			return nil, fmt.Errorf("evaluator module: it exports no `%s`", name)
		}
	}
	got, err := in.version.Call(ctx)
	if err == nil && got[0] != evaluator.ABI {
		err = fmt.Errorf("it speaks version %d of the interface, not %d", got[0], evaluator.ABI)
	}
	if err != nil {
		module.Close(ctx)
		return nil, fmt.Errorf("evaluator module: %w", err)
	}
	return in, nil
}
