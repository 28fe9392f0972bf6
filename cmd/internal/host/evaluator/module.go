// Package evaluator hosts rubric.wasm: the evaluator as a WebAssembly module, which answers with
// the same bytes as the Go function that it was compiled from.
//
// A [Module] is compiled once and has as many instances as there are concurrent calls. The module
// has no access to files, environment or network, and its clock only counts. It is several times
// slower than the Go function. Its purpose is to prove that both agree, and to try a module out.
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

// Call answers one request, on an instance that no other call uses. An error means that the
// module gave no answer; the next call gets a new instance.
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

// Answer is Call for users of the evaluator's JSON: if the module gives no answer, the JSON says
// so.
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
		err = fmt.Errorf("it has version %d of the interface, not %d", got[0], evaluator.ABI)
	}
	if err != nil {
		module.Close(ctx)
		return nil, fmt.Errorf("evaluator module: %w", err)
	}
	return in, nil
}

// errRequestTooLarge is returned if the module has no room for a request; its instance is
// unharmed.
var errRequestTooLarge = errors.New("evaluator module: the request is too large")

// CrashError is the end of an instance: a trap, memory that ran out, a deadline.
type CrashError struct{ cause error }

// Error says what ended the instance.
func (e *CrashError) Error() string { return fmt.Sprintf("evaluator module: it stopped: %s", e.cause) }

// Unwrap returns the runtime's error.
func (e *CrashError) Unwrap() error { return e.cause }

type instance struct {
	module                           api.Module
	version, alloc, free, callExport api.Function
}

func (in *instance) call(ctx context.Context, request []byte) ([]byte, error) {
	got, err := in.alloc.Call(ctx, uint64(len(request)))
	if err != nil {
		return nil, &CrashError{err}
	}
	p := got[0]
	if p == 0 || !in.module.Memory().Write(uint32(p), request) {
		return nil, errRequestTooLarge
	}
	got, err = in.callExport.Call(ctx, p, uint64(len(request)))
	if err != nil {
		return nil, &CrashError{err}
	}
	at, n := got[0]>>32, got[0]&0xffffffff
	shared, ok := in.module.Memory().Read(uint32(at), uint32(n))
	response := append([]byte{}, shared...) // copied: it is freed below, and the memory may move
	for _, buffer := range []uint64{p, at} {
		if _, err := in.free.Call(ctx, buffer); err != nil {
			return nil, &CrashError{err}
		}
	}
	if at == 0 || !ok {
		return nil, &CrashError{errors.New("it gave no response")}
	}
	return response, nil
}
