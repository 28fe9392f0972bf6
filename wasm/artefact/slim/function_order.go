package slim

import (
	"bytes"
	"slices"
)

// order is what of the table of functions follows from their order: where each of
// them begins, where its entry is and, as their names are put in the same order,
// where its name is.
type order struct{ list, names, first, count, begin int }

// Of a list's element: where the function begins, and where its entry is.
const (
	elementSize  = 8
	elementEntry = 4
)

// takeOrder empties what follows from the functions' order.
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

// code fills that in again, of local variables from the given one on:
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
