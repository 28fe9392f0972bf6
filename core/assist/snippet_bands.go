package assist

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/schema"
)

// bandThirds cover all scores once.
var bandThirds = [][2]int{{0, 3}, {4, 7}, {8, 10}}

// writeBands writes a list of score ranges whose dashes stand at a column.
func (sw *snippetWriter) writeBands(t *schema.Type, column int) {
	for _, third := range bandThirds {
		sw.newLine(column)
		sw.write("- ")
		for i, f := range essentialFields(t) {
			if i > 0 {
				sw.newLine(column + 2)
			}
			if f.Type.MaxLength == len(third) {
				sw.write(sw.keyText(f.Key) + ": [")
				sw.writeStop(fmt.Sprint(third[0]))
				sw.write(", ")
				sw.writeStop(fmt.Sprint(third[1]))
				sw.write("]")
			} else {
				sw.writeEntry(f, f.Key, column+2)
			}
		}
	}
}

// writeRange writes the numbers of a field's example, in brackets.
func (sw *snippetWriter) writeRange(f *schema.Field) {
	sw.write("[")
	if f != nil {
		shown, _ := f.Example.([]int)
		for i, n := range shown {
			if i > 0 {
				sw.write(", ")
			}
			sw.writeStop(fmt.Sprint(n))
		}
	}
	sw.write("]")
}
