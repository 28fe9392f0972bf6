package slim

import (
	"encoding/binary"
	"slices"
)

// memory is the initial memory of a module, from address 0.
type memory []byte

// maxMemory limits the memory of modules that slim accepts.
const maxMemory = 64 << 20

// minGap is how many zeros end a segment. A segment costs 9 bytes, so fewer zeros would pay off
// uncompressed; but zeros compress to nothing, and an address does not.
const minGap = 32

// memoryZero begins a segment: memory 0, then `i32.const` address, `end`, and the bytes.
const memoryZero = 0x00

func readMemory(data []byte) (memory, error) {
	var m memory
	r := reader{rest: data}
	for range r.uint() {
		before := r.bytes(2)
		at := r.uint() // a signed number, which is the same below 2 GB
		after := r.bytes(1)
		segment := r.bytes(r.uint())
		if r.truncated || before[0] != memoryZero || before[1] != opConst || after[0] != opEnd || at > maxMemory || at+uint64(len(segment)) > maxMemory {
			return nil, errUnknownLayout
		}
		if missing := int(at) + len(segment) - len(m); missing > 0 {
			m = append(m, make([]byte, missing)...)
		}
		copy(m[at:], segment)
	}
	if r.truncated || len(r.rest) > 0 {
		return nil, errUnknownLayout
	}
	return m, nil
}

// segments encodes the data section that creates this memory.
func (m memory) segments() []byte {
	var list []byte
	count := uint64(0)
	for at := m.skipZeros(0); at < len(m); count++ {
		stop, next := at, at
		for next < len(m) && next-stop < minGap {
			for stop = next; stop < len(m) && m[stop] != 0; stop++ {
			}
			next = m.skipZeros(stop)
		}
		list = append(list, memoryZero, opConst)
		list = appendSigned(list, at)
		list = append(list, opEnd)
		list = binary.AppendUvarint(list, uint64(stop-at))
		list = append(list, m[at:stop]...)
		at = next
	}
	return append(binary.AppendUvarint(nil, count), list...)
}

func (m memory) skipZeros(at int) int {
	if n := slices.IndexFunc(m[at:], func(b byte) bool { return b != 0 }); n >= 0 {
		return at + n
	}
	return len(m)
}

// appendSigned appends a non-negative number in signed LEB128.
func appendSigned(list []byte, n int) []byte {
	list = binary.AppendUvarint(list, uint64(n))
	if last := &list[len(list)-1]; *last&0x40 != 0 { // otherwise it would be the sign bit
		*last |= 0x80
		list = append(list, 0)
	}
	return list
}

// uint32 returns the number at an address, or 0 behind the end.
func (m memory) uint32(at int) int {
	if at+4 > len(m) {
		return 0
	}
	return int(binary.LittleEndian.Uint32(m[at:]))
}

// uint64 returns the 8-byte address at an address, or maxMemory if it is too large.
func (m memory) uint64(at int) int {
	if m.uint32(at+4) != 0 {
		return maxMemory
	}
	return m.uint32(at)
}

// replace overwrites a range with other bytes, and the rest of the range with zeros.
func (m memory) replace(from, to int, other []byte) error {
	if len(other) > to-from {
		return errUnknownLayout
	}
	clear(m[from:to])
	copy(m[from:], other)
	return nil
}
