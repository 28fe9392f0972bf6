package slim

import (
	"bytes"
	"encoding/binary"
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
	none          = 1<<32 - 1
)

// Where runtime.moduledata, which begins with the address of the table, has the
// address of the list of functions and the one that places of data count from.
const (
	moduleList = 104
	moduleData = 320
)

// functions is that table in a memory.
type functions struct {
	memory
	counters, list, data int    // addresses
	read                 []bool // the bytes from counters to list that are still read
}

// forgetLines empties the tables of files, lines and inlined calls, which are
// there for the reports of crashes: those say `?:0` where there is no line, and
// have calls that were inlined as part of their caller.
func (m memory) forgetLines() error {
	at := bytes.Index(m, []byte(tableStart))
	if at < 0 {
		return errForeign
	}
	files := at + m.uint64(at+tableFiles)
	t := functions{m, at + m.uint64(at+tableCounters), at + m.uint64(at+tableList), 0, nil}
	if !slices.IsSorted([]int{at, files, t.counters, t.list, len(m)}) {
		return errForeign
	}
	module := 0
	for ; m.uint64(module) != at || m.uint64(module+moduleList) != t.list; module += 8 {
		if module >= len(m) {
			return errForeign
		}
	}
	t.data = m.uint64(module + moduleData)
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

// forget takes its lines and inlined calls from a function, and notes what is
// read of its other tables.
func (t functions) forget(entry int) bool {
	more := t.uint32(entry + functionMore)
	others := entry + functionSize + 4*more
	if others+4*(t.uint32(entry+functionOthers)>>24) > len(t.memory) {
		return false
	}
	if t.uint32(entry+functionOthers)>>24 > dataInlined && !t.forgetInlined(t.offset(entry, offsetInlined), others+4*dataInlined) {
		return false
	}
	clear(t.memory[entry+functionFile : entry+functionMore])
	clear(t.memory[entry+functionUnit : entry+functionOthers])
	ok := t.note(t.uint32(entry + functionStack))
	for i := range more {
		if at := entry + functionSize + 4*i; i == offsetUnsafe || i == offsetInlined {
			clear(t.memory[at : at+4])
		} else {
			ok = t.note(t.uint32(at)) && ok
		}
	}
	return ok
}

// offset is one of those behind a function's entry; 0 if it has not so many.
func (t functions) offset(entry, number int) int {
	if number >= t.uint32(entry+functionMore) {
		return 0
	}
	return t.uint32(entry + functionSize + 4*number)
}

// forgetInlined takes its inlined calls from a function: how many they are, only
// the table that says where each of them is tells.
func (t functions) forgetInlined(offset, place int) bool {
	if t.uint32(place) == none {
		return true
	}
	calls, call := 0, -1
	_, ok := t.pairs(offset, func(difference uint64) {
		call += int(difference>>1) ^ -int(difference&1)
		calls = max(calls, call+1)
	})
	at := t.data + t.uint32(place)
	if !ok || at+calls*inlinedSize > len(t.memory) {
		return false
	}
	clear(t.memory[at : at+calls*inlinedSize])
	binary.LittleEndian.PutUint32(t.memory[place:], none)
	return true
}

// note notes that a table from program counters is read.
func (t functions) note(offset int) bool {
	end, ok := t.pairs(offset, func(uint64) {})
	for i := offset; i < end; i++ {
		t.read[i] = true
	}
	return ok
}

// pairs goes through a table from program counters: pairs of a difference in what
// it tells and one in counters, up to a difference of 0 that is not the first. It
// gives the offset behind it.
func (t functions) pairs(offset int, each func(difference uint64)) (end int, ok bool) {
	if offset == 0 || offset > len(t.read) {
		return offset, offset == 0
	}
	r := reader{rest: t.memory[t.counters+offset : t.list]}
	for first := true; !r.cut; first = false {
		difference := r.uint()
		if difference == 0 && !first {
			break
		}
		each(difference)
		r.uint()
	}
	return t.list - t.counters - len(r.rest), !r.cut
}
