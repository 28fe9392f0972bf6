package nfkc

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// data has a line for every character with an entry: the character, its
// combining class if that is not 0, its full compatibility decomposition if it
// has one, and, for one that two others compose to, those two.
//
//go:embed table.txt
var data string

type pair struct{ first, second rune }

type table struct {
	classes        map[rune]uint8
	decompositions map[rune]string
	compositions   map[pair]rune
}

// loadTable builds the table once, when the first text needs it.
var loadTable = sync.OnceValue(func() table {
	t := table{map[rune]uint8{}, map[rune]string{}, map[pair]rune{}}
	for line := range strings.Lines(data) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		r := []rune(fields[0])[0]
		if n, err := strconv.ParseUint(fields[1], 10, 8); err == nil {
			t.classes[r] = uint8(n)
		}
		if fields[2] != "" {
			t.decompositions[r] = fields[2]
		}
		if parts := []rune(fields[3]); len(parts) == 2 {
			t.compositions[pair{parts[0], parts[1]}] = r
		}
	}
	return t
})
