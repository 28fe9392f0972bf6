package slim

import "encoding/binary"

// clearLines empties the tables of files, lines and inlined calls, which are
// there for the reports of crashes: those say `?:0` where there is no line, and
// have calls that were inlined as part of their caller.
func (t functionTable) clearLines() error {
	for _, entry := range t.entries {
		if !t.clearFunctionLines(entry) {
			return errUnknownLayout
		}
	}
	clear(t.memory[t.files:t.counters])
	return nil
}

// clearFunctionLines takes its lines and inlined calls from a function.
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

// clearInlined takes its inlined calls from a function: how many they are, only
// the table that says where each of them is tells.
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
			return false // not the name of a function, so not a list of calls
		}
	}
	clear(t.memory[start : start+calls*inlinedSize])
	binary.LittleEndian.PutUint32(t.memory[address:], noData)
	return true
}
