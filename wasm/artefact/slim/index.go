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
type index struct{ at, entries int }

const (
	entrySize   = 20
	perFunction = 16
)

// takeIndex finds the table and empties it.
func (m memory) takeIndex() (index, error) {
	second := bytes.Index(m, slices.Concat(bytes.Repeat(entry(1), perFunction), bytes.Repeat(entry(2), perFunction)))
	table := index{at: second - perFunction*entrySize}
	if table.at < 0 {
		return table, errForeign
	}
	for rest := m[table.at:]; bytes.HasPrefix(rest, entry(table.entries/perFunction)); rest = rest[entrySize:] {
		table.entries++
	}
	if table.entries < 3*perFunction {
		return table, errForeign
	}
	clear(m[table.at : table.at+table.entries*entrySize])
	return table, nil
}

func entry(function int) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(function)), make([]byte, entrySize-4)...)
}

// code fills the table, of a local variable:
//
//	for i := 0; i < entries; i++ { *(at + i*entrySize) = i / perFunction }
func (x index) code(i byte) []byte {
	const log2 = 4 // of perFunction
	return slices.Concat(
		[]byte{loop, untyped},
		[]byte{get, i, i32Const, entrySize, multiply, get, i, i32Const, log2, shiftRight, store, aligned4}, offset(x.at),
		[]byte{get, i, i32Const, 1, add, tee, i}, number(x.entries), []byte{less, branchIf, 0, end},
	)
}
