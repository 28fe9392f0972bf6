package disk

import (
	"bufio"
	"iter"
	"os"
	"strings"
)

// Batch is some adjacent lines of a file.
type Batch struct {
	Text string
	Line int // the number of the first line, from 1
}

// ReadBatches yields the lines of a file in batches of size bytes or a little more; the last may be
// smaller. It ends with an error if the file cannot be read, or a line is longer than [MaxFile].
func ReadBatches(path string, size int) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(Batch{}, FileError(path, err))
			return
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, MaxFile)
		var text strings.Builder
		first, next := 1, 1
		for lines.Scan() {
			text.Write(lines.Bytes())
			text.WriteByte('\n')
			if next++; text.Len() >= size {
				if !yield(Batch{text.String(), first}, nil) {
					return
				}
				text.Reset()
				first = next
			}
		}
		if err := lines.Err(); err != nil {
			yield(Batch{}, FileError(path, err))
		} else if text.Len() > 0 {
			yield(Batch{text.String(), first}, nil)
		}
	}
}

// FileSize returns the size of a regular file in bytes. It is 0 for all else: reading a pipe twice
// is impossible.
func FileSize(path string) int64 {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return info.Size()
	}
	return 0
}
