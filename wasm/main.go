//go:build wasip1

// Command wasm is the evaluator as a WebAssembly module, rubric.wasm. It is a WASI reactor for
// browser workers, Node and any WASI host, and answers the requests of package api. README.md
// documents the binary interface for authors of hosts.
//
// The module opens no file and no connection. It uses only the WASI functions that the Go runtime
// needs to start and to report a crash. The build tag wasip1 excludes it from `go build ./...`
// elsewhere.
package main

import (
	"runtime"
	"runtime/debug"
	"unsafe"

	"github.com/rubric-ls/rubric/wasm/api"
)

// main never runs, because a reactor has only exports.
func main() {}

// abiVersion returns the version of the binary interface. A host must check it first: with another
// version, the other exports may mean something else.
//
//go:wasmexport abi_version
func abiVersion() uint32 { return api.ABI }

// alloc returns the address of a buffer of n bytes for a request, or 0 if n is more than maxBuffer.
//
//go:wasmexport alloc
func alloc(n uint32) uint32 { return newBuffer(n) }

// free releases the buffer of a request or a response. It ignores other addresses.
//
//go:wasmexport free
func free(p uint32) { delete(buffers, p) }

// call answers the request in the first n bytes of a buffer. It returns address<<32|length of the
// response, which the host must free, or 0 if p is not a buffer of at least n bytes.
//
//go:wasmexport call
func call(p, n uint32) uint64 {
	request, ok := buffers[p]
	if !ok || uint64(n) > uint64(len(request)) {
		return 0
	}
	response := api.Call(request[:n])
	runtime.Gosched() // the collector runs only during calls; without this turn, memory would grow without limit
	return uint64(trackBuffer(response))<<32 | uint64(len(response))
}

// maxBuffer is the longest request in bytes: the longest file, with every byte escaped as JSON.
const maxBuffer = 128 << 20

// buffers holds the host's buffers by address. The reference keeps a buffer alive, and Go's
// collector does not move it.
var buffers = map[uint32][]byte{}

// newBuffer allocates a buffer. An empty one has its own address too.
func newBuffer(n uint32) uint32 {
	if n > maxBuffer {
		return 0
	}
	return trackBuffer(make([]byte, n, max(n, 1)))
}

func trackBuffer(buffer []byte) uint32 {
	p := uint32(uintptr(unsafe.Pointer(unsafe.SliceData(buffer))))
	buffers[p] = buffer
	return p
}

// gcPercent is twice Go's default. The module has one thread, which answers nothing during a
// collection. A check of 1,000 cases takes a sixth less time with no more memory. At 400 it would
// take a quarter less time, with half as much memory again.
const gcPercent = 200

func init() { debug.SetGCPercent(gcPercent) }
