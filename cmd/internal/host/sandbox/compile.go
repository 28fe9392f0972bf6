package sandbox

import (
	"context"
	"crypto/sha256"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
)

// compilation is a module that is compiled, or in progress until done is closed.
type compilation struct {
	done    chan struct{}
	module  wazero.CompiledModule
	err     error
	waiting int // number of runs that wait for it
	stop    context.CancelFunc
}

// compile compiles a module once, however many runs need it. When the last waiting run gives up,
// compilation stops after the functions in progress.
func (s *Sandbox) compile(ctx context.Context, module []byte) (wazero.CompiledModule, error) {
	if int64(len(module)) > s.limits.Module {
		return nil, fmt.Errorf("has %d MiB; the limit is %d MiB", len(module)>>20, s.limits.Module>>20)
	}
	key := sha256.Sum256(module)
	c, err := s.startCompilation(key, module)
	if err != nil {
		return nil, err
	}
	select {
	case <-c.done:
		return c.module, c.err
	case <-ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		if c.waiting--; c.waiting == 0 {
			c.stop()
			if s.compiled[key] == c {
				delete(s.compiled, key)
			}
		}
		return nil, context.Cause(ctx)
	}
}

// startCompilation returns the compilation of a module, and starts it if there is none.
func (s *Sandbox) startCompilation(key [32]byte, module []byte) (*compilation, error) {
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
		c.waiting++
		return c, nil
	}
	ctx, stop := context.WithCancel(context.Background())
	c := &compilation{done: make(chan struct{}), waiting: 1, stop: stop}
	s.compiled[key] = c
	go c.run(ctx, s.runtime, module)
	return c, nil
}

func (c *compilation) run(ctx context.Context, runtime *wasi.Runtime, module []byte) {
	defer close(c.done)
	defer c.stop()
	defer func() {
		if fault := recover(); fault != nil {
			c.err = fmt.Errorf("is not WebAssembly that can be compiled: %v", fault)
		}
		if ctx.Err() != nil {
			debug.FreeOSMemory() // return the memory of an unfinished compilation
		}
	}()
	if c.err = checkBounds(module); c.err != nil {
		return
	}
	if c.module, c.err = runtime.Compile(ctx, module); c.err != nil {
		c.err = fmt.Errorf("is not WebAssembly: %s", firstLine(c.err))
		return
	}
	c.err = checkImports(runtime, c.module)
}

// checkImports returns why a module is not a WASI command: it imports something other than WASI,
// or exports no _start.
func checkImports(runtime *wasi.Runtime, m wazero.CompiledModule) error {
	known := runtime.Module(wasi_snapshot_preview1.ModuleName).ExportedFunctionDefinitions()
	for _, f := range m.ImportedFunctions() {
		from, name, _ := f.Import()
		if _, ok := known[name]; !ok || from != wasi_snapshot_preview1.ModuleName {
			return fmt.Errorf("is not a WASI command: it imports `%s` of `%s`, which graders cannot use", name, from)
		}
	}
	for _, memory := range m.ImportedMemories() {
		from, name, _ := memory.Import()
		return fmt.Errorf("is not a WASI command: it imports the memory `%s` of `%s`", name, from)
	}
	start, ok := m.ExportedFunctions()["_start"]
	if !ok || len(start.ParamTypes())+len(start.ResultTypes()) > 0 {
		return fmt.Errorf("is not a WASI command: it exports no function `_start`")
	}
	return nil
}

func trapMessage(err error) string {
	return strings.TrimSuffix(strings.TrimPrefix(firstLine(err), "wasm error: "), " (recovered by wazero)")
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
