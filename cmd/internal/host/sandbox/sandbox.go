// Package sandbox runs users' graders that are compiled to WebAssembly (WASI commands). They have
// no access to files, network, environment, the machine's clock or other programs. Their input,
// output, memory, compilation time and run time are limited.
//
// That is why they need no consent. A grader that needs more runs as a program.
package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
	"github.com/rubric-ls/rubric/core/grade"
)

// Limits bound the resources of a grader.
type Limits struct {
	Time   time.Duration // of one run, including compilation
	Memory int64         // in bytes
	Output int64         // in bytes, of each of the two streams
	Module int64         // in bytes, of the module's file
}

// Defaults are the default limits, far above what comparing texts needs.
var Defaults = Limits{Time: 10 * time.Second, Memory: 256 << 20, Output: 8 << 20, Module: 32 << 20}

// Sandbox runs graders, any number at a time. It holds compiled modules until Close, and caches
// them on disk.
type Sandbox struct {
	limits Limits
	cache  string

	mu       sync.Mutex
	runtime  *wasi.Runtime
	compiled map[[32]byte]*compilation
}

// New returns a sandbox that caches compiled modules in the directory cache, or not on disk if
// cache is "". It does no work until the first run.
func New(limits Limits, cache string) *Sandbox {
	return &Sandbox{limits: limits, cache: cache, compiled: map[[32]byte]*compilation{}}
}

// Close releases everything and ends all runs.
func (s *Sandbox) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runtime == nil {
		return nil
	}
	return s.runtime.Close(context.Background())
}

// Run runs a grader's module to its end, with the arguments and the input of c. If it does not exit by
// itself, the error says why in one sentence, and the output holds what it printed until then, with an
// exit status of -1.
func (s *Sandbox) Run(ctx context.Context, module []byte, c grade.Command) (grade.Output, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(s.limits.Time, func() { cancel(fmt.Errorf("timed out after %s", s.limits.Time)) })
	defer timer.Stop()

	compiled, err := s.compile(ctx, module)
	if err != nil {
		return grade.Output{Code: -1}, err
	}
	overflow := func() { cancel(fmt.Errorf("printed more than %d MiB", s.limits.Output>>20)) }
	stdout := &CappedBuffer{Room: int(s.limits.Output), Overflow: overflow}
	stderr := &CappedBuffer{Room: int(s.limits.Output), Overflow: overflow}
	code, err := s.runStart(ctx, compiled, wasi.GuestConfig().WithArgs(c.Argv...).
		WithStdin(bytes.NewReader(c.Stdin)).WithStdout(stdout).WithStderr(stderr))
	if cause := context.Cause(ctx); cause != nil {
		code, err = -1, cause
	}
	return grade.Output{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Code: code}, err
}

// largeGuest is the size of a guest's memory, in bytes, above which it is returned to the system
// at once.
const largeGuest = 64 << 20

// runStart runs a compiled grader's `_start` and returns its exit status.
func (s *Sandbox) runStart(ctx context.Context, compiled wazero.CompiledModule, config wazero.ModuleConfig) (int, error) {
	guest, err := s.runtime.InstantiateModule(ctx, compiled, config)
	if err != nil {
		return exitStatus(nil, err, s.limits)
	}
	defer func() {
		large := guest.Memory() != nil && guest.Memory().Size() > largeGuest
		guest.Close(context.Background())
		if large {
			debug.FreeOSMemory()
		}
	}()
	_, err = guest.ExportedFunction("_start").Call(ctx)
	return exitStatus(guest, err, s.limits)
}

// exitStatus returns the exit status of a guest, or an error for a trap.
func exitStatus(guest api.Module, err error, limits Limits) (int, error) {
	var exit *sys.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit):
		return int(exit.ExitCode()), nil
	case guest != nil && guest.Memory() != nil && int64(guest.Memory().Size()) > limits.Memory*3/4:
		return -1, fmt.Errorf("crashed, with all its %d MiB of memory in use: %s", limits.Memory>>20, trapMessage(err))
	}
	return -1, fmt.Errorf("crashed: %s", trapMessage(err))
}

// CappedBuffer stores the first bytes that are written, up to Room, and calls Overflow if there
// are more. The buffer is not embedded because its ReadFrom would bypass the cap.
type CappedBuffer struct {
	Room     int
	Overflow func()
	buf      bytes.Buffer
}

// Write implements io.Writer.
func (c *CappedBuffer) Write(p []byte) (int, error) {
	if len(p) > c.Room {
		n, _ := c.buf.Write(p[:c.Room])
		c.Room = 0
		c.Overflow()
		return n, io.ErrShortWrite
	}
	c.Room -= len(p)
	return c.buf.Write(p)
}

// Bytes returns the stored bytes.
func (c *CappedBuffer) Bytes() []byte { return c.buf.Bytes() }
