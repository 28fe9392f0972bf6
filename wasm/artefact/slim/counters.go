package slim

import "encoding/binary"

// packCounters moves the tables from program counters that are still read together,
// in the order in which the functions name them.
func (t functionTable) packCounters() error {
	packed := []byte{0} // offset 0 is none
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
