package host

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// MaxFile is the largest file that is read, in bytes.
const MaxFile = 64 << 20

// ErrTooLarge is a file of more than [MaxFile].
var ErrTooLarge = fmt.Errorf("more than the %d MiB that are read at once; divide it", MaxFile>>20)

// ReadFile reads a text file that a folder holds or another file names. It reads regular
// files only, and follows no link out of the file's [Root]: a pipe would make a server
// wait for ever, and a link may lead to its own protocol or to somebody's secrets. Every
// error names the file and what is wrong with it.
func ReadFile(path string) (string, error) { return readWithin(Root(path), path) }

// ReadArgument reads a text file that the person named, on the command line for example.
// It may be anything that can be read, such as a pipe or a link to another place.
func ReadArgument(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fileError(path, err)
	}
	defer f.Close()
	return readOpenFile(path, f)
}

// readWithin is [Read] for a file that belongs to the root of another one.
func readWithin(root, path string) (string, error) {
	f, err := openWithin(root, path, false)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return readOpenFile(path, f)
}

func readOpenFile(path string, f *os.File) (string, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", fileError(path, err)
	case info.IsDir():
		return "", folderError(path)
	case info.Size() > MaxFile:
		return "", fmt.Errorf("%s: is %d MiB, %w", path, info.Size()>>20, ErrTooLarge)
	}
	return readAll(path, f, info.Size())
}

func folderError(path string) error { return fmt.Errorf("%s: is a folder, not a file", path) }

// ReadAll reads the text of an open file or stream, whose size it may not tell.
func ReadAll(name string, r io.Reader) (string, error) { return readAll(name, r, 0) }

func readAll(name string, r io.Reader, size int64) (string, error) {
	var b strings.Builder
	b.Grow(int(size))
	_, err := io.Copy(&b, io.LimitReader(r, MaxFile+1))
	body := b.String()
	switch {
	case err != nil:
		return "", fileError(name, err)
	case len(body) > MaxFile:
		return "", fmt.Errorf("%s: is %w", name, ErrTooLarge)
	case strings.HasPrefix(body, "\xff\xfe"), strings.HasPrefix(body, "\xfe\xff"): // as PowerShell's > writes it
		return "", fmt.Errorf("%s: is UTF-16; save it as UTF-8", name)
	case strings.IndexByte(body[:min(len(body), 8192)], 0) >= 0:
		return "", fmt.Errorf("%s: is binary, not text", name)
	}
	return body, nil
}

// fileError says what the system said without its call names.
func fileError(path string, err error) error {
	switch {
	case path == "":
		return errors.New("a path is empty")
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file or folder", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: permission denied", path)
	}
	var call *fs.PathError
	if errors.As(err, &call) {
		err = call.Err
	}
	var number syscall.Errno
	if errors.As(err, &number) {
		return fmt.Errorf("%s: %s", path, number.Error())
	}
	return fmt.Errorf("%s: %w", path, err)
}
