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
func (t functions) takeOrder() (order, error) {
	if len(t.entries) == 0 {
		return order{}, errForeign
	}
	o := order{t.list, t.names, t.entries[0], len(t.entries), t.uint32(t.list)}
	if (o.first-o.list)%elementSize != 0 {
		return o, errForeign
	}
	names := []byte{0}
	for i, entry := range t.entries {
		element := t.list + elementSize*i
		name, _, ended := bytes.Cut(t.memory[min(t.names+t.uint32(entry+functionName), t.files):t.files], []byte{0})
		begin := o.begin + i
		if !ended || t.uint32(element) != begin || t.uint32(entry) != begin {
			return o, errForeign
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
	element := []byte{get, i, i32Const, 3, shiftLeft}
	begin := slices.Concat([]byte{get, i}, number(o.begin), []byte{add})
	return slices.Concat(
		number(o.first), []byte{set, entry},
		number(o.names+1), []byte{set, name},
		[]byte{loop, untyped},

		element, begin, []byte{store, aligned4}, offset(o.list),
		element, []byte{get, entry}, number(o.list), []byte{subtract, store, aligned4}, offset(o.list+elementEntry),
		[]byte{get, entry}, begin, []byte{store, aligned4, 0},
		[]byte{get, entry, get, name}, number(o.names), []byte{subtract, store, aligned4, functionName},

		[]byte{loop, untyped, get, name, loadByte, 0, 0},
		[]byte{get, name, i32Const, 1, add, set, name},
		[]byte{branchIf, 0, end},

		[]byte{get, entry},
		[]byte{get, entry, load, aligned4, functionMore, get, entry, loadByte, 0, functionOthers + 3, add, i32Const, 2, shiftLeft},
		[]byte{i32Const, functionSize + 7, add, i32Const, minus8, and},
		[]byte{add, set, entry},

		[]byte{get, i, i32Const, 1, add, tee, i}, number(o.count), []byte{less, branchIf, 0, end},
	)
}
