package host

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile replaces a file as a whole or not at all: fill writes a temporary
// file beside it, which is flushed to disk and then takes its name. Whatever
// goes wrong before that (a full disk, an error of fill's) leaves the old file
// as it was and no temporary one behind. The old file's permissions are kept; a
// link's target is what is replaced.
func WriteFile(path string, fill func(io.Writer) error) (err error) {
	path, mode, err := replaceable(path)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return plainly(path, err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = unwritten(path, err)
		}
	}()
	buffered := bufio.NewWriterSize(tmp, 64<<10)
	err = errors.Join(fill(buffered), buffered.Flush())
	if err != nil {
		return err
	}
	return takeName(tmp, path, mode)
}

// replaceable is the file that a path leads to, and the permissions that one in its
// place is to have.
func replaceable(path string) (target string, mode fs.FileMode, err error) {
	if followed, e := filepath.EvalSymlinks(path); e == nil {
		path = followed
	}
	info, e := os.Stat(path)
	switch {
	case e != nil:
		return path, 0o644, nil
	case !info.Mode().IsRegular():
		return path, 0, fmt.Errorf("%s: is not a regular file", path)
	case info.Mode().Perm()&0o200 == 0:
		return path, 0, fmt.Errorf("%s: permission denied, the file is read-only", path)
	}
	return path, info.Mode().Perm(), nil
}

// takeName gives a file that is written the name of another, in whose place it is
// from then on, once all of it is on the disk.
func takeName(f *os.File, path string, mode fs.FileMode) error {
	if err := f.Chmod(mode); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func unwritten(path string, err error) error {
	return fmt.Errorf("not written, the file is as it was: %w", plainly(path, err))
}

// Writable tells whether [WriteFile] would find a file that it can replace, in a
// folder that takes new ones: what is to be kept in it may cost something.
func Writable(path string) error {
	path, _, err := replaceable(path)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return plainly(path, err)
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}
