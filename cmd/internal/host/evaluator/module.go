// Package evaluator hosts rubric.wasm: the evaluator as a WebAssembly module, which answers with
// the same bytes as the Go function that it was compiled from.
//
// A [Module] is compiled once and answers one call at a time. It has no access to files, environment
// or network, and its clock only counts. It is several times slower than the Go function. Its
// purpose is to prove that both agree, and to try a module out.
//
// The command line takes the module from the playground's page that is built into it. Builds are
// reproducible, so building again proves that a copy matches its source.
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

// Module is a compiled rubric.wasm. It is safe for concurrent use.
type Module struct {
	runtime  *wasi.Runtime
	compiled wazero.CompiledModule

	mu       sync.Mutex
	instance *instance // nil after a crash
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
	m.instance, err = m.instantiate(ctx)
	return m, err
}

// Close ends the module.
func (m *Module) Close(ctx context.Context) error { return m.runtime.Close(ctx) }

// Call answers one request at a time. An error means that the module gave no answer; after a crash,
// the next call gets a new instance.
func (m *Module) Call(ctx context.Context, request []byte) (response []byte, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.instance == nil {
		if m.instance, err = m.instantiate(ctx); err != nil {
			return nil, err
		}
	}
	response, err = m.instance.call(ctx, request)
	if errors.Is(err, ErrCrashed) {
		m.instance.module.Close(ctx)
		m.instance = nil
	}
	return response, err
}

// Answer is Call for users of the evaluator's JSON: if the module gives no answer, the JSON says
// so.
func (m *Module) Answer(ctx context.Context, request []byte) []byte {
	response, err := m.Call(ctx, request)
	if err != nil {
		return evaluator.Refuse(request, err.Error())
	}
	return response
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
		err = fmt.Errorf("it has version %d of the interface, not %d", got[0], evaluator.ABI)
	}
	if err != nil {
		module.Close(ctx)
		return nil, fmt.Errorf("evaluator module: %w", err)
	}
	return in, nil
}

// ErrCrashed is wrapped for the end of an instance: a trap, memory that ran out, a deadline.
var ErrCrashed = errors.New("evaluator module: it stopped")

type instance struct {
	module                           api.Module
	version, alloc, free, callExport api.Function
}

func (in *instance) call(ctx context.Context, request []byte) ([]byte, error) {
	got, err := in.alloc.Call(ctx, uint64(len(request)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCrashed, err)
	}
	p := got[0]
	if p == 0 || !in.module.Memory().Write(uint32(p), request) {
		return nil, errors.New("evaluator module: the request is too large") // the instance is unharmed
	}
	got, err = in.callExport.Call(ctx, p, uint64(len(request)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCrashed, err)
	}
	at, n := got[0]>>32, got[0]&0xffffffff
	shared, ok := in.module.Memory().Read(uint32(at), uint32(n))
	response := append([]byte{}, shared...) // copied: it is freed below, and the memory may move
	for _, buffer := range []uint64{p, at} {
		if _, err := in.free.Call(ctx, buffer); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCrashed, err)
		}
	}
	if at == 0 || !ok {
		return nil, fmt.Errorf("%w: it gave no response", ErrCrashed)
	}
	return response, nil
}
