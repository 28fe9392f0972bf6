package resultstore

import (
	"fmt"
	"os"

	"github.com/gofrs/flock"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
)

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
