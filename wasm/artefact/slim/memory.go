package slim

import (
	"encoding/binary"
	"slices"
)

// memory is what a module's data makes of it, from address 0.
type memory []byte

// maxMemory is the largest memory that is looked at.
const maxMemory = 64 << 20

// minGap is how many zeros end a segment. One costs 9 bytes, so fewer would do; but
// compressed the zeros cost nothing, and an address does.
const minGap = 32

// memoryZero begins a segment: memory 0, at `i32.const` address, `end`, its bytes.
const memoryZero = 0x00

func readMemory(data []byte) (memory, error) {
	var m memory
	r := reader{rest: data}
	for range r.uint() {
		before := r.bytes(2)
		at := r.uint() // signed there, which is the same below 2 GB
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

// segments is the data section that makes this memory of zeros.
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

// appendSigned adds a number that is not negative as a signed one.
func appendSigned(list []byte, n int) []byte {
	list = binary.AppendUvarint(list, uint64(n))
	if last := &list[len(list)-1]; *last&0x40 != 0 { // it would be the sign
		*last |= 0x80
		list = append(list, 0)
	}
	return list
}

// uint32 is the number at an address; 0 if the memory ends before.
func (m memory) uint32(at int) int {
	if at+4 > len(m) {
		return 0
	}
	return int(binary.LittleEndian.Uint32(m[at:]))
}

// uint64 is the same of 8 bytes, if it is an address.
func (m memory) uint64(at int) int {
	if m.uint32(at+4) != 0 {
		return maxMemory
	}
	return m.uint32(at)
}

// replace has what is from one address to another begin with other bytes, and
// continue with zeros.
func (m memory) replace(from, to int, other []byte) error {
	if len(other) > to-from {
		return errUnknownLayout
	}
	clear(m[from:to])
	copy(m[from:], other)
	return nil
}
