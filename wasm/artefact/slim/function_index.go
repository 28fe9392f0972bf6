package slim

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// index is the runtime's table from program counters to functions: for each
// 4,096 of them the function's number and sixteen steps. In WebAssembly each
// function has 65,536 counters to itself, so that the table has the same entry
// sixteen times for each function, and no steps: a megabyte that says 0, 0, … 1,
// 1, …. The linker's data has a segment for each entry, at 13 bytes.
type index struct{ address, entries int }

const (
	entrySize   = 20
	perFunction = 16
)

// takeIndex finds the table and empties it.
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

// code fills the table, of a local variable:
//
//	for i := 0; i < entries; i++ { *(at + i*entrySize) = i / perFunction }
func (x index) code(i byte) []byte {
	const log2 = 4 // of perFunction
	return slices.Concat(
		[]byte{opLoop, typeNone},
		[]byte{opGet, i, opConst, entrySize, opMultiply, opGet, i, opConst, log2, opShiftRight, opStore, aligned4}, memoryOffset(x.address),
		[]byte{opGet, i, opConst, 1, opAdd, opTee, i}, constant(x.entries), []byte{opLess, opBranchIf, 0, opEnd},
	)
}
