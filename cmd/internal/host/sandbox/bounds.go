package sandbox

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Limits on what a module may declare. Compilers of Go, Rust, C, Zig and AssemblyScript stay far
// below them. The largest values in some dozen programs were 16,000 table entries, 12,000
// functions, functions of 54 KiB, 9,000 bytes in one function that could open a block, and 5
// million local variables times bytes of code.
const (
	maxItems     = 100_000    // in each section
	maxEntries   = 1_000_000  // of the table; wazero uses 8 bytes for each
	maxFunction  = 128 << 10  // bytes of one function; compilation cannot stop within one
	maxBlocks    = 20_000     // bytes of one function that could open a block: wazero takes quadratic time
	maxFrame     = 12_000_000 // local variables times bytes of code, in one function
	tableSection = 4
	codeSection  = 10
	dataCount    = 12 // holds a number, not a list
)

// checkBounds returns why a module is refused before compilation. A table cannot grow, because
// the runtime does not enable reference types. The compiler refuses what is not a module.
func checkBounds(module []byte) error {
	code, ok := bytes.CutPrefix(module, []byte("\x00asm\x01\x00\x00\x00"))
	if !ok {
		return nil
	}
	for r := (&reader{rest: code}); len(r.rest) > 0; {
		id := r.byte()
		section := &reader{rest: r.bytes(r.uint())}
		var err error
		switch {
		case id == tableSection:
			err = checkTables(section)
		case id == codeSection:
			err = checkCode(section)
		case id != 0 && id != 8 && id != dataCount: // custom sections and the start function have no count
			if n := section.uint(); n > maxItems {
				err = fmt.Errorf("has %d items in section %d; the limit is %d", n, id, maxItems)
			}
		}
		if err != nil {
			return err
		}
		if r.truncated || section.truncated {
			return fmt.Errorf("is not WebAssembly: section %d is cut short", id)
		}
	}
	return nil
}

func checkTables(r *reader) error {
	for range min(r.uint(), maxItems) {
		_, flags, least := r.byte(), r.byte(), r.uint()
		if least > maxEntries {
			return fmt.Errorf("has a table of %d entries; the limit is %d", least, maxEntries)
		}
		if flags&1 != 0 {
			r.uint() // the maximum
		}
	}
	return nil
}

// checkCode refuses functions that take too much time or memory to compile.
func checkCode(r *reader) error {
	count := r.uint()
	if count > maxItems {
		return fmt.Errorf("has %d functions; the limit is %d", count, maxItems)
	}
	for range count {
		body := r.bytes(r.uint())
		if len(body) > maxFunction {
			return fmt.Errorf("has a function of %d KiB; the limit is %d KiB", len(body)>>10, maxFunction>>10)
		}
		if blocks := bytes.Count(body, []byte{2}) + bytes.Count(body, []byte{3}) + bytes.Count(body, []byte{4}); blocks > maxBlocks {
			return fmt.Errorf("has a function with up to %d blocks; the limit is %d", blocks, maxBlocks)
		}
		locals, variables := &reader{rest: body}, uint64(0)
		for n := locals.uint(); n > 0 && !locals.truncated; n-- {
			variables += min(locals.uint(), maxFrame)
			locals.byte() // their type
		}
		if variables*uint64(len(body)) > maxFrame {
			return fmt.Errorf("has a function of %d bytes with %d local variables; the product may be %d", len(body), variables, maxFrame)
		}
	}
	return nil
}

// reader reads a module. Beyond the end, everything is zero and truncated is set.
type reader struct {
	rest      []byte
	truncated bool
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
		r.truncated, n, v = true, len(r.rest), 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.truncated, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}
