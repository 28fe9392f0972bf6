package sandbox

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// What a module may declare. Compilers of Go, Rust, C, Zig and AssemblyScript stay far
// below: 16,000 table entries, 12,000 functions, functions of 54 KiB, and 5 million
// local variables times bytes of code were the largest of some dozen programs.
const (
	maxItems     = 100_000    // in each section
	maxTables    = 16         // of which wazero keeps 8 bytes an entry
	maxEntries   = 1_000_000  // of all tables together
	maxFunction  = 128 << 10  // bytes of one function; compiling cannot stop within one
	maxFrame     = 12_000_000 // local variables times bytes of code of one function
	tableSection = 4
	codeSection  = 10
	dataCount    = 12 // is a number, not a list
)

// bounded returns a module whose tables cannot grow beyond maxEntries, or why the
// module is refused. Go's linker declares tables without a maximum, so that is added
// rather than demanded. What is not a module is left to the compiler to refuse.
func bounded(module []byte) ([]byte, error) {
	const header = "\x00asm\x01\x00\x00\x00"
	if !bytes.HasPrefix(module, []byte(header)) {
		return module, nil
	}
	out := []byte(header)
	for r := (&reader{rest: module[len(header):]}); len(r.rest) > 0; {
		id := r.byte()
		body := r.bytes(r.uint())
		section := &reader{rest: body}
		switch {
		case id == tableSection:
			tables, err := boundTables(section)
			if err != nil {
				return nil, err
			}
			body = tables
		case id == codeSection:
			if err := boundCode(section); err != nil {
				return nil, err
			}
		case id != 0 && id != 8 && id != dataCount: // custom sections and the start function have no count
			if n := section.uint(); n > maxItems {
				return nil, fmt.Errorf("has %d items in section %d; the limit is %d", n, id, maxItems)
			}
		}
		if r.cut || section.cut {
			return nil, fmt.Errorf("is not WebAssembly: section %d is cut short", id)
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(body))), body...)
	}
	return out, nil
}

// boundTables returns the table section with a maximum for each table.
func boundTables(r *reader) ([]byte, error) {
	count := r.uint()
	if count > maxTables {
		return nil, fmt.Errorf("has %d tables; the limit is %d", count, maxTables)
	}
	out := binary.AppendUvarint(nil, count)
	var entries uint64
	for range count {
		kind, flags, least := r.byte(), r.byte(), r.uint()
		if entries += least; least > maxEntries || entries > maxEntries {
			return nil, fmt.Errorf("has tables of %d entries; the limit is %d", entries, maxEntries)
		}
		most := uint64(maxEntries / maxTables)
		if flags&1 != 0 {
			most = min(r.uint(), most)
		}
		out = append(out, kind, flags|1)
		out = binary.AppendUvarint(binary.AppendUvarint(out, least), max(least, most))
	}
	return append(out, r.rest...), nil
}

// boundCode refuses functions that take too long or too much memory to compile.
func boundCode(r *reader) error {
	count := r.uint()
	if count > maxItems {
		return fmt.Errorf("has %d functions; the limit is %d", count, maxItems)
	}
	for range count {
		body := r.bytes(r.uint())
		if len(body) > maxFunction {
			return fmt.Errorf("has a function of %d KiB; the limit is %d KiB", len(body)>>10, maxFunction>>10)
		}
		locals, variables := &reader{rest: body}, uint64(0)
		for n := locals.uint(); n > 0 && !locals.cut; n-- {
			variables += min(locals.uint(), maxFrame)
			locals.byte() // their type
		}
		if variables*uint64(len(body)) > maxFrame {
			return fmt.Errorf("has a function of %d bytes with %d local variables; the product may be %d", len(body), variables, maxFrame)
		}
	}
	return nil
}

// reader reads a module. Beyond the end everything is zero and cut is set.
type reader struct {
	rest []byte
	cut  bool
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.cut, n, v = true, len(r.rest), 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.cut, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}
