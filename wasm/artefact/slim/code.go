package slim

import (
	"encoding/binary"
	"slices"
)

// The instructions of the code that fills the tables when the module starts.
const (
	i32        = 0x7f
	loop       = 0x03
	untyped    = 0x40
	end        = 0x0b
	branchIf   = 0x0d
	get        = 0x20
	set        = 0x21
	tee        = 0x22
	load       = 0x28
	loadByte   = 0x2d
	store      = 0x36
	i32Const   = 0x41
	less       = 0x49
	add        = 0x6a
	subtract   = 0x6b
	multiply   = 0x6c
	and        = 0x71
	shiftLeft  = 0x74
	shiftRight = 0x76

	aligned4 = 2    // of load and store
	minus8   = 0x78 // as a constant
)

// body is a function without results, of a number of variables and some code.
func body(variables byte, code ...[]byte) []byte {
	return slices.Concat([]byte{1, variables, i32}, slices.Concat(code...), []byte{end})
}

// number is a constant that is not negative.
func number(n int) []byte { return appendSigned([]byte{i32Const}, n) }

// offset is what load and store add to an address.
func offset(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }
