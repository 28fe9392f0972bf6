package resultstore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
)

// previousSuffix is that of the file that a run has replaced.
const previousSuffix = ".previous"

// writtenMarks are texts that the beginning of a result file or a report has.
var writtenMarks = []string{"| mean score |", `"eval_id"`, `"test_id"`, `"totals"`, `<testsuites name="rubric"`, `<meta name="generator" content="rubric">`, `eval_set_result_id`}

// CheckReplaceable returns an error if a run cannot write its results to path, or if the file there
// holds something else.
func CheckReplaceable(path string) error {
	if err := disk.CheckWritable(path); err != nil {
		return err
	}
	for _, path := range []string{path, path + previousSuffix} {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return disk.FileError(path, err)
		}
		defer f.Close()
		head, err := io.ReadAll(io.LimitReader(f, 16<<10))
		if err != nil {
			return disk.FileError(path, err)
		}
		if len(head) > 0 && !slices.ContainsFunc(writtenMarks, func(mark string) bool { return strings.Contains(string(head), mark) }) {
			return fmt.Errorf("%s: holds no results, and is not replaced; name another file, or remove it", path)
		}
	}
	return nil
}

// KeepPrevious keeps the file at path under another name, because a run is about to replace it. The
// name is "" if there is no such file, or an empty one.
func KeepPrevious(path string) (previous string, err error) {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return "", nil
	}
	previous = path + previousSuffix
	if err := os.Remove(previous); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", disk.FileError(previous, err)
	}
	if os.Link(path, previous) == nil {
		return previous, nil
	}
	if err := os.Rename(path, previous); err != nil { // some file systems have no links
		return "", disk.FileError(path, err)
	}
	return previous, nil
}

// Lock locks a result file, or another that several processes could write, until release is called or
// the process ends.
//
// Releasing removes the lock's file, and another process may do so between our open and lock. So Lock
// checks that the locked file is still the one at the path, and tries again otherwise.
func Lock(result string) (release func(), err error) {
	path := result + ".lock"
	if err := disk.CheckNotLinked(path); err != nil {
		return nil, err
	}
	for range 100 {
		lock := flock.New(path)
		got, err := lock.TryLock()
		if err != nil {
			return nil, disk.FileError(result, err)
		}
		if !got {
			break
		}
		locked, err := lock.Stat()
		current, statErr := os.Stat(path)
		if err == nil && statErr == nil && os.SameFile(locked, current) {
			return func() {
				if os.Remove(path) != nil { // Windows does not remove an open file
					defer os.Remove(path)
				}
				lock.Unlock()
			}, nil
		}
		lock.Unlock()
	}
	return nil, fmt.Errorf("%s: another program is writing it", result)
}
