package sandbox

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
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

// Limits on what a module may declare. Compilers of Go, Rust, C, Zig and AssemblyScript stay far
// below them. The largest values in some dozen programs were 16,000 table entries, 12,000
// functions, functions of 54 KiB, 9,000 bytes in one function that could open a block, and 5
// million local variables times bytes of code.
const (
	maxItems     = 100_000    // in each section
	maxEntries   = 1_000_000  // of the table; wazero uses 8 bytes for each
	maxFunction  = 128 << 10  // bytes of one function; compilation cannot stop within one
	maxBlocks    = 20_000     // bytes of one function that could open a block: wazero takes quadratic time
	maxFrame     = 12_000_000 // local variables times bytes of code, in one function
	tableSection = 4
	codeSection  = 10
	dataCount    = 12 // holds a number, not a list
)

// checkBounds returns why a module is refused before compilation. A table cannot grow, because
// the runtime does not enable reference types. The compiler refuses what is not a module.
func checkBounds(module []byte) error {
	code, ok := bytes.CutPrefix(module, []byte("\x00asm\x01\x00\x00\x00"))
	if !ok {
		return nil
	}
	for r := (&reader{rest: code}); len(r.rest) > 0; {
		id := r.byte()
		section := &reader{rest: r.bytes(r.uint())}
		var err error
		switch {
		case id == tableSection:
			err = checkTables(section)
		case id == codeSection:
			err = checkCode(section)
		case id != 0 && id != 8 && id != dataCount: // custom sections and the start function have no count
			if n := section.uint(); n > maxItems {
				err = fmt.Errorf("has %d items in section %d; the limit is %d", n, id, maxItems)
			}
		}
		if err != nil {
			return err
		}
		if r.truncated || section.truncated {
			return fmt.Errorf("is not WebAssembly: section %d is cut short", id)
		}
	}
	return nil
}

func checkTables(r *reader) error {
	for range min(r.uint(), maxItems) {
		_, flags, least := r.byte(), r.byte(), r.uint()
		if least > maxEntries {
			return fmt.Errorf("has a table of %d entries; the limit is %d", least, maxEntries)
		}
		if flags&1 != 0 {
			r.uint() // the maximum
		}
	}
	return nil
}

// checkCode refuses functions that take too much time or memory to compile.
func checkCode(r *reader) error {
	count := r.uint()
	if count > maxItems {
		return fmt.Errorf("has %d functions; the limit is %d", count, maxItems)
	}
	for range count {
		body := r.bytes(r.uint())
		if len(body) > maxFunction {
			return fmt.Errorf("has a function of %d KiB; the limit is %d KiB", len(body)>>10, maxFunction>>10)
		}
		if blocks := bytes.Count(body, []byte{2}) + bytes.Count(body, []byte{3}) + bytes.Count(body, []byte{4}); blocks > maxBlocks {
			return fmt.Errorf("has a function with up to %d blocks; the limit is %d", blocks, maxBlocks)
		}
		locals, variables := &reader{rest: body}, uint64(0)
		for n := locals.uint(); n > 0 && !locals.truncated; n-- {
			variables += min(locals.uint(), maxFrame)
			locals.byte() // their type
		}
		if variables*uint64(len(body)) > maxFrame {
			return fmt.Errorf("has a function of %d bytes with %d local variables; the product may be %d", len(body), variables, maxFrame)
		}
	}
	return nil
}

// reader reads a module. Beyond the end, everything is zero and truncated is set.
type reader struct {
	rest      []byte
	truncated bool
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.truncated, n, v = true, len(r.rest), 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.truncated, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}
