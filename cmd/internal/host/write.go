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
	if target, e := filepath.EvalSymlinks(path); e == nil {
		path = target
	}
	mode := fs.FileMode(0o644)
	if info, e := os.Stat(path); e == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s: is not a regular file", path)
		}
		if mode = info.Mode().Perm(); mode&0o200 == 0 {
			return fmt.Errorf("%s: permission denied, the file is read-only", path)
		}
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return plainly(path, err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = fmt.Errorf("not written, the file is as it was: %w", plainly(path, err))
		}
	}()
	buffered := bufio.NewWriterSize(tmp, 64<<10)
	err = errors.Join(fill(buffered), buffered.Flush())
	if err != nil {
		return err
	}
	if err = tmp.Chmod(mode); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
