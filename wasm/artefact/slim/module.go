// Package slim makes a module of the Go linker smaller. It removes the tables of source lines and
// inlined calls. It also removes data that follows from the order of the functions, and adds a
// start function that computes it: the largest table of all, and for each function its start, its
// entry and its name. It never changes existing code. For an unknown layout it returns an error.
package slim

import (
	"encoding/binary"
	"errors"
	"slices"
)

const header = "\x00asm\x01\x00\x00\x00"

// Ids of the sections that slim reads.
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	startSection    = 8
	elementSection  = 9
	codeSection     = 10
	dataSection     = 11
)

var errUnknownLayout = errors.New("not a module as the Go linker writes them")

// module is a list of sections.
type module []section

type section struct {
	id   byte
	body []byte
}

// Module returns a smaller module that does the same. Crash reports still name functions, but no
// lines and no inlined functions.
func Module(wasm []byte) ([]byte, error) {
	m, err := parseSections(wasm)
	if err != nil {
		return nil, err
	}
	if m.find(startSection) != nil || m.find(typeSection) == nil || m.find(importSection) == nil || m.find(functionSection) == nil || m.find(codeSection) == nil || m.find(dataSection) == nil {
		return nil, errUnknownLayout
	}
	memory, err := readMemory(m.find(dataSection).body)
	if err != nil {
		return nil, err
	}
	functions, err := memory.findFunctions()
	if err != nil {
		return nil, err
	}
	if err := functions.clearLines(); err != nil {
		return nil, err
	}
	if err := functions.packCounters(); err != nil {
		return nil, err
	}
	order, err := functions.takeOrder()
	if err != nil {
		return nil, err
	}
	index, err := memory.takeIndex()
	if err != nil {
		return nil, err
	}
	if m, err = m.withStartFunction(functionBody(4, index.code(0), order.code(1))); err != nil {
		return nil, err
	}
	m.find(dataSection).body = memory.segments()
	return m.bytes(), nil
}

func parseSections(wasm []byte) (module, error) {
	if len(wasm) < len(header) || string(wasm[:len(header)]) != header {
		return nil, errUnknownLayout
	}
	var m module
	for r := (reader{rest: wasm[len(header):]}); len(r.rest) > 0; {
		id := r.bytes(1)
		body := r.bytes(r.uint())
		if r.truncated {
			return nil, errUnknownLayout
		}
		m = append(m, section{id[0], body})
	}
	return m, nil
}

func (m module) find(id byte) *section {
	i := slices.IndexFunc(m, func(s section) bool { return s.id == id })
	if i < 0 {
		return nil
	}
	return &m[i]
}

func (m module) bytes() []byte {
	out := []byte(header)
	for _, s := range m {
		out = append(out, s.id)
		out = binary.AppendUvarint(out, uint64(len(s.body)))
		out = append(out, s.body...)
	}
	return out
}

// withStartFunction adds a function with the given body, which hosts run before any export.
func (m module) withStartFunction(body []byte) (module, error) {
	imported := reader{rest: m.find(importSection).body}
	functions := imported.uint()
	for range functions {
		imported.bytes(imported.uint()) // module name
		imported.bytes(imported.uint()) // function name
		if kind := imported.bytes(1); imported.truncated || kind[0] != 0 {
			return nil, errUnknownLayout // not a function
		}
		imported.uint() // type
	}
	types := m.find(typeSection)
	signature := (&reader{rest: types.body}).uint()
	types.appendElement([]byte{0x60, 0, 0}) // no parameters, no results
	functions += m.find(functionSection).appendElement(binary.AppendUvarint(nil, signature))
	m.find(codeSection).appendElement(append(binary.AppendUvarint(nil, uint64(len(body))), body...))

	at := slices.IndexFunc(m, func(s section) bool { return s.id >= elementSection })
	return slices.Insert(m, at, section{startSection, binary.AppendUvarint(nil, functions)}), nil
}

// appendElement appends an element to a section that is a list, and returns its index.
func (s *section) appendElement(element []byte) uint64 {
	r := reader{rest: s.body}
	count := r.uint()
	s.body = slices.Concat(binary.AppendUvarint(nil, count+1), r.rest, element)
	return count
}

// reader decodes a module. Behind the end, it returns zero values.
type reader struct {
	rest      []byte
	truncated bool // a read went past the end
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.truncated = true
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.truncated = true
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}
