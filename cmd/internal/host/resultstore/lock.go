package resultstore

import (
	"fmt"
	"os"

	"github.com/gofrs/flock"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
)

// resultLock is a lock on a result file, held by one process at a time. The system releases it
// when the process ends.
type resultLock struct{ file *flock.Flock }

// Lock locks a file that several processes could write. release unlocks it.
func Lock(path string) (release func(), err error) {
	lock, err := lockResult(path)
	return lock.release, err
}

// lockResult locks a result file. Releasing removes the lock's file, and another process may do
// so between our open and lock. So lockResult checks that the locked file is still the one at the
// path, and tries again otherwise.
func lockResult(result string) (resultLock, error) {
	path := result + ".lock"
	if err := disk.CheckNotLinked(path); err != nil {
		return resultLock{}, err
	}
	for range 100 {
		lock := flock.New(path)
		got, err := lock.TryLock()
		if err != nil {
			return resultLock{}, disk.FileError(result, err)
		}
		if !got {
			break
		}
		locked, err := lock.Stat()
		current, statErr := os.Stat(path)
		if err == nil && statErr == nil && os.SameFile(locked, current) {
			return resultLock{lock}, nil
		}
		lock.Unlock()
	}
	return resultLock{}, fmt.Errorf("%s: another program is writing it", result)
}

func (l resultLock) release() {
	path := l.file.Path()
	if os.Remove(path) != nil { // Windows does not remove an open file
		defer os.Remove(path)
	}
	l.file.Unlock()
}
