package sandbox

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
)

// compilation is a module that is compiled, or is being so until done is closed.
type compilation struct {
	done   chan struct{}
	module wazero.CompiledModule
	err    error
}

// compile compiles a module once, however many ask for it. Compiling cannot be
// stopped: whoever runs out of time leaves it to those who come later.
func (s *Sandbox) compile(ctx context.Context, module []byte) (wazero.CompiledModule, error) {
	if int64(len(module)) > s.limits.Module {
		return nil, fmt.Errorf("has %d MiB; graders of up to %d MiB are run", len(module)>>20, s.limits.Module>>20)
	}
	c, err := s.begin(module)
	if err != nil {
		return nil, err
	}
	select {
	case <-c.done:
		return c.module, c.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// begin gives the compilation of a module, which it starts if nobody has yet.
func (s *Sandbox) begin(module []byte) (*compilation, error) {
	key := sha256.Sum256(module)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runtime == nil {
		runtime, err := wasi.New(context.Background(), wasi.Settings{Memory: uint64(s.limits.Memory), Cache: s.cache, Stoppable: true})
		if err != nil {
			return nil, err
		}
		s.runtime = runtime
	}
	if c, ok := s.compiled[key]; ok {
		return c, nil
	}
	c := &compilation{done: make(chan struct{})}
	s.compiled[key] = c
	go func(runtime *wasi.Runtime) {
		defer close(c.done)
		defer func() {
			if fault := recover(); fault != nil {
				c.err = fmt.Errorf("is not WebAssembly that can be compiled: %v", fault)
			}
		}()
		c.module, c.err = runtime.Compile(context.Background(), module)
		if c.err != nil {
			c.err = fmt.Errorf("is not WebAssembly: %s", firstLine(c.err))
			return
		}
		c.err = foreign(runtime, c.module)
	}(s.runtime)
	return c, nil
}

// foreign says what keeps a module from being a WASI command: what it wants of
// its host beyond WASI, or that it has no start.
func foreign(runtime *wasi.Runtime, m wazero.CompiledModule) error {
	known := runtime.Module(wasi_snapshot_preview1.ModuleName).ExportedFunctionDefinitions()
	for _, f := range m.ImportedFunctions() {
		from, name, _ := f.Import()
		if _, ok := known[name]; !ok || from != wasi_snapshot_preview1.ModuleName {
			return fmt.Errorf("is no WASI command: it wants `%s` of `%s`, which graders are not given", name, from)
		}
	}
	for _, memory := range m.ImportedMemories() {
		from, name, _ := memory.Import()
		return fmt.Errorf("is no WASI command: it wants the memory `%s` of `%s`", name, from)
	}
	start, ok := m.ExportedFunctions()["_start"]
	if !ok || len(start.ParamTypes())+len(start.ResultTypes()) > 0 {
		return fmt.Errorf("is no WASI command: it exports no function `_start`")
	}
	return nil
}

// trap is a runtime's error without its stack.
func trap(err error) string {
	return strings.TrimSuffix(strings.TrimPrefix(firstLine(err), "wasm error: "), " (recovered by wazero)")
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
