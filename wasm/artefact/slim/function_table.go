package slim

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Layout of the runtime's function table, as in runtime.pcHeader and runtime._func. Offsets in the
// header:
const (
	tableStart     = "\xf1\xff\xff\xff\x00\x00\x01\x08" // since Go 1.20; instructions of 1 byte, pointers of 8 bytes
	tableFunctions = 8                                  // number of functions
	tableNames     = 32                                 // address of the names, each ended by a zero
	tableFiles     = 40                                 // address of the file names
	tableCounters  = 56                                 // address of the program counter tables
	tableList      = 64                                 // address of the function list; an element is 8 bytes, with the entry's offset at 4
)

// Offsets in a function's entry, which begins with the function's start. The values marked table
// are offsets of program counter tables; 0 means none.
const (
	functionName   = 4  // offset of its name
	functionStack  = 16 // table: stack depth
	functionFile   = 20 // table: file
	functionLine   = 24 // table: line
	functionMore   = 28 // number of further tables after the entry
	functionUnit   = 32 // offset of its file names
	functionStart  = 36 // its first line
	functionOthers = 40 // in its last byte, the number of data offsets, which follow the tables and count from moduleData; -1 means none
	functionSize   = 44
)

// Indexes of the tables and data that follow an entry: PCDATA and FUNCDATA of internal/abi.
const (
	offsetUnsafe  = 0 // where the function cannot be preempted; WebAssembly never preempts
	offsetInlined = 2 // which inlined call a counter belongs to
	dataInlined   = 3 // the inlined calls, inlinedSize bytes each
	inlinedSize   = 16
	inlinedName   = 4 // offset of an inlined function's name
	noData        = 1<<32 - 1
)

// Offsets in runtime.moduledata, which begins with the address of the function table: the function
// list, and the base of data offsets.
const (
	moduleList = 104
	moduleData = 320
)

// functionTable is the runtime's function table in a memory.
type functionTable struct {
	memory
	names, files, counters, list, data int   // addresses
	entries                            []int // addresses of the functions' entries
}

// findFunctions finds the table. It requires that the entries follow one another.
func (m memory) findFunctions() (functionTable, error) {
	start := bytes.Index(m, []byte(tableStart))
	if start < 0 {
		return functionTable{}, errUnknownLayout
	}
	t := functionTable{memory: m}
	for offset, address := range map[int]*int{tableNames: &t.names, tableFiles: &t.files, tableCounters: &t.counters, tableList: &t.list} {
		*address = start + m.uint64(start+offset)
	}
	if !slices.IsSorted([]int{start, t.names, t.files, t.counters, t.list, len(m)}) {
		return t, errUnknownLayout
	}
	module := 0
	for ; m.uint64(module) != start || m.uint64(module+moduleList) != t.list; module += 8 {
		if module >= len(m) {
			return t, errUnknownLayout
		}
	}
	t.data = m.uint64(module + moduleData)
	end := 0
	for i := range m.uint64(start + tableFunctions) {
		entry := t.list + m.uint32(t.list+8*i+4)
		if i > 0 && entry != end {
			return t, errUnknownLayout
		}
		end = entry + functionSize + 4*m.uint32(entry+functionMore) + 4*(m.uint32(entry+functionOthers)>>24)
		end = t.list + (end-t.list+7)&^7
		if end > len(m) {
			return t, errUnknownLayout
		}
		t.entries = append(t.entries, entry)
	}
	return t, nil
}

// tableOffset returns the offset of a table that follows an entry, or 0 if there are fewer.
func (t functionTable) tableOffset(entry, number int) int {
	if number >= t.uint32(entry+functionMore) {
		return 0
	}
	return t.uint32(entry + functionSize + 4*number)
}

// eachPair visits a program counter table and returns its end. The table consists of pairs of a
// value difference and a counter difference. A value difference of 0 ends it, except in the first
// pair.
func (t functionTable) eachPair(offset int, each func(difference uint64)) (end int, ok bool) {
	if offset == 0 || offset > t.list-t.counters {
		return offset, offset == 0
	}
	r := reader{rest: t.memory[t.counters+offset : t.list]}
	for first := true; !r.truncated; first = false {
		difference := r.uint()
		if difference == 0 && !first {
			break
		}
		each(difference)
		r.uint()
	}
	return t.list - t.counters - len(r.rest), !r.truncated
}

// clearLines clears the tables of files, lines and inlined calls, which only crash reports use. A
// report then has `?:0` instead of lines, and shows inlined calls as part of their caller.
func (t functionTable) clearLines() error {
	for _, entry := range t.entries {
		if !t.clearFunctionLines(entry) {
			return errUnknownLayout
		}
	}
	clear(t.memory[t.files:t.counters])
	return nil
}

// clearFunctionLines clears the lines and inlined calls of a function.
func (t functionTable) clearFunctionLines(entry int) bool {
	more := t.uint32(entry + functionMore)
	others := entry + functionSize + 4*more
	if t.uint32(entry+functionOthers)>>24 > dataInlined && !t.clearInlined(t.tableOffset(entry, offsetInlined), others+4*dataInlined) {
		return false
	}
	clear(t.memory[entry+functionFile : entry+functionMore])
	clear(t.memory[entry+functionUnit : entry+functionOthers])
	for _, number := range []int{offsetUnsafe, offsetInlined} {
		if at := entry + functionSize + 4*number; number < more {
			clear(t.memory[at : at+4])
		}
	}
	return true
}

// clearInlined clears the inlined calls of a function. Only the table of their counters tells how
// many there are.
func (t functionTable) clearInlined(offset, address int) bool {
	if t.uint32(address) == noData {
		return true
	}
	calls, call := 0, -1
	_, ok := t.eachPair(offset, func(difference uint64) {
		call += int(difference>>1) ^ -int(difference&1)
		calls = max(calls, call+1)
	})
	start := t.data + t.uint32(address)
	if !ok || start+calls*inlinedSize > len(t.memory) {
		return false
	}
	for call := start; call < start+calls*inlinedSize; call += inlinedSize {
		if name := t.names + t.uint32(call+inlinedName); name >= t.files || t.memory[name-1] != 0 {
			return false // not a function's name, so this is not a list of calls
		}
	}
	clear(t.memory[start : start+calls*inlinedSize])
	binary.LittleEndian.PutUint32(t.memory[address:], noData)
	return true
}

// packCounters removes unused program counter tables and packs the others in the order of their
// functions.
func (t functionTable) packCounters() error {
	packed := []byte{0} // offset 0 means no table
	moved := map[int]int{0: 0}
	for _, entry := range t.entries {
		offsets := []int{entry + functionStack}
		for i := range t.uint32(entry + functionMore) {
			offsets = append(offsets, entry+functionSize+4*i)
		}
		for _, at := range offsets {
			offset := t.uint32(at)
			if _, ok := moved[offset]; !ok {
				end, ok := t.eachPair(offset, func(uint64) {})
				if !ok {
					return errUnknownLayout
				}
				moved[offset] = len(packed)
				packed = append(packed, t.memory[t.counters+offset:t.counters+end]...)
			}
			binary.LittleEndian.PutUint32(t.memory[at:], uint32(moved[offset]))
		}
	}
	return t.replace(t.counters, t.list, packed)
}
