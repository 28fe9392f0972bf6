package slim

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// WebAssembly instructions of the start function.
const (
	typeI32      = 0x7f
	opLoop       = 0x03
	typeNone     = 0x40
	opEnd        = 0x0b
	opBranchIf   = 0x0d
	opGet        = 0x20
	opSet        = 0x21
	opTee        = 0x22
	opLoad       = 0x28
	opLoadByte   = 0x2d
	opStore      = 0x36
	opConst      = 0x41
	opLess       = 0x49
	opAdd        = 0x6a
	opSubtract   = 0x6b
	opMultiply   = 0x6c
	opAnd        = 0x71
	opShiftLeft  = 0x74
	opShiftRight = 0x76

	aligned4 = 2    // alignment of load and store
	minus8   = 0x78 // as a signed constant
)

// functionBody encodes a function without results, with a number of local variables.
func functionBody(variables byte, code ...[]byte) []byte {
	return slices.Concat([]byte{1, variables, typeI32}, slices.Concat(code...), []byte{opEnd})
}

// constant encodes a constant, which must not be negative.
func constant(n int) []byte { return appendSigned([]byte{opConst}, n) }

// memoryOffset encodes the offset that load and store add to an address.
func memoryOffset(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }

// index is the runtime's table from program counters to functions. For each 4,096 counters it has
// the function's number and sixteen steps. In WebAssembly each function has 65,536 counters, so
// each function has the same entry sixteen times, without steps: a megabyte of 0, 0, … 1, 1, ….
// The linker writes a data segment of 13 bytes for each entry.
type index struct{ address, entries int }

const (
	entrySize   = 20
	perFunction = 16
)

// takeIndex finds the table and clears it.
func (m memory) takeIndex() (index, error) {
	second := bytes.Index(m, slices.Concat(bytes.Repeat(indexEntry(1), perFunction), bytes.Repeat(indexEntry(2), perFunction)))
	table := index{address: second - perFunction*entrySize}
	if table.address < 0 {
		return table, errUnknownLayout
	}
	for rest := m[table.address:]; bytes.HasPrefix(rest, indexEntry(table.entries/perFunction)); rest = rest[entrySize:] {
		table.entries++
	}
	if table.entries < 3*perFunction {
		return table, errUnknownLayout
	}
	clear(m[table.address : table.address+table.entries*entrySize])
	return table, nil
}

func indexEntry(function int) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(function)), make([]byte, entrySize-4)...)
}

// code fills the table, using local variable i:
//
//	for i := 0; i < entries; i++ { *(address + i*entrySize) = i / perFunction }
func (x index) code(i byte) []byte {
	const log2 = 4 // of perFunction
	return slices.Concat(
		[]byte{opLoop, typeNone},
		[]byte{opGet, i, opConst, entrySize, opMultiply, opGet, i, opConst, log2, opShiftRight, opStore, aligned4}, memoryOffset(x.address),
		[]byte{opGet, i, opConst, 1, opAdd, opTee, i}, constant(x.entries), []byte{opLess, opBranchIf, 0, opEnd},
	)
}

// order describes the data that follows from the order of the functions: the start and the entry of
// each, and its name, because slim sorts the names in the same order.
type order struct{ list, names, first, count, begin int }

// A list element: the function's start, and the offset of its entry.
const (
	elementSize  = 8
	elementEntry = 4
)

// takeOrder clears the data that follows from the functions' order.
func (t functionTable) takeOrder() (order, error) {
	if len(t.entries) == 0 {
		return order{}, errUnknownLayout
	}
	o := order{t.list, t.names, t.entries[0], len(t.entries), t.uint32(t.list)}
	if (o.first-o.list)%elementSize != 0 {
		return o, errUnknownLayout
	}
	names := []byte{0}
	for i, entry := range t.entries {
		element := t.list + elementSize*i
		name, _, ended := bytes.Cut(t.memory[min(t.names+t.uint32(entry+functionName), t.files):t.files], []byte{0})
		begin := o.begin + i
		if !ended || t.uint32(element) != begin || t.uint32(entry) != begin {
			return o, errUnknownLayout
		}
		names = append(append(names, name...), 0)
		clear(t.memory[element : element+elementSize])
		clear(t.memory[entry : entry+functionName+4])
	}
	return o, t.replace(t.names, t.files, names)
}

// code restores the data, using local variables from local on:
//
//	entry, name := first, names+1
//	for i := 0; i < count; i++ {
//		*(list + i*8), *(list + i*8 + 4) = begin + i, entry - list
//		*entry, *(entry + 4) = begin + i, name - names
//		for *name++ != 0 {
//		}
//		entry += its size, a multiple of 8
//	}
func (o order) code(local byte) []byte {
	i, entry, name := local, local+1, local+2
	element := []byte{opGet, i, opConst, 3, opShiftLeft}
	begin := slices.Concat([]byte{opGet, i}, constant(o.begin), []byte{opAdd})
	return slices.Concat(
		constant(o.first), []byte{opSet, entry},
		constant(o.names+1), []byte{opSet, name},
		[]byte{opLoop, typeNone},

		element, begin, []byte{opStore, aligned4}, memoryOffset(o.list),
		element, []byte{opGet, entry}, constant(o.list), []byte{opSubtract, opStore, aligned4}, memoryOffset(o.list+elementEntry),
		[]byte{opGet, entry}, begin, []byte{opStore, aligned4, 0},
		[]byte{opGet, entry, opGet, name}, constant(o.names), []byte{opSubtract, opStore, aligned4, functionName},

		[]byte{opLoop, typeNone, opGet, name, opLoadByte, 0, 0},
		[]byte{opGet, name, opConst, 1, opAdd, opSet, name},
		[]byte{opBranchIf, 0, opEnd},

		[]byte{opGet, entry},
		[]byte{opGet, entry, opLoad, aligned4, functionMore, opGet, entry, opLoadByte, 0, functionOthers + 3, opAdd, opConst, 2, opShiftLeft},
		[]byte{opConst, functionSize + 7, opAdd, opConst, minus8, opAnd},
		[]byte{opAdd, opSet, entry},

		[]byte{opGet, i, opConst, 1, opAdd, opTee, i}, constant(o.count), []byte{opLess, opBranchIf, 0, opEnd},
	)
}
