package convert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/scalar"
)

// entry is a key with its value: a string, a mapping, a []mapping or any other JSON value, which is
// written in flow style.
type entry struct {
	key   string
	value any
}

type mapping []entry

// writeBlock writes m in block style, indented by columns.
func (m mapping) writeBlock(b *strings.Builder, columns int) {
	for i, e := range m {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", columns))
		}
		b.WriteString(scalar.Format(e.key, scalar.Key) + ":")
		switch v := e.value.(type) {
		case string:
			writeString(b, v, columns+2)
		case mapping:
			b.WriteString("\n" + strings.Repeat(" ", columns+2))
			v.writeBlock(b, columns+2)
		case []mapping:
			b.WriteString("\n")
			for _, item := range v {
				b.WriteString(strings.Repeat(" ", columns+2) + "- ")
				item.writeBlock(b, columns+4)
			}
		default:
			fmt.Fprintf(b, " %s\n", flowJSON(v))
		}
	}
}

// writeString writes a string value. It uses a literal block for multi-line text that a block
// reproduces exactly.
func writeString(b *strings.Builder, text string, columns int) {
	if !strings.Contains(text, "\n") || strings.ContainsAny(text, "\r\t\u0085\u2028\u2029\ufeff\x00") || text != strings.TrimSpace(text) {
		b.WriteString(" " + scalar.Format(text, scalar.Value) + "\n")
		return
	}
	b.WriteString(" |-\n")
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			b.WriteString(strings.Repeat(" ", columns) + line)
		}
		b.WriteString("\n")
	}
}

// flowJSON returns value as JSON, which is valid YAML flow style.
func flowJSON(value any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(value) != nil { // not reachable for values read from a file
		return "null"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
