package slim

import (
	"encoding/binary"
	"slices"
)

// The instructions of the code that fills the tables when the module starts.
const (
	typeI32      = 0x7f
	opLoop       = 0x03
	typeNone     = 0x40
	opEnd        = 0x0b
	opBranchIf   = 0x0d
	opGet        = 0x20
	opSet        = 0x21
	opTee        = 0x22
	opLoad       = 0x28
	opLoadByte   = 0x2d
	opStore      = 0x36
	opConst      = 0x41
	opLess       = 0x49
	opAdd        = 0x6a
	opSubtract   = 0x6b
	opMultiply   = 0x6c
	opAnd        = 0x71
	opShiftLeft  = 0x74
	opShiftRight = 0x76

	aligned4 = 2    // of load and store
	minus8   = 0x78 // as a constant
)

// functionBody is a function without results, of a number of variables and some code.
func functionBody(variables byte, code ...[]byte) []byte {
	return slices.Concat([]byte{1, variables, typeI32}, slices.Concat(code...), []byte{opEnd})
}

// constant is a constant that is not negative.
func constant(n int) []byte { return appendSigned([]byte{opConst}, n) }

// memoryOffset is what load and store add to an address.
func memoryOffset(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }
