package resultstore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

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
		isWritten := len(head) == 0
		for _, mark := range writtenMarks {
			isWritten = isWritten || strings.Contains(string(head), mark)
		}
		if !isWritten {
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
