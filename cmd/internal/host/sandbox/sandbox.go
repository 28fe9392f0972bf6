package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"github.com/rubric-ls/rubric/cmd/internal/host/wasi"
)

// Limits end what a grader may use.
type Limits struct {
	Time   time.Duration // of one run, compiling the grader included
	Memory int64         // in bytes
	Output int64         // in bytes, of each of its two streams
	Module int64         // in bytes, of its file
}

// Defaults are the limits of graders that are given no others: far above what
// comparing texts takes.
var Defaults = Limits{Time: 10 * time.Second, Memory: 256 << 20, Output: 8 << 20, Module: 32 << 20}

// Sandbox runs graders, many at a time. What it compiled it keeps until it is
// closed, and longer on disk.
type Sandbox struct {
	limits Limits
	cache  string

	mu       sync.Mutex
	runtime  *wasi.Runtime
	compiled map[[32]byte]*compilation
}

// New makes a sandbox that keeps compiled graders in the folder cache; "" keeps
// none on disk. It costs nothing until the first grader runs.
func New(limits Limits, cache string) *Sandbox {
	return &Sandbox{limits: limits, cache: cache, compiled: map[[32]byte]*compilation{}}
}

// Close gives everything back. Runs under way end.
func (s *Sandbox) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runtime == nil {
		return nil
	}
	return s.runtime.Close(context.Background())
}

// Grader is one run of a grader: its module, and what it is given.
type Grader struct {
	Module []byte
	Args   []string // the first is its own name
	Stdin  []byte
}

// Output is what a grader left behind.
type Output struct {
	Stdout, Stderr []byte
	Code           int // its exit status; -1 if it has none
}

// Run runs a grader to its end. An error says in one sentence why it has no
// regular one; what it printed until then is there all the same.
func (s *Sandbox) Run(ctx context.Context, g Grader) (Output, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(s.limits.Time, func() { cancel(fmt.Errorf("timed out after %s", s.limits.Time)) })
	defer timer.Stop()

	compiled, err := s.compile(ctx, g.Module)
	if err != nil {
		return Output{Code: -1}, err
	}
	overflow := func() { cancel(fmt.Errorf("printed more than %d MiB", s.limits.Output>>20)) }
	stdout := &cappedBuffer{room: s.limits.Output, overflow: overflow}
	stderr := &cappedBuffer{room: s.limits.Output, overflow: overflow}
	code, err := s.runStart(ctx, compiled, wasi.GuestConfig().WithArgs(g.Args...).
		WithStdin(bytes.NewReader(g.Stdin)).WithStdout(stdout).WithStderr(stderr))
	if cause := context.Cause(ctx); cause != nil {
		code, err = -1, cause
	}
	return Output{Stdout: stdout.buf.Bytes(), Stderr: stderr.buf.Bytes(), Code: code}, err
}

// largeGuest is the memory, in bytes, above which it is returned to the system at once.
const largeGuest = 64 << 20

// runStart runs a compiled grader's `_start` and gives its exit status.
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

// exitStatus says how a guest ended: with an exit status, or with a trap.
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
