//go:build wasip1

package main

import (
	"runtime"

	"github.com/rubric-ls/rubric/wasm/api"
)

// abiVersion is what a host compares first: with another number than the one it
// was written for, the other exports may mean something else.
//
//go:wasmexport abi_version
func abiVersion() uint32 { return api.ABI }

// alloc gives the host a buffer of n bytes to write a request into, or 0 if n is
// more than MaxBuffer.
//
//go:wasmexport alloc
func alloc(n uint32) uint32 { return newBuffer(n) }

// free takes a buffer back, of a request or a response. What is not a buffer is
// left alone.
//
//go:wasmexport free
func free(p uint32) { delete(buffers, p) }

// call answers the request in the first n bytes of a buffer: address<<32|length
// of the response, in a buffer that the host frees too, or 0 if p is no buffer
// of n bytes.
//
//go:wasmexport call
func call(p, n uint32) uint64 {
	request, ok := buffers[p]
	if !ok || uint64(n) > uint64(len(request)) {
		return 0
	}
	response := api.Call(request[:n])
	runtime.Gosched() // the collector is at work only while a call is: without its turn, memory grows for ever
	return uint64(trackBuffer(response))<<32 | uint64(len(response))
}
