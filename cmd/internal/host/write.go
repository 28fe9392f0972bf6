package host

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile replaces a file as a whole or not at all: fill writes a temporary file in
// the same folder, which is flushed to disk and then takes the name. Whatever goes wrong
// before that (a full disk, an error of fill's) leaves the old file as it was and no
// temporary one behind. The new file has the old one's permissions. A symbolic link is
// refused: the person who named it did not name the file behind it.
func WriteFile(path string, fill func(io.Writer) error) error {
	return replaceFile(path, fill, func() error { return nil })
}

// ReplaceText replaces the text of a file, unless the file no longer holds the text that it
// had. An editor that saves in the moment between that look and the renaming still loses.
func ReplaceText(path, oldText, text string) error {
	fill := func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
	return replaceFile(path, fill, func() error {
		if now, err := ReadArgument(path); err != nil || now != oldText {
			return cmp.Or(err, errors.New("the file was changed by somebody else; run it again"))
		}
		return nil
	})
}

// replaceFile is [WriteFile] that calls ready right before the file is replaced.
func replaceFile(path string, fill func(io.Writer) error, check func() error) (err error) {
	mode, err := replacementMode(path)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fileError(path, err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = notWrittenError(path, err)
		}
	}()
	buffered := bufio.NewWriterSize(tmp, 64<<10)
	if err = errors.Join(fill(buffered), buffered.Flush()); err != nil {
		return err
	}
	return renameOver(tmp, path, mode, check)
}

// replacementMode returns the permissions that a file in place of the one at path is to have.
func replacementMode(path string) (mode fs.FileMode, err error) {
	if err := checkNotLinked(path); err != nil {
		return 0, err
	}
	info, e := os.Stat(path)
	switch {
	case e != nil:
		return 0o644, nil
	case !info.Mode().IsRegular():
		return 0, fmt.Errorf("%s: is not a regular file", path)
	case info.Mode().Perm()&0o200 == 0:
		return 0, fmt.Errorf("%s: permission denied, the file is read-only", path)
	}
	return info.Mode().Perm(), nil
}

// checkNotLinked is an error for a file that is a symbolic link, or whose folder is one that
// leads out of the repository: a repository that somebody else wrote could name any file
// of the person who runs it.
func checkNotLinked(path string) error {
	if target, err := os.Readlink(path); err == nil {
		return fmt.Errorf("%s: is a symbolic link to %s, which is not written through; remove it, or name the file itself", path, target)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	root, rootErr := filepath.EvalSymlinks(Root(path))
	if err == nil && rootErr == nil {
		if folder, err = filepath.Abs(folder); err == nil && !isWithin(root, folder) {
			return fmt.Errorf("%s: lies in %s by way of a symbolic link, outside of %s; name the folder itself", path, folder, root)
		}
	}
	return nil
}

// renameOver gives a file that is written the name of another, in whose place it is
// from then on, once all of it is on the disk.
func renameOver(f *os.File, path string, mode fs.FileMode, check func() error) error {
	if err := f.Chmod(mode); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := check(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func notWrittenError(path string, err error) error {
	return fmt.Errorf("not written, the file is as it was: %w", fileError(path, err))
}

// CheckWritable tells whether [WriteFile] would find a file that it can replace, in a
// folder that takes new ones: what is to be kept in it may cost something.
func CheckWritable(path string) error {
	if _, err := replacementMode(path); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fileError(path, err)
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}
