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
	tableFiles     = 40                                 // where the names of files are
	tableCounters  = 56                                 // where the tables from program counters to something are
	tableList      = 64                                 // where the list of functions is, 8 bytes each: 4, and where it is from there
)

// And a function's entry, whose offsets are of tables from program counters; 0 is none.
const (
	functionStack  = 16 // offset: how deep the stack is
	functionFile   = 20 // offset: in which file
	functionLine   = 24 // offset: in which line
	functionMore   = 28 // how many offsets there are behind the entry
	functionOthers = 40 // its last byte: how many of something else behind those
	functionSize   = 44
)

// functions is that table in a memory.
type functions struct {
	memory
	counters, list int    // addresses
	read           []bool // the bytes from counters to list that are not of files and lines alone
}

// forgetLines empties the tables of files and lines, which are there for the
// reports of crashes: those say `?:0` where there is none.
func (m memory) forgetLines() error {
	at := bytes.Index(m, []byte(tableStart))
	if at < 0 {
		return errForeign
	}
	files := at + m.uint64(at+tableFiles)
	t := functions{m, at + m.uint64(at+tableCounters), at + m.uint64(at+tableList), nil}
	if !slices.IsSorted([]int{at, files, t.counters, t.list, len(m)}) {
		return errForeign
	}
	t.read = make([]bool, t.list-t.counters)
	end := 0
	for i := range m.uint64(at + tableFunctions) {
		entry := t.list + m.uint32(t.list+8*i+4)
		if i > 0 && entry != end || !t.forget(entry) {
			return errForeign // or laid out in a way that is not known here
		}
		end = entry + functionSize + 4*m.uint32(entry+functionMore) + 4*(m.uint32(entry+functionOthers)>>24)
		end = t.list + (end-t.list+7)&^7
	}
	for i, read := range t.read {
		if !read {
			m[t.counters+i] = 0
		}
	}
	clear(m[files:t.counters])
	return nil
}

// forget takes its lines from a function, and notes what is read of its other tables.
func (t functions) forget(entry int) bool {
	more := t.uint32(entry + functionMore)
	if entry+functionSize+4*more > len(t.memory) {
		return false
	}
	clear(t.memory[entry+functionFile : entry+functionMore])
	if !t.note(t.uint32(entry + functionStack)) {
		return false
	}
	for i := range more {
		if !t.note(t.uint32(entry + functionSize + 4*i)) {
			return false
		}
	}
	return true
}

// note notes that a table is read: pairs of a difference in what it tells and
// one in counters, up to a difference of 0 that is not the first.
func (t functions) note(offset int) bool {
	if offset == 0 {
		return true
	}
	if offset > len(t.read) {
		return false
	}
	r := reader{rest: t.memory[t.counters+offset : t.list]}
	for first := true; (r.uint() != 0 || first) && !r.cut; first = false {
		r.uint()
	}
	for i := offset; i < t.list-t.counters-len(r.rest); i++ {
		t.read[i] = true
	}
	return !r.cut
}
