package evaluator

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero/api"
)

// errRequestTooLarge is of a request that the module has no room for; the instance is
// as it was.
var errRequestTooLarge = errors.New("evaluator module: the request is too large")

// CrashError is the end of an instance: a trap, memory that ran out, a deadline.
type CrashError struct{ cause error }

// Error says what ended the instance.
func (e *CrashError) Error() string { return fmt.Sprintf("evaluator module: it stopped: %s", e.cause) }

// Unwrap is what ended the instance, as the runtime reports it.
func (e *CrashError) Unwrap() error { return e.cause }

// instance is one running module, with a memory of its own.
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
	response := append([]byte{}, shared...) // freed below, and the memory may move
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
