// Package disk reads and writes files. What is read on behalf of a file lies within that file's
// root, and a file is replaced as a whole or not at all.
package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// MaxFile is the size in bytes of the largest file that is read.
const MaxFile = 64 << 20

// ErrTooLarge is wrapped for a file of more than [MaxFile] bytes.
var ErrTooLarge = fmt.Errorf("more than the %d MiB that can be read; split it", MaxFile>>20)

// ReadFile reads a text file that was found in a directory or named by another file. It reads
// regular files only, and follows no link out of the file's [Root]: a pipe would block a server
// for ever, and a link may lead to the server's own protocol or to secrets. Every error names the
// file and what is wrong with it.
func ReadFile(path string) (string, error) { return ReadWithin(Root(path), path) }

// ReadArgument reads a text file that the user named, for example on the command line. It may be
// a pipe, or a link to another place.
func ReadArgument(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", FileError(path, err)
	}
	defer f.Close()
	return readOpenFile(path, f)
}

// ReadWithin is [ReadFile] for a file that belongs to another file's root.
func ReadWithin(root, path string) (string, error) {
	f, err := OpenWithin(root, path, false)
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
		return "", FileError(path, err)
	case info.IsDir():
		return "", FolderError(path)
	case info.Size() > MaxFile:
		return "", fmt.Errorf("%s: is %d MiB, %w", path, info.Size()>>20, ErrTooLarge)
	}
	return ReadAll(path, f, int(info.Size()))
}

// FolderError is the error of a folder where a file is expected.
func FolderError(path string) error { return fmt.Errorf("%s: is a folder, not a file", path) }

// ReadAll reads the text of an open file or stream. Size is its size in bytes, if that is known.
func ReadAll(name string, r io.Reader, size int) (string, error) {
	var b strings.Builder
	b.Grow(size)
	_, err := io.Copy(&b, io.LimitReader(r, MaxFile+1))
	body := b.String()
	switch {
	case err != nil:
		return "", FileError(name, err)
	case len(body) > MaxFile:
		return "", fmt.Errorf("%s: is %w", name, ErrTooLarge)
	case strings.HasPrefix(body, "\xff\xfe"), strings.HasPrefix(body, "\xfe\xff"): // PowerShell's > writes UTF-16
		return "", fmt.Errorf("%s: is UTF-16; save it as UTF-8", name)
	case strings.IndexByte(body[:min(len(body), 8192)], 0) >= 0:
		return "", fmt.Errorf("%s: is binary, not text", name)
	}
	return body, nil
}

// FileError words a system error for users, without the system call's name. It is nil for nil.
func FileError(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case path == "":
		return errors.New("a path is empty")
	case errors.Is(err, fs.ErrNotExist):
		if folder := filepath.Dir(path); !Exists(folder) {
			return fmt.Errorf("%s: no such file or folder; the folder %s is missing", path, folder)
		}
		return fmt.Errorf("%s: no such file or folder", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: permission denied", path)
	}
	if call, ok := errors.AsType[*fs.PathError](err); ok {
		err = call.Err
	}
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return fmt.Errorf("%s: %s", path, number.Error())
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Root returns the directory that bounds what is read on behalf of a file: neither a path in the
// file nor a link leads out of it.
//
// It is the root of the file's Git repository or, outside one, the file's own directory. A
// working directory above that replaces it, so that files can refer to their neighbours when
// rubric is started further up. The home directory and those above it do not count.
func Root(file string) string {
	root, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return filepath.Dir(file)
	}
	if folders := RepositoryFolders(root); folders != nil {
		root = folders[len(folders)-1]
	}
	cwd, err := os.Getwd()
	home, noHome := os.UserHomeDir()
	if err == nil && isWithin(cwd, root) && (noHome != nil || !isWithin(cwd, home)) {
		root = cwd
	}
	return root
}

// isWithin reports whether path is folder or below it, by name alone.
func isWithin(folder, path string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(relative)
}

// OpenWithin opens a regular file, or a directory, below root. It never blocks.
func OpenWithin(root, path string, folder bool) (*os.File, error) {
	if path == "" {
		return nil, FileError(path, fs.ErrNotExist)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, FileError(path, err)
	}
	if !isWithin(root, absolute) {
		return nil, outsideError(root, path)
	}
	f, err := openBelow(root, absolute)
	if err != nil {
		target, linkErr := filepath.EvalSymlinks(absolute)
		resolved, rootErr := filepath.EvalSymlinks(root)
		if linkErr != nil {
			target, linkErr = os.Readlink(absolute) // a link to a pipe, for example
		}
		switch {
		case linkErr != nil || rootErr != nil || target == absolute:
			return nil, FileError(path, err)
		case !isWithin(resolved, target):
			return nil, fmt.Errorf("%s: is not read: it is a link to %s, outside of %s", path, target, root)
		}
		if f, err = openBelow(resolved, target); err != nil { // os.Root refuses absolute links
			return nil, FileError(path, err)
		}
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = FileError(path, err)
	case folder != info.IsDir() && info.IsDir():
		err = FolderError(path)
	case folder != info.IsDir():
		err = fmt.Errorf("%s: is not a folder", path)
	case !folder && !info.Mode().IsRegular():
		err = fmt.Errorf("%s: is not a regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// openBelow opens a path below root. The system refuses links that lead out of root, even if
// directories change meanwhile. O_NONBLOCK keeps a pipe from waiting for a writer.
func openBelow(root, path string) (*os.File, error) {
	folder, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	relative, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	return folder.OpenFile(relative, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

func outsideError(root, path string) error {
	return fmt.Errorf("%s: is not read: it is outside of %s", path, root)
}

// OutsideReason returns why a reference of an eval file is not followed: it names an existing
// file outside the eval file's root. It returns "" otherwise.
func OutsideReason(evalFile, reference string) string {
	path, found := LookupFile(evalFile, reference)
	if path != "" || found == nil {
		return ""
	}
	_, reason, _ := strings.Cut(found.Error(), ": is not read: ")
	return reason
}

// ReadFolder lists a directory within root.
func ReadFolder(root, path string) ([]os.DirEntry, error) {
	f, err := OpenWithin(root, path, true)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// FileFingerprint returns the size and modification time of a program's file, whose path is
// relative to an eval file's directory. It is "" if there is no such file.
func FileFingerprint(evalFile, program string) string {
	info, err := os.Stat(ResolveFrom(filepath.Dir(evalFile), filepath.FromSlash(program)))
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// TargetsFingerprint is [FileFingerprint] of the targets file that applies to an eval file.
func TargetsFingerprint(evalFile string) string {
	if path := FindTargetsFile(evalFile); path != "" {
		return path + " " + FileFingerprint(evalFile, path)
	}
	return ""
}

// Exists reports whether there is a file or directory at path.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

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
