package judgecache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	"go.etcd.io/bbolt"
)

// errDamaged is wrapped by errors about a file that is not what bbolt wrote.
var errDamaged = errors.New("the file is damaged")

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
	wanted := readHeader(f).length()
	if info, err := f.Stat(); err == nil && info.Size() < wanted { // compared after reading the header, because the file only grows
		f.Close()
		return nil, fmt.Errorf("%w: it is cut short", errDamaged)
	}
	return f, nil
}

// checkFile returns an error if the pages of a database file do not fit together. bbolt trusts
// them: with a page that leads to itself it uses all memory.
func checkFile(path string) error {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return nil // there is nothing to read, or opening it says why
	}
	var f *os.File
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout, OpenFile: func(path string, flag int, mode os.FileMode) (_ *os.File, err error) {
		f, err = openDatabaseFile(path, flag, mode)
		return f, err
	}})
	if err != nil {
		return err
	}
	defer db.Close() // until then nobody writes
	header := readHeader(f)
	w := &pageWalk{file: f, header: header, seen: make([]bool, header.pages)}
	if err := errors.Join(w.visitTree(header.root), w.visitFreeList(header.freeList)); err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	return nil
}

// header is what one of a file's two headers says. The layout is bbolt's version 2. Each header
// starts a page, at byte 16, and has 64 bytes: magic, version, page size and flags (4 bytes each),
// then root and sequence, free list, page count, transaction and FNV-1a checksum (8 bytes each).
type header struct {
	pageSize                           int64
	root, freeList, pages, transaction uint64
}

func (h header) length() int64 { return int64(h.pages) * h.pageSize }

// readHeader returns the newer of a file's two headers, or a zero one if neither is valid.
func readHeader(r io.ReaderAt) (newest header) {
	const magic, version = 0xED0CDAED, 2
	for _, at := range []int64{0, int64(os.Getpagesize())} {
		meta := make([]byte, 64)
		if _, err := r.ReadAt(meta, at+pageHeader); err != nil {
			continue
		}
		sum := fnv.New64a()
		sum.Write(meta[:56])
		if ne.Uint32(meta) != magic || ne.Uint32(meta[4:]) != version || ne.Uint64(meta[56:]) != sum.Sum64() {
			continue
		}
		if transaction := ne.Uint64(meta[48:]); transaction >= newest.transaction {
			newest = header{int64(ne.Uint32(meta[8:])), ne.Uint64(meta[16:]), ne.Uint64(meta[32:]), ne.Uint64(meta[40:]), transaction}
		}
	}
	return newest
}

var ne = binary.NativeEndian

// A page has a header of 16 bytes: its number (8), kind and count of elements (2 each), and how
// many pages it continues on (4). Elements have 16 bytes.
const (
	pageHeader, element = 16, 16
	branch, leaf, free  = 0x01, 0x02, 0x10
)

// A pageWalk visits the pages of a file, each at most once.
type pageWalk struct {
	file   io.ReaderAt
	header header
	seen   []bool
}

func (w *pageWalk) mark(id uint64) error {
	if id < 2 || id >= uint64(len(w.seen)) || w.seen[id] {
		return fmt.Errorf("page %d is used twice or does not exist", id)
	}
	w.seen[id] = true
	return nil
}

// readPage returns a page with all that it continues on.
func (w *pageWalk) readPage(id uint64) ([]byte, error) {
	if err := w.mark(id); err != nil {
		return nil, err
	}
	at, page := int64(id)*w.header.pageSize, make([]byte, w.header.pageSize)
	if _, err := w.file.ReadAt(page, at); err != nil {
		return nil, err
	}
	last := id + uint64(ne.Uint32(page[12:]))
	if ne.Uint64(page) != id || last >= uint64(len(w.seen)) {
		return nil, fmt.Errorf("page %d has a wrong header", id)
	}
	if last == id {
		return page, nil
	}
	for next := id + 1; next <= last; next++ {
		if err := w.mark(next); err != nil {
			return nil, err
		}
	}
	page = make([]byte, int64(last-id+1)*w.header.pageSize)
	_, err := w.file.ReadAt(page, at)
	return page, err
}

func (w *pageWalk) visitTree(id uint64) error {
	page, err := w.readPage(id)
	if err != nil {
		return err
	}
	return w.visitElements(page)
}

// visitElements checks that keys and values of a branch or a leaf lie within it, and visits the
// pages below.
func (w *pageWalk) visitElements(page []byte) error {
	if len(page) < pageHeader {
		return errors.New("a page is too short")
	}
	kind, count := ne.Uint16(page[8:]), int(ne.Uint16(page[10:]))
	if kind != leaf && (kind != branch || count == 0) || pageHeader+count*element > len(page) {
		return fmt.Errorf("a page of kind %d has %d elements", kind, count)
	}
	for at := pageHeader; at < pageHeader+count*element; at += element {
		e := page[at : at+element]
		if kind == branch { // offset from e and length of the key (4 bytes each), page (8)
			if at+int(ne.Uint32(e))+int(ne.Uint32(e[4:])) > len(page) {
				return errors.New("a key is not in its page")
			}
			if err := w.visitTree(ne.Uint64(e[8:])); err != nil {
				return err
			}
			continue
		}
		// Flags, offset from e, length of the key and of the value (4 bytes each).
		value := at + int(ne.Uint32(e[4:])) + int(ne.Uint32(e[8:]))
		end := value + int(ne.Uint32(e[12:]))
		if end > len(page) {
			return errors.New("a value is not in its page")
		}
		if ne.Uint32(e)&1 != 0 { // a bucket: its root (8 bytes) and sequence (8), and without a root a page
			if err := w.visitBucket(page[value:end]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *pageWalk) visitBucket(value []byte) error {
	if len(value) < 16 {
		return errors.New("a bucket is too short")
	}
	if root := ne.Uint64(value); root != 0 {
		return w.visitTree(root)
	}
	return w.visitElements(value[16:])
}

// visitFreeList checks the list of free pages: their count, which is the first number of the list if
// the header has no room for it, and their numbers (8 bytes each).
func (w *pageWalk) visitFreeList(id uint64) error {
	page, err := w.readPage(id)
	if err != nil {
		return err
	}
	count, ids := uint64(ne.Uint16(page[10:])), page[pageHeader:]
	if count == 0xFFFF {
		count, ids = ne.Uint64(ids), ids[8:]
	}
	if ne.Uint16(page[8:]) != free || count > uint64(len(ids)/8) {
		return errors.New("the list of free pages is no such list")
	}
	for i := range count {
		if err := w.mark(ne.Uint64(ids[8*i:])); err != nil {
			return err
		}
	}
	return nil
}
