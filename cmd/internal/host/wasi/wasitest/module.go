// Package wasitest assembles small WebAssembly modules that no compiler would produce, for tests.
package wasitest

import (
	"encoding/binary"
	"strings"
)

// Instructions and types, as far as tests need them.
const (
	Unreachable = "\x00"
	LoopForever = "\x03\x40\x0c\x00\x0b"                             // loop br 0 end
	GrowAll     = "\x03\x40\x41\x01\x40\x00\x41\x7f\x47\x0d\x00\x0b" // loop while memory.grow 1 is not -1
	Zero32      = "\x41\x00"
	Zero64      = "\x42\x00"
	I32         = "\x7f"
	I64         = "\x7e"
)

// Call returns a call of the nth function; imported ones come first.
func Call(n int) string { return "\x10" + uleb(n) }

// Function is one function of a module, exported unless Export is "".
type Function struct {
	Export          string
	Params, Results string // types
	Code            string // without its end
	Locals          int    // local variables, of type i32
}

// Import is an imported function without parameters or results.
type Import struct{ From, Name string }

// Table is a table of functions; Max is 0 for none.
type Table struct{ Min, Max int }

// Module is a module with one page of exported memory.
type Module struct {
	Imports   []Import
	Tables    []Table
	Functions []Function
}

// Bytes returns the module in binary format.
func (m Module) Bytes() []byte {
	var types, imports, functions, tables, exports, code []string
	types = append(types, "\x60\x00\x00")
	for _, i := range m.Imports {
		imports = append(imports, vector(i.From)+vector(i.Name)+"\x00\x00")
	}
	exports = append(exports, vector("memory")+"\x02\x00")
	for n, f := range m.Functions {
		types = append(types, "\x60"+vector(f.Params)+vector(f.Results))
		functions = append(functions, uleb(n+1))
		if f.Export != "" {
			exports = append(exports, vector(f.Export)+"\x00"+uleb(len(m.Imports)+n))
		}
		locals := uleb(0)
		if f.Locals > 0 {
			locals = uleb(1) + uleb(f.Locals) + I32
		}
		code = append(code, vector(locals+f.Code+"\x0b"))
	}
	for _, t := range m.Tables {
		if t.Max > 0 {
			tables = append(tables, "\x70\x01"+uleb(t.Min)+uleb(t.Max))
		} else {
			tables = append(tables, "\x70\x00"+uleb(t.Min))
		}
	}
	return []byte("\x00asm\x01\x00\x00\x00" + section(1, types) + section(2, imports) + section(3, functions) +
		section(4, tables) + section(5, []string{"\x00\x01"}) + section(7, exports) + section(10, code))
}

func section(id int, items []string) string {
	return uleb(id) + vector(uleb(len(items))+strings.Join(items, ""))
}

func vector(content string) string { return uleb(len(content)) + content }

func uleb(n int) string { return string(binary.AppendUvarint(nil, uint64(n))) }
