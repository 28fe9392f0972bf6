package slim

import (
	"bytes"
	"slices"
)

// The runtime's table of functions, laid out as runtime.pcHeader and
// runtime._func say. Its header, in bytes from its start:
const (
	tableStart     = "\xf1\xff\xff\xff\x00\x00\x01\x08" // since Go 1.20; instructions of 1 byte, pointers of 8
	tableFunctions = 8                                  // how many functions
	tableNames     = 32                                 // where their names are, each ended by a zero
	tableFiles     = 40                                 // where the names of files are
	tableCounters  = 56                                 // where the tables from program counters to something are
	tableList      = 64                                 // where the list of functions is, 8 bytes each: 4, and where it is from there
)

// And a function's entry, which begins with where the function does. Its offsets
// are of tables from program counters; 0 is none.
const (
	functionName   = 4  // where its name is among them
	functionStack  = 16 // offset: how deep the stack is
	functionFile   = 20 // offset: in which file
	functionLine   = 24 // offset: in which line
	functionMore   = 28 // how many offsets there are behind the entry
	functionUnit   = 32 // where the names of its files begin
	functionStart  = 36 // its first line
	functionOthers = 40 // its last byte: how many places of data there are behind those, from moduleData; -1 is none
	functionSize   = 44
)

// Some of what is behind the entry, by its number: internal/abi's PCDATA and FUNCDATA.
const (
	offsetUnsafe  = 0 // where it may not be interrupted, as nothing is in WebAssembly
	offsetInlined = 2 // which call it is in, of those that were inlined
	dataInlined   = 3 // the calls that were inlined, inlinedSize bytes each
	inlinedSize   = 16
	inlinedName   = 4 // where the name of an inlined function is among the names
	noData        = 1<<32 - 1
)

// Where runtime.moduledata, which begins with the address of the table, has the
// address of the list of functions and the one that places of data count from.
const (
	moduleList = 104
	moduleData = 320
)

// functionTable is that table in a memory.
type functionTable struct {
	memory
	names, files, counters, list, data int   // addresses
	entries                            []int // and those of the functions' entries
}

// findFunctions finds the table, whose entries follow one another.
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
			return t, errUnknownLayout // or laid out in a way that is not known here
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

// tableOffset is one of those behind a function's entry; 0 if it has not so many.
func (t functionTable) tableOffset(entry, number int) int {
	if number >= t.uint32(entry+functionMore) {
		return 0
	}
	return t.uint32(entry + functionSize + 4*number)
}

// eachPair goes through a table from program counters: pairs of a difference in what
// it tells and one in counters, up to a difference of 0 that is not the first. It
// gives the offset behind it.
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
