package host

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"os"
	"strings"
)

// A piece of a file has so many lines and bytes, about: enough for the work at its
// ends not to count.
const (
	pieceLines = 256
	pieceBytes = 1 << 20
)

// Pieces reads a file of lines some lines at a time, so that however many there
// are few are held. Blank lines are left out. An error is the last that is given.
func Pieces(path string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield("", plainly(path, err))
			return
		}
		defer f.Close()
		in, lines := bufio.NewReader(f), 0
		var piece strings.Builder
		for {
			line, err := in.ReadSlice('\n')
			for err == bufio.ErrBufferFull {
				piece.Write(line)
				line, err = in.ReadSlice('\n')
			}
			if piece.Write(line); len(bytes.TrimSpace(line)) > 0 {
				lines++
			}
			if err != nil && err != io.EOF {
				yield("", plainly(path, err))
				return
			}
			if full := lines >= pieceLines || piece.Len() >= pieceBytes || err == io.EOF; full && lines > 0 {
				if !yield(piece.String(), nil) {
					return
				}
				piece.Reset()
				lines = 0
			}
			if err == io.EOF {
				return
			}
		}
	}
}

// Size is how many bytes a file has, 0 if that cannot be told.
func Size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
