package assist

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/schema"
)

// thirds cover all scores once.
var thirds = [][2]int{{0, 3}, {4, 7}, {8, 10}}

// bands writes a list of score ranges whose dashes stand at a column.
func (k *sketch) bands(t *schema.Type, column int) {
	for _, third := range thirds {
		k.line(column)
		k.write("- ")
		for i, f := range essential(t) {
			if i > 0 {
				k.line(column + 2)
			}
			if f.Type.MaxLength == len(third) {
				k.write(k.key(f.Key) + ": [")
				k.stop(fmt.Sprint(third[0]))
				k.write(", ")
				k.stop(fmt.Sprint(third[1]))
				k.write("]")
			} else {
				k.entry(f, f.Key, column+2)
			}
		}
	}
}

// ends writes the numbers of a field's example, in brackets.
func (k *sketch) ends(f *schema.Field) {
	k.write("[")
	if f != nil {
		shown, _ := f.Example.([]int)
		for i, n := range shown {
			if i > 0 {
				k.write(", ")
			}
			k.stop(fmt.Sprint(n))
		}
	}
	k.write("]")
}
