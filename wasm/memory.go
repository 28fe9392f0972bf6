//go:build wasip1

package main

import "unsafe"

// maxBuffer is the longest request, in bytes: the longest file, with every byte
// escaped as JSON may escape it.
const maxBuffer = 128 << 20

// buffers holds the buffers that the host has, by their address. The collector
// moves nothing, so a reference is all it takes to keep an address good.
var buffers = map[uint32][]byte{}

// newBuffer makes a buffer. An empty one has an address of its own too.
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
