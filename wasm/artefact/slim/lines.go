package slim

import "encoding/binary"

// forgetLines empties the tables of files, lines and inlined calls, which are
// there for the reports of crashes: those say `?:0` where there is no line, and
// have calls that were inlined as part of their caller.
func (t functions) forgetLines() error {
	for _, entry := range t.entries {
		if !t.forget(entry) {
			return errForeign
		}
	}
	clear(t.memory[t.files:t.counters])
	return nil
}

// forget takes its lines and inlined calls from a function.
func (t functions) forget(entry int) bool {
	more := t.uint32(entry + functionMore)
	others := entry + functionSize + 4*more
	if t.uint32(entry+functionOthers)>>24 > dataInlined && !t.forgetInlined(t.offset(entry, offsetInlined), others+4*dataInlined) {
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
	for call := at; call < at+calls*inlinedSize; call += inlinedSize {
		if name := t.names + t.uint32(call+inlinedName); name >= t.files || t.memory[name-1] != 0 {
			return false // not the name of a function, so not a list of calls
		}
	}
	clear(t.memory[at : at+calls*inlinedSize])
	binary.LittleEndian.PutUint32(t.memory[place:], none)
	return true
}
