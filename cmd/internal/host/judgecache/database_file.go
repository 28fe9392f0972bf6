package judgecache

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"os"
)

// errDamaged is returned for a file that is shorter than its own header says.
var errDamaged = errors.New("the file is cut short")

// openDatabaseFile opens a database file for bbolt and checks its length first: bbolt maps the
// file, and reading a page beyond its end is a memory fault.
func openDatabaseFile(path string, flag int, mode os.FileMode) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe would block
		return nil, errors.New("it is not a regular file")
	}
	f, err := os.OpenFile(path, flag, mode)
	if err != nil {
		return nil, err
	}
	wanted := expectedLength(f)
	if info, err := f.Stat(); err == nil && info.Size() < wanted { // compared after reading the header, because the file only grows
		f.Close()
		return nil, errDamaged
	}
	return f, nil
}

// expectedLength returns the length in bytes according to the newer of a file's two headers, or 0
// if neither is valid. The layout is bbolt's version 2. Each header starts a page, at byte 16,
// and has 64 bytes: magic, version, page size and flags (4 bytes each), then root and sequence,
// free list, page count, transaction and FNV-1a checksum (8 bytes each).
func expectedLength(r io.ReaderAt) int64 {
	const header, magic, version = 16, 0xED0CDAED, 2
	page, newest, length := int64(os.Getpagesize()), uint64(0), int64(0)
	for _, at := range []int64{0, page} {
		meta := make([]byte, 64)
		if _, err := r.ReadAt(meta, at+header); err != nil {
			continue
		}
		sum := fnv.New64a()
		sum.Write(meta[:56])
		if ne := binary.NativeEndian; ne.Uint32(meta) == magic && ne.Uint32(meta[4:]) == version && ne.Uint64(meta[56:]) == sum.Sum64() {
			if transaction := ne.Uint64(meta[48:]); transaction >= newest {
				newest, length = transaction, int64(ne.Uint64(meta[40:]))*int64(ne.Uint32(meta[8:]))
			}
		}
	}
	return length
}
