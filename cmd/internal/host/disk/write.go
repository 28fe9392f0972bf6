package disk

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

// WriteFile replaces a file as a whole or not at all. fill writes a temporary file in the same
// directory, which is flushed to disk and renamed. After an error (a full disk, an error of
// fill), the old file is as it was and the temporary one is gone. The new file has the old one's
// permissions. A symbolic link is refused, because the user did not name the file behind it.
func WriteFile(path string, fill func(io.Writer) error) error {
	return replaceFile(path, fill, func() error { return nil })
}

// WriteText is [WriteFile] for a text.
func WriteText(path, text string) error {
	return WriteFile(path, writer(text))
}

func writer(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

// ReplaceText replaces the text of a file, unless the file no longer holds oldText. A file that is not
// there has the text "". A change between that check and the renaming is still lost.
func ReplaceText(path, oldText, text string) error {
	return replaceFile(path, writer(text), func() error {
		now, err := "", error(nil)
		if Exists(path) {
			now, err = ReadArgument(path)
		}
		if err != nil || now != oldText {
			return cmp.Or(err, errors.New("the file was changed meanwhile; run it again"))
		}
		return nil
	})
}

// replaceFile is [WriteFile] that calls check right before the renaming.
func replaceFile(path string, fill func(io.Writer) error, check func() error) (err error) {
	mode, err := replacementMode(path)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return FileError(path, err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = fmt.Errorf("not written; the file is unchanged: %w", FileError(path, err))
		}
	}()
	buffered := bufio.NewWriterSize(tmp, 64<<10)
	if err = errors.Join(fill(buffered), buffered.Flush()); err != nil {
		return err
	}
	if err = tmp.Chmod(mode); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err = errors.Join(tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	if err = check(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// replacementMode returns the permissions of a file that replaces path, or an error if path must
// not be replaced.
func replacementMode(path string) (mode fs.FileMode, err error) {
	if err := CheckNotLinked(path); err != nil {
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

// CheckNotLinked returns an error if path is a symbolic link, or if its directory is a link that
// leads out of the repository. Somebody else's repository could otherwise name any file of its
// user.
func CheckNotLinked(path string) error {
	if target, err := os.Readlink(path); err == nil {
		return fmt.Errorf("%s: is a symbolic link to %s, which is not followed for writing; remove it, or name the file itself", path, target)
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

// CheckWritable checks that [WriteFile] can replace a file and create one in its directory,
// before something is paid for that would go there.
func CheckWritable(path string) error {
	if _, err := replacementMode(path); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return FileError(path, err)
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}

// SameFile reports whether two paths are the same file, or would be if it existed.
func SameFile(a, b string) bool {
	one, errOne := os.Stat(a)
	two, errTwo := os.Stat(b)
	if errOne == nil && errTwo == nil {
		return os.SameFile(one, two)
	}
	absA, errOne := filepath.Abs(a)
	absB, errTwo := filepath.Abs(b)
	return errOne == nil && errTwo == nil && absA == absB
}

// AppendPrivate appends to a file that only the user can read. It creates the file and its folder.
func AppendPrivate(path string, body []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	return errors.Join(err, f.Close())
}
